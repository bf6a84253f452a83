#include "distbench/payload/message.h"

#include <array>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(PayloadPatternTest, LooksRandom) {
  std::array<int64_t, 256> counts = {};
  for (const char c : PayloadPattern()) ++counts[static_cast<uint8_t>(c)];
  // 4096 of each value are expected; 6 standard deviations are 383.
  for (const int64_t count : counts) EXPECT_NEAR(count, 4096, 383);
}

TEST(PayloadPatternTest, IsTheSameBytesEveryTime) {
  EXPECT_EQ(PayloadPattern().data(), PayloadPattern().data());
  EXPECT_EQ(PayloadPattern().size(), kPayloadPatternSize);
}

TEST(PayloadPatternTest, PiecesAddUpToThePayload) {
  const int64_t pattern_size = kPayloadPatternSize;
  for (const int64_t size : {int64_t{0}, int64_t{1}, pattern_size - 1, pattern_size,
                             pattern_size + 1, 3 * pattern_size}) {
    std::vector<absl::string_view> pieces;
    ForEachPayloadPiece({.payload_size = size},
                        [&](absl::string_view piece) { pieces.push_back(piece); });
    int64_t sum = 0;
    for (const absl::string_view piece : pieces) {
      EXPECT_EQ(piece.data(), PayloadPattern().data());
      EXPECT_GT(piece.size(), 0u);
      sum += static_cast<int64_t>(piece.size());
    }
    EXPECT_EQ(sum, size);
    EXPECT_EQ(pieces.size(), static_cast<size_t>((size + pattern_size - 1) / pattern_size));
  }
}

TEST(PayloadPatternTest, APayloadBeginsAtItsOffsetAndGoesOnAtTheBeginning) {
  const int64_t pattern_size = kPayloadPatternSize;
  const std::string pattern(PayloadPattern());
  const std::string repeated = pattern + pattern + pattern;
  for (const uint32_t offset : {0u, 1u, 4097u, kPayloadOffsets - 1}) {
    for (const int64_t size : {int64_t{0}, int64_t{1}, pattern_size - offset,
                               pattern_size - offset + 1, 2 * pattern_size}) {
      std::string bytes;
      ForEachPayloadPiece(
          {.payload_size = size, .payload_offset = offset},
          [&](absl::string_view piece) { bytes.append(piece.data(), piece.size()); });
      ASSERT_TRUE(bytes == repeated.substr(offset, static_cast<size_t>(size)))
          << offset << " " << size;
    }
  }
}

TEST(OutgoingMessageTest, SizeIsHeadPlusPayload) {
  EXPECT_EQ((OutgoingMessage{.head = "abc", .payload_size = 40}).size(), 43);
}

}  // namespace
}  // namespace distbench
