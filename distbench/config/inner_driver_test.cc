// Drivers that hold other drivers, as configs name them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_text.h"
#include "distbench/config/compiler.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/plan.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// `fake`, and `twin`, which holds the driver that its setting `next` names.
KnownDrivers FakeAndTwin() {
  KnownDrivers drivers = DriversForTest();
  drivers.names = {"fake", "twin"};
  drivers.inner_setting = [](const std::string& protocol) {
    return std::string(protocol == "twin" ? "next" : "");
  };
  return drivers;
}

struct Compiled {
  std::shared_ptr<const Plan> plan;
  std::vector<std::string> errors;
};

// A service that uses the entry `e`, and `entries`.
Compiled Compile(const std::string& entries) {
  Diagnostics diagnostics;
  const DistributedSystemDescription config = ParseTest(absl::StrCat(
      "services { name: 's' protocol_driver_options_name: 'e' } action_lists { name: 's' } "
      "default_protocol: 'fake' ",
      entries));
  Compiled compiled = {.plan = CompileTest(config, FakeAndTwin(), &diagnostics), .errors = {}};
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    compiled.errors.push_back(absl::StrCat(diagnostic.field_path, ": ", diagnostic.message));
  }
  return compiled;
}

// An entry of a twin, with a setting that names what it holds.
std::string Twin(const std::string& name, const std::string& next, const std::string& more = "") {
  return absl::StrCat("protocol_driver_options { name: '", name,
                      "' protocol_name: 'twin' server_settings { name: 'next' string_value: '",
                      next, "' } ", more, " } ");
}

// The options of the only service's driver.
std::string OptionsOf(const Compiled& compiled) {
  EXPECT_THAT(compiled.errors, IsEmpty());
  return compiled.plan->services[ServiceIndex(0)].driver_options->inner_driver().ShortDebugString();
}

TEST(InnerDriverTest, ADriverIsNamedByEitherSide) {
  EXPECT_EQ(OptionsOf(Compile(Twin("e", "fake"))), "protocol_name: \"fake\"");
  EXPECT_EQ(OptionsOf(Compile("protocol_driver_options { name: 'e' protocol_name: 'twin' "
                              "client_settings { name: 'next' string_value: 'fake' } }")),
            "protocol_name: \"fake\"");
  EXPECT_EQ(OptionsOf(Compile(
                Twin("e", "fake", "client_settings { name: 'next' string_value: 'fake' }"))),
            "protocol_name: \"fake\"");
}

TEST(InnerDriverTest, AnEntryBringsItsOwnSettingsAndAliases) {
  const Compiled compiled = Compile(
      Twin("e", "near") +
      "protocol_driver_options { name: 'near' protocol_name: 'far' "
      "  server_settings { name: 'a' int64_value: 1 } } "
      "protocol_driver_options { name: 'far' protocol_name: 'fake' "
      "  server_settings { name: 'a' int64_value: 2 } client_settings { name: 'b' int64_value: 3 } "
      "}");
  EXPECT_EQ(OptionsOf(compiled),
            "name: \"near\" protocol_name: \"fake\" "
            "server_settings { name: \"a\" int64_value: 1 } "
            "client_settings { name: \"b\" int64_value: 3 }");
}

TEST(InnerDriverTest, TheNetworkIsTheHoldersUnlessTheInnerDriverSaysOtherwise) {
  EXPECT_EQ(OptionsOf(Compile(Twin("e", "fake", "netdev_name: 'eth1' ip_version: 6"))),
            "protocol_name: \"fake\" netdev_name: \"eth1\" ip_version: 6");
  EXPECT_EQ(OptionsOf(Compile(Twin("e", "i", "netdev_name: 'eth1' ip_version: 6") +
                              "protocol_driver_options { name: 'i' ip_version: 4 }")),
            "name: \"i\" protocol_name: \"fake\" netdev_name: \"eth1\" ip_version: 4");
}

TEST(InnerDriverTest, FourHoldersAreAllowed) {
  const std::string four =
      Twin("e", "e2") + Twin("e2", "e3") + Twin("e3", "e4") + Twin("e4", "fake");
  const Compiled compiled = Compile(four);
  ASSERT_THAT(compiled.errors, IsEmpty());
  const ProtocolDriverOptions& options = *compiled.plan->services[ServiceIndex(0)].driver_options;
  EXPECT_EQ(options.inner_driver().inner_driver().inner_driver().inner_driver().protocol_name(),
            "fake");
  for (const std::string& five : {Twin("five", "e") + four, four + Twin("five", "e")}) {
    EXPECT_THAT(Compile(five).errors,
                testing::Contains(HasSubstr("more than 4 drivers hold each other")));
  }
}

TEST(InnerDriverTest, LongChainsAreRefusedWithoutGoingDown) {
  std::string chain;
  for (int i = 0; i < 3000; ++i) {
    chain += Twin(absl::StrCat("c", i), absl::StrCat("c", i + 1));
  }
  EXPECT_EQ(Compile(Twin("e", "c0") + chain + Twin("c3000", "fake")).plan, nullptr);
}

TEST(InnerDriverTest, WhatIsWrongIsToldAtItsPlace) {
  EXPECT_THAT(Compile(Twin("e", "fakes")).errors,
              ElementsAre("protocol_driver_options[0].server_settings[0]: 'fakes' is neither a "
                          "driver nor an entry of protocol_driver_options (did you mean 'fake'?)"));
  EXPECT_THAT(Compile("protocol_driver_options { name: 'e' protocol_name: 'twin' }").errors,
              ElementsAre("protocol_driver_options[0]: the driver twin holds another one; name it "
                          "in the setting 'next' of server_settings"));
  EXPECT_THAT(Compile("protocol_driver_options { name: 'e' protocol_name: 'twin' "
                      "server_settings { name: 'next' int64_value: 3 } }")
                  .errors,
              ElementsAre("protocol_driver_options[0].server_settings[0]: 'next' needs a "
                          "string_value: a driver, or an entry of protocol_driver_options"));
  EXPECT_THAT(
      Compile(Twin("e", "fake", "client_settings { name: 'next' string_value: 'twin' }")).errors,
      ElementsAre("protocol_driver_options[0].client_settings[0]: 'next' is 'twin' here and 'fake' "
                  "in server_settings; give it once"));
  EXPECT_THAT(Compile(Twin("e", "i") + "protocol_driver_options { name: 'i' protocol_name: 'fake' "
                                       "server_settings { name: 'bad' int64_value: 3 } }")
                  .errors,
              ElementsAre("protocol_driver_options[1]: fake has no setting bad"));
  EXPECT_THAT(Compile("protocol_driver_options { name: 'e' inner_driver { } }").errors,
              ElementsAre(HasSubstr("protocol_driver_options[0].inner_driver: this field is the "
                                    "program's own")));
}

TEST(InnerDriverTest, ADriverThatHoldsItselfIsRefusedOnce) {
  EXPECT_THAT(Compile(Twin("e", "e")).errors,
              ElementsAre("protocol_driver_options[0].server_settings[0]: 'e' would hold itself; "
                          "name another driver or entry"));
  EXPECT_THAT(Compile(Twin("e", "f") + Twin("f", "e")).errors,
              ElementsAre("protocol_driver_options[1].server_settings[0]: 'e' would hold itself; "
                          "name another driver or entry"));
}

}  // namespace
}  // namespace distbench
