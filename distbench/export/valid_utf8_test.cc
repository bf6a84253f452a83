#include "distbench/export/valid_utf8.h"

#include <string>

#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr char kReplacement[] = "\xef\xbf\xbd";

TEST(ValidUtf8Test, ValidTextStays) {
  const std::string text = "a \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \x7f";
  EXPECT_EQ(ValidUtf8(text), text);
  EXPECT_EQ(ValidUtf8(std::string(1, '\0')), std::string(1, '\0'));
}

TEST(ValidUtf8Test, BytesOfNoCharacterAreReplacedOneByOne) {
  const std::string r = kReplacement;
  EXPECT_EQ(ValidUtf8("a\xff"
                      "b"),
            "a" + r + "b");
  EXPECT_EQ(ValidUtf8("\x80"), r);
  EXPECT_EQ(ValidUtf8("\xe2\x82"), r + r);                  // cut short
  EXPECT_EQ(ValidUtf8("\xc0\xaf"), r + r);                  // longer than needed
  EXPECT_EQ(ValidUtf8("\xed\xa0\x80"), r + r + r);          // a surrogate
  EXPECT_EQ(ValidUtf8("\xf4\x90\x80\x80"), r + r + r + r);  // beyond the last character
}

TEST(ValidUtf8Test, EveryStringOfAMessageIsMadeValid) {
  TestResult test;
  test.add_log_summary("\xff");
  (*test.mutable_traffic_config()->mutable_attributes())["k\xff"] = "\xff";
  (*test.mutable_service_logs()->mutable_instance_logs())["client/0"].set_engine_error_message(
      "\xff");
  MakeValidUtf8(&test);
  EXPECT_EQ(test.log_summary(0), kReplacement);
  EXPECT_EQ(test.traffic_config().attributes().at(std::string("k") + kReplacement), kReplacement);
  EXPECT_EQ(test.service_logs().instance_logs().at("client/0").engine_error_message(),
            kReplacement);
}

}  // namespace
}  // namespace distbench
