#include "distbench/driver/tcp/frame_reader.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr int64_t kMaxMessage = 10 << 20;

struct SentFrame {
  FrameHeader header;
  std::string body;
};

std::string Encode(const SentFrame& frame) {
  std::string bytes(kFrameHeaderBytes, '\0');
  EncodeFrameHeader(frame.header, bytes.data());
  return bytes + frame.body;
}

SentFrame NewFrame(uint32_t slot, size_t body_bytes) {
  std::string body(body_bytes, '\0');
  for (size_t i = 0; i < body_bytes; ++i) body[i] = static_cast<char>(slot + i * 31 + i / 256);
  return {.header = {.type = FrameType::kRequest, .body_bytes = body_bytes, .id = {.slot = slot}},
          .body = body};
}

std::string Flatten(const ReceivedMessage& message) {
  std::string bytes;
  for (absl::string_view piece : message.fragments) bytes.append(piece.data(), piece.size());
  return bytes;
}

class FrameReaderTest : public testing::Test {
 protected:
  // Gives the reader these bytes in as many reads as it has room for.
  void Feed(absl::string_view bytes) {
    while (!bytes.empty()) {
      iovec room[FrameReader::kMaxRoom];
      const size_t count = reader_.PrepareRoom(absl::MakeSpan(room));
      size_t copied = 0;
      for (size_t i = 0; i < count && !bytes.empty(); ++i) {
        const size_t here = std::min(room[i].iov_len, bytes.size());
        std::memcpy(room[i].iov_base, bytes.data(), here);
        bytes.remove_prefix(here);
        copied += here;
      }
      reader_.Commit(copied);
    }
  }

  // Takes what is complete, and compares it with what was sent next.
  void ExpectNext(const std::vector<SentFrame>& sent) {
    while (true) {
      ASSERT_TRUE(reader_.NextFrames(&batch_).ok());
      if (batch_.empty()) break;
      for (size_t i = 0; i < batch_.size(); ++i, ++next_) {
        ASSERT_LT(next_, sent.size());
        EXPECT_EQ(batch_.header(i).type, sent[next_].header.type);
        EXPECT_EQ(batch_.header(i).id, sent[next_].header.id);
        EXPECT_EQ(batch_.body(i).size, static_cast<int64_t>(sent[next_].body.size()));
        ASSERT_TRUE(Flatten(batch_.body(i)) == sent[next_].body) << "frame " << next_;
      }
    }
    reader_.ReleaseConsumed();
  }

  ChunkPool pool_;
  FrameReader reader_{&pool_, kMaxMessage};
  FrameBatch batch_;
  size_t next_ = 0;  // frame to come
};

TEST_F(FrameReaderTest, FramesComeOutWhereverTheStreamIsCut) {
  std::mt19937 random(1);
  std::vector<SentFrame> sent;
  std::string stream;
  for (uint32_t slot = 0; slot < 600; ++slot) {
    const size_t small = random() % 100;
    const size_t large = random() % (3 * ChunkPool::kChunkBytes);
    sent.push_back(NewFrame(slot, slot % 7 == 0 ? large : small));
    stream += Encode(sent.back());
  }
  size_t at = 0;
  while (at < stream.size()) {
    const size_t longest = random() % 3 == 0 ? 100'000 : 40;
    const size_t size = std::min<size_t>(1 + random() % longest, stream.size() - at);
    Feed(absl::string_view(stream).substr(at, size));
    ASSERT_NO_FATAL_FAILURE(ExpectNext(sent));
    at += size;
  }
  EXPECT_EQ(next_, sent.size());
  EXPECT_EQ(reader_.chunk_count(), 0u);
}

TEST_F(FrameReaderTest, FramesComeOutByteByByte) {
  std::vector<SentFrame> sent;
  std::string stream;
  for (uint32_t slot = 0; slot < 5; ++slot) {
    sent.push_back(NewFrame(slot, slot * 10));
    stream += Encode(sent.back());
  }
  for (size_t i = 0; i < stream.size(); ++i) {
    Feed(absl::string_view(stream).substr(i, 1));
    ASSERT_NO_FATAL_FAILURE(ExpectNext(sent));
  }
  EXPECT_EQ(next_, sent.size());
}

TEST_F(FrameReaderTest, MoreFramesThanABatchHoldsComeInSeveral) {
  std::string stream;
  for (uint32_t slot = 0; slot < FrameBatch::kMaxFrames + 1; ++slot) {
    stream += Encode(NewFrame(slot, 3));
  }
  Feed(stream);
  ASSERT_TRUE(reader_.NextFrames(&batch_).ok());
  EXPECT_TRUE(batch_.full());
  ASSERT_TRUE(reader_.NextFrames(&batch_).ok());
  EXPECT_EQ(batch_.size(), 1u);
  EXPECT_EQ(batch_.header(0).id.slot, FrameBatch::kMaxFrames);
}

TEST_F(FrameReaderTest, IllegalFrameIsAnErrorAfterTheLegalOnesBeforeIt) {
  Feed(Encode(NewFrame(0, 20)));
  SentFrame illegal = NewFrame(1, 0);
  illegal.header.type = static_cast<FrameType>(99);
  Feed(Encode(illegal));
  ASSERT_TRUE(reader_.NextFrames(&batch_).ok());
  EXPECT_EQ(batch_.size(), 1u);
  EXPECT_EQ(reader_.NextFrames(&batch_).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(FrameReaderTest, TooLongABodyIsRefusedBeforeItComes) {
  SentFrame frame = NewFrame(0, 0);
  frame.header.body_bytes = kMaxMessage + 1;
  Feed(Encode(frame));
  EXPECT_EQ(reader_.NextFrames(&batch_).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(FrameReaderTest, MemoryGrowsWithBytesThatCameAndNotWithThoseThatWereClaimed) {
  SentFrame frame = NewFrame(0, 0);
  frame.header.body_bytes = kMaxMessage;
  Feed(Encode(frame));
  ASSERT_TRUE(reader_.NextFrames(&batch_).ok());
  reader_.ReleaseConsumed();
  EXPECT_EQ(reader_.chunk_count(), 1u);
  Feed(std::string(3 * ChunkPool::kChunkBytes, 'x'));
  ASSERT_TRUE(reader_.NextFrames(&batch_).ok());
  EXPECT_TRUE(batch_.empty());
  reader_.ReleaseConsumed();
  EXPECT_EQ(reader_.chunk_count(), 4u);
}

TEST_F(FrameReaderTest, MemoryIsReused) {
  const std::string stream = Encode(NewFrame(0, 5 * ChunkPool::kChunkBytes));
  for (int i = 0; i < 10; ++i) {
    next_ = 0;
    Feed(stream);
    ASSERT_NO_FATAL_FAILURE(ExpectNext({NewFrame(0, 5 * ChunkPool::kChunkBytes)}));
    EXPECT_EQ(reader_.chunk_count(), 0u);
  }
  EXPECT_LE(pool_.free_count(), 6u);
}

TEST_F(FrameReaderTest, ClearForgetsAHalfFrame) {
  const std::string half = Encode(NewFrame(0, 100)).substr(0, 50);
  Feed(half);
  ASSERT_TRUE(reader_.NextFrames(&batch_).ok());
  reader_.Clear();
  Feed(Encode(NewFrame(7, 10)));
  ASSERT_NO_FATAL_FAILURE(ExpectNext({NewFrame(7, 10)}));
  EXPECT_EQ(next_, 1u);
}

}  // namespace
}  // namespace distbench
