#include "distbench/driver/tcp/send_queue.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

// What a frame looks like on the wire.
std::string Encode(FrameType type, CallId id, const OutgoingMessage& body) {
  std::string bytes(kFrameHeaderBytes, '\0');
  EncodeFrameHeader({.type = type, .body_bytes = static_cast<uint64_t>(body.size()), .id = id},
                    bytes.data());
  bytes.append(body.head.data(), body.head.size());
  ForEachPayloadPiece(body,
                      [&](absl::string_view piece) { bytes.append(piece.data(), piece.size()); });
  return bytes;
}

// The first bytes that a writer with room for `max_pieces` would write.
std::string Gathered(const SendQueue& queue, size_t max_pieces) {
  std::vector<iovec> pieces(max_pieces);
  std::string bytes;
  const size_t count = queue.Gather(absl::MakeSpan(pieces));
  for (size_t i = 0; i < count; ++i) {
    bytes.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
  }
  return bytes;
}

TEST(SendQueueTest, BytesComeOutInOrderHoweverLittleIsWrittenAtOnce) {
  std::mt19937 random(1);
  SendQueue queue;
  std::string expected;
  for (uint32_t i = 0; i < 3000; ++i) {
    const std::string head(random() % (i % 50 == 0 ? 40'000 : 60), static_cast<char>('a' + i % 26));
    const size_t payloads[] = {0, random() % 100, random() % 6000, random() % 3'000'000};
    const size_t payload = payloads[i % 100 == 0 ? 3 : random() % 3];
    const OutgoingMessage body = {.head = head,
                                  .payload_size = static_cast<int64_t>(payload),
                                  .payload_offset = i % 3 == 0 ? i * 997 % kPayloadOffsets : 0};
    queue.AppendFrame(FrameType::kRequest, {.slot = i}, body);
    expected += Encode(FrameType::kRequest, {.slot = i}, body);
    ASSERT_EQ(queue.size_bytes(), static_cast<int64_t>(expected.size()));
    while (random() % 4 == 0 && !expected.empty()) {
      const std::string gathered = Gathered(queue, 1 + random() % 8);
      ASSERT_FALSE(gathered.empty());
      ASSERT_TRUE(expected.compare(0, gathered.size(), gathered) == 0) << "after frame " << i;
      const size_t written = random() % 3 == 0 ? gathered.size() : random() % gathered.size();
      queue.Consume(written);
      expected.erase(0, written);
    }
  }
  while (!queue.empty()) {
    const std::string gathered = Gathered(queue, 64);
    ASSERT_TRUE(expected.compare(0, gathered.size(), gathered) == 0);
    queue.Consume(gathered.size());
    expected.erase(0, gathered.size());
  }
  EXPECT_EQ(expected, "");
}

// The queue is never empty, and never long.
TEST(SendQueueTest, MemoryOfALastingBacklogIsUsedAgain) {
  std::mt19937 random(2);
  SendQueue queue;
  std::string expected;
  std::set<uintptr_t> pages;  // that pieces begin in
  for (uint32_t i = 0; i < 10'000; ++i) {
    const OutgoingMessage body = {.head = "head", .payload_size = i % 10 == 0 ? 5000 : 300};
    queue.AppendFrame(FrameType::kRequest, {.slot = i}, body);
    expected += Encode(FrameType::kRequest, {.slot = i}, body);
    while (expected.size() > 200'000) {
      iovec pieces[3];
      const size_t count = queue.Gather(absl::MakeSpan(pieces));
      for (size_t piece = 0; piece < count; ++piece) {
        pages.insert(reinterpret_cast<uintptr_t>(pieces[piece].iov_base) / 4096);
      }
      const std::string gathered = Gathered(queue, 3);
      ASSERT_TRUE(expected.compare(0, gathered.size(), gathered) == 0) << "after frame " << i;
      const size_t written = 1 + random() % gathered.size();
      queue.Consume(written);
      expected.erase(0, written);
    }
  }
  // Thirteen chunks of 16 KiB have the backlog, and one or two are in between.
  EXPECT_LT(pages.size(), 90u);
}

TEST(SendQueueTest, SmallFramesAreOnePiece) {
  SendQueue queue;
  for (int i = 0; i < 100; ++i) {
    queue.AppendFrame(FrameType::kRequest, {}, {.head = "head", .payload_size = 44});
  }
  iovec pieces[8];
  EXPECT_EQ(queue.Gather(absl::MakeSpan(pieces)), 1u);
  EXPECT_EQ(pieces[0].iov_len, 100 * (kFrameHeaderBytes + 48));
}

TEST(SendQueueTest, LongPayloadIsNotCopied) {
  SendQueue queue;
  queue.AppendFrame(FrameType::kRequest, {}, {.head = "head", .payload_size = 100'000});
  iovec pieces[8];
  ASSERT_EQ(queue.Gather(absl::MakeSpan(pieces)), 2u);
  EXPECT_EQ(pieces[1].iov_base, PayloadPattern().data());
  EXPECT_EQ(pieces[1].iov_len, 100'000u);
}

TEST(SendQueueTest, GatheredPiecesStayWhileMoreIsAppended) {
  SendQueue queue;
  const OutgoingMessage body = {.head = "some head", .payload_size = 1000};
  queue.AppendFrame(FrameType::kRequest, {.slot = 1}, body);
  iovec pieces[8];
  ASSERT_EQ(queue.Gather(absl::MakeSpan(pieces)), 1u);
  for (uint32_t i = 0; i < 1000; ++i) queue.AppendFrame(FrameType::kResponse, {.slot = i}, body);
  EXPECT_EQ(std::string(static_cast<const char*>(pieces[0].iov_base), pieces[0].iov_len),
            Encode(FrameType::kRequest, {.slot = 1}, body));
}

TEST(SendQueueTest, MemoryIsUsedAgainOnceItWasWritten) {
  SendQueue queue;
  queue.AppendFrame(FrameType::kRequest, {}, {.head = "first"});
  iovec first[1];
  ASSERT_EQ(queue.Gather(absl::MakeSpan(first)), 1u);
  queue.Consume(first[0].iov_len);
  queue.AppendFrame(FrameType::kRequest, {}, {.head = "second"});
  iovec second[1];
  ASSERT_EQ(queue.Gather(absl::MakeSpan(second)), 1u);
  EXPECT_EQ(second[0].iov_base, first[0].iov_base);
}

TEST(SendQueueTest, ClearedQueueStartsAgain) {
  SendQueue queue;
  queue.AppendFrame(FrameType::kRequest, {}, {.head = "gone", .payload_size = 1 << 20});
  queue.Consume(7);
  queue.Clear();
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(Gathered(queue, 8), "");
  const OutgoingMessage body = {.head = "here", .payload_size = 10};
  queue.AppendFrame(FrameType::kError, {}, body);
  EXPECT_EQ(Gathered(queue, 8), Encode(FrameType::kError, {}, body));
}

}  // namespace
}  // namespace distbench
