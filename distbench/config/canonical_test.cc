#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "distbench/config/compile_text.h"
#include "distbench/config/compiler.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/grid_shape.h"
#include "google/protobuf/util/message_differencer.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Canonical {
  DistributedSystemDescription config;
  std::vector<std::string> errors;
};

Canonical CanonicalOf(const std::string& text) {
  Canonical canonical{.config = ParseTest(text), .errors = {}};
  Diagnostics diagnostics;
  Canonicalize(&canonical.config, &diagnostics);
  for (const auto& diagnostic : diagnostics.all())
    canonical.errors.push_back(diagnostic.ToString());
  return canonical;
}

void ExpectCanonical(const std::string& text, const std::string& expected) {
  const Canonical canonical = CanonicalOf(text);
  EXPECT_THAT(canonical.errors, IsEmpty()) << text;
  EXPECT_EQ(canonical.config.ShortDebugString(), ParseTest(expected).ShortDebugString());
  // Canonical form of the canonical form is itself.
  EXPECT_EQ(CanonicalOf(expected).config.ShortDebugString(),
            ParseTest(expected).ShortDebugString());
}

TEST(CanonicalizeTest, ALineGetsItsSizeFromItsCount) {
  ExpectCanonical("services { name: 's' count: 3 }", "services { name: 's' count: 3 x_size: 3 }");
}

TEST(CanonicalizeTest, AServiceWithoutAnyNumberHasOneInstance) {
  ExpectCanonical("services { name: 's' }", "services { name: 's' count: 1 x_size: 1 }");
}

TEST(CanonicalizeTest, AGridGetsItsCountFromItsSizes) {
  ExpectCanonical("services { name: 's' x_size: 2 y_size: 3 z_size: 4 }",
                  "services { name: 's' count: 24 x_size: 2 y_size: 3 z_size: 4 }");
  ExpectCanonical("services { name: 's' x_size: 5 y_size: 1 }",
                  "services { name: 's' count: 5 x_size: 5 y_size: 1 }");
}

TEST(CanonicalizeTest, ActionsStandBehindTheirDependencies) {
  ExpectCanonical(
      R"(actions { name: 'a' dependencies: 'c' } actions { name: 'b' } actions { name: 'c' }
         action_lists { name: 'l' action_names: ['a', 'b', 'c'] })",
      R"(actions { name: 'a' dependencies: 'c' } actions { name: 'b' } actions { name: 'c' }
         action_lists { name: 'l' action_names: ['b', 'c', 'a'] })");
}

TEST(CanonicalizeTest, ListsWithErrorsKeepTheirOrder) {
  for (const char* names : {"'a', 'b', 'missing'", "'a', 'b', 'a'"}) {
    const std::string text =
        absl::StrCat("actions { name: 'a' dependencies: 'b' } actions { name: 'b' }",
                     "action_lists { name: 'l' action_names: [", names, "] }");
    ExpectCanonical(text, text);
  }
  const std::string cycle =
      R"(actions { name: 'a' dependencies: 'b' } actions { name: 'b' dependencies: 'a' }
         action_lists { name: 'l' action_names: ['b', 'a'] })";
  ExpectCanonical(cycle, cycle);
}

struct WrongShape {
  const char* service;
  const char* error;
};

TEST(CanonicalizeTest, NamesTheWrongSize) {
  const WrongShape cases[] = {
      {"count: 0", "services[0].count: service 's': 0 is not positive; set at least 1"},
      {"count: -1", "services[0].count: service 's': -1 is not positive; set at least 1"},
      {"x_size: 0", "services[0].x_size: service 's': 0 is not positive; set at least 1"},
      {"y_size: 2", "services[0].y_size: service 's': `y_size` needs `x_size`; set it too"},
      {"x_size: 2 z_size: 2",
       "services[0].z_size: service 's': `z_size` needs `y_size`; set it too"},
      {"x_size: 2 y_size: 2 count: 5",
       "services[0].count: service 's': 5 is not the product of the sizes, 4; leave `count` out or "
       "set it so"},
      {"count: 2000000000",
       "services[0].count: service 's': 2000000000 is more than the 1000000 instances that a test "
       "may have"},
      {"x_size: 1000000 y_size: 1000000 z_size: 1000000",
       "services[0].x_size: service 's': the sizes make 1000000000000000000 instances, more than "
       "the 1000000 that a test may have"},
  };
  for (const WrongShape& wrong : cases) {
    const std::string text = absl::StrCat("services { name: 's' ", wrong.service, " }");
    const Canonical canonical = CanonicalOf(text);
    EXPECT_THAT(canonical.errors, ElementsAre(wrong.error));
    EXPECT_EQ(canonical.config.ShortDebugString(), ParseTest(text).ShortDebugString());
  }
}

TEST(InstanceNameTest, ShowsAsManyCoordinatesAsThereAreSizes) {
  EXPECT_EQ(InstanceName("s", {.count = 3, .x_size = 3}, 2), "s/2");
  EXPECT_EQ(InstanceName("s", {.count = 6, .dimensions = 2, .x_size = 3, .y_size = 2}, 4), "s/1/1");
  EXPECT_EQ(InstanceName("s", {.count = 3, .dimensions = 2, .x_size = 3}, 2), "s/2/0");
  EXPECT_EQ(InstanceName("s", {.count = 24, .dimensions = 3, .x_size = 2, .y_size = 3, .z_size = 4},
                         1 + 2 * 2 + 3 * 6),
            "s/1/2/3");
}

}  // namespace
}  // namespace distbench
