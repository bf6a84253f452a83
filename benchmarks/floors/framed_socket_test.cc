#include "benchmarks/floors/framed_socket.h"

#include <sys/socket.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

using Frame = std::pair<uint64_t, std::string>;

class FramedSocketTest : public testing::Test {
 protected:
  FramedSocketTest() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    // Small, so that writes go out in parts.
    const int bytes = 4096;
    EXPECT_EQ(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)), 0);
    sender_ = std::make_unique<FramedSocket>(ends[0]);
    receiver_ = std::make_unique<FramedSocket>(ends[1]);
  }

  // What one read brings.
  bool Read(std::vector<Frame>* frames) {
    return receiver_->Read(
        [&](uint64_t id, absl::string_view body) { frames->emplace_back(id, std::string(body)); });
  }

  std::unique_ptr<FramedSocket> sender_;
  std::unique_ptr<FramedSocket> receiver_;
};

TEST_F(FramedSocketTest, FramesArriveInBatchesAndInParts) {
  std::vector<Frame> sent;
  for (uint64_t id = 0; id < 500; ++id) {
    sent.emplace_back(id, std::string(id % 97, static_cast<char>('a' + id % 26)));
    sender_->Append(id, sent.back().second);
  }
  std::vector<Frame> received;
  ASSERT_TRUE(sender_->Flush());
  EXPECT_TRUE(sender_->has_unsent());  // or nothing would be in parts
  int reads = 0;
  while (received.size() < sent.size()) {
    ASSERT_TRUE(Read(&received));
    ASSERT_TRUE(sender_->Flush());
    ++reads;
  }
  EXPECT_EQ(received, sent);
  EXPECT_FALSE(sender_->has_unsent());
  EXPECT_LT(reads, 200);
}

TEST_F(FramedSocketTest, APeerThatHasGoneIsSeen) {
  sender_.reset();
  std::vector<Frame> received;
  EXPECT_FALSE(Read(&received));
}

TEST_F(FramedSocketTest, AnAbsurdLengthIsRefused) {
  const uint64_t header[2] = {uint64_t{1} << 40, 1};
  ASSERT_EQ(send(sender_->descriptor(), header, sizeof(header), 0),
            static_cast<ssize_t>(sizeof(header)));
  std::vector<Frame> received;
  EXPECT_FALSE(Read(&received));
}

}  // namespace
}  // namespace distbench
