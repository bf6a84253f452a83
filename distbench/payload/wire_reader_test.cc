#include "distbench/payload/wire_reader.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

using Bytes = std::string;

Bytes operator""_b(const char* bytes, size_t size) { return Bytes(bytes, size); }

ReceivedMessage View(const std::vector<absl::string_view>& fragments) {
  int64_t size = 0;
  for (const absl::string_view fragment : fragments) size += static_cast<int64_t>(fragment.size());
  return {.fragments = fragments, .size = size};
}

// Skips all fields; returns the error or "".
std::string ErrorOf(const Bytes& bytes) {
  const std::vector<absl::string_view> fragments = {bytes};
  WireReader reader(View(fragments));
  while (reader.NextField()) reader.SkipValue();
  return reader.ok() ? "" : reader.error();
}

TEST(WireReaderTest, EmptyMessageHasNoFields) {
  WireReader reader(ReceivedMessage{});
  EXPECT_FALSE(reader.NextField());
  EXPECT_TRUE(reader.ok());
}

TEST(WireReaderTest, ReadsFieldsAcrossEmptyAndTinyFragments) {
  const std::vector<absl::string_view> fragments = {"",         "\x08", "", "\xac", "\x02", "",
                                                    "\x12\x03", "a",    "", "bc",   ""};
  WireReader reader(View(fragments));
  ASSERT_TRUE(reader.NextField());
  ASSERT_TRUE(reader.field_is(1, WireType::kVarint));
  EXPECT_EQ(reader.ReadVarint(), 300u);
  ASSERT_TRUE(reader.NextField());
  ASSERT_TRUE(reader.field_is(2, WireType::kLengthDelimited));
  std::string text = "old";
  reader.ReadBytes(&text);
  EXPECT_EQ(text, "abc");
  EXPECT_FALSE(reader.NextField());
  EXPECT_TRUE(reader.ok());
}

TEST(WireReaderTest, SkipsEveryWireType) {
  EXPECT_EQ(ErrorOf("\x08\x01"
                    "\x11"
                    "12345678"
                    "\x1a\x02hi"
                    "\x23\x28\x07\x33\x08\x01\x34\x24"  // groups 4 and 6, one within the other
                    "\x3d"
                    "1234"_b),
            "");
}

TEST(WireReaderTest, VarintOfTenBytesIsTheLongest) {
  EXPECT_EQ(ErrorOf("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"_b), "");
  EXPECT_EQ(ErrorOf("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"_b),
            "a varint is longer than 10 bytes");
}

TEST(WireReaderTest, NamesWhatIsWrong) {
  EXPECT_EQ(ErrorOf("\x08"_b), "the message ends within a field");
  EXPECT_EQ(ErrorOf("\x08\x80"_b), "the message ends within a field");
  EXPECT_EQ(ErrorOf("\x11zzzzzzz"_b), "the message ends within a field");
  EXPECT_EQ(ErrorOf("\x0a\x05zzzz"_b), "a field is longer than what is left of the message");
  EXPECT_EQ(ErrorOf("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"_b),
            "a field is longer than what is left of the message");
  EXPECT_EQ(ErrorOf("\x0e"_b), "no valid wire type");
  EXPECT_EQ(ErrorOf("\x00\x00"_b), "no valid field number");
  EXPECT_EQ(ErrorOf("\x88\x80\x80\x80\x80\x01\x01"_b), "no valid field number");
  EXPECT_EQ(ErrorOf("\x24"_b), "a group ends that never began");
  EXPECT_EQ(ErrorOf("\x23\x2c"_b), "a group ends with another group's number");
  EXPECT_EQ(ErrorOf("\x23"_b), "the message ends within a field");
  EXPECT_EQ(ErrorOf(Bytes(1000, '\x23')), "groups are nested too deeply");
}

TEST(WireReaderTest, GroupIsNotReadBeyondAFieldThatTakesAllBytes) {
  // The last byte would end the group, but is the value of the field within it.
  const std::vector<absl::string_view> fragments = {"\x23\x0a\x01\x24"};
  WireReader reader(View(fragments));
  ASSERT_TRUE(reader.NextField());
  reader.SkipValue();
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.error_offset(), 4);
}

TEST(WireReaderTest, StaysAtItsEndAfterAnError) {
  const std::vector<absl::string_view> fragments = {"\x0a\x05zz", "\x08\x01"};
  WireReader reader(View(fragments));
  ASSERT_TRUE(reader.NextField());
  std::string text;
  reader.ReadBytes(&text);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.error_offset(), 2);
  EXPECT_EQ(text, "");
  EXPECT_EQ(reader.ReadVarint(), 0u);
  EXPECT_FALSE(reader.NextField());
}

}  // namespace
}  // namespace distbench
