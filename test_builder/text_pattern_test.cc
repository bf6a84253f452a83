#include "test_builder/text_pattern.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test_builder/patterns/patterns.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kMine[] = R"(# summary: Clients ask servers.
# parameter: client_count=2 instances 1..10 How many clients.
# parameter: rate=0.5 1/s 0.1..10.0 How fast.
# parameter: mode=constant - constant|exponential When.
# parameter: note= - - Any text.
# alias: mine_${client_count}_${mode}
# Any other comment.
services { name: "client" count: ${client_count} }
actions { name: "${note}" iterations { max_duration_us: ${duration_us} } }
)";

absl::StatusOr<std::unique_ptr<Pattern>> Parse(const std::string& contents) {
  return ParseTextPattern("mine", "mine.pattern", contents);
}

std::string ErrorOf(const std::string& contents) {
  return std::string(Parse(contents).status().message());
}

ParameterValues Values(const Pattern& pattern, const std::vector<NamedValue>& given) {
  const auto values = ParameterValues::Read(pattern.parameters(), given);
  EXPECT_TRUE(values.ok()) << values.status();
  return *values;
}

TEST(TextPatternTest, ItsHeadDeclaresIt) {
  const auto pattern = Parse(kMine);
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_EQ((*pattern)->name(), "mine");
  EXPECT_EQ((*pattern)->summary(), "Clients ask servers.");
  const std::vector<Parameter> parameters = (*pattern)->parameters();
  EXPECT_THAT(NamesOf(parameters), ElementsAre("client_count", "rate", "mode", "note"));
  EXPECT_EQ(parameters[0].default_text, "2");
  EXPECT_EQ(parameters[0].unit, "instances");
  EXPECT_EQ(parameters[0].help, "How many clients.");
  EXPECT_EQ(AcceptedValues(parameters[0]), "1 to 10");
  EXPECT_EQ(parameters[0].kind, Parameter::Kind::kInteger);
  EXPECT_EQ(parameters[1].kind, Parameter::Kind::kNumber);
  EXPECT_EQ(AcceptedValues(parameters[2]), "constant|exponential");
  EXPECT_EQ(parameters[2].unit, "");
}

TEST(TextPatternTest, NamesStandForValues) {
  const auto pattern = Parse(kMine);
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  const ParameterValues values = Values(**pattern, {{"client_count", "7"}, {"note", "n"}});
  EXPECT_EQ((*pattern)->Alias(values), "mine_7_constant");
  const auto test = (*pattern)->Build(values, absl::Seconds(2));
  ASSERT_TRUE(test.ok()) << test.status();
  EXPECT_EQ(test->services(0).count(), 7);
  EXPECT_EQ(test->actions(0).name(), "n");
  EXPECT_EQ(test->actions(0).iterations().max_duration_us(), 2'000'000);
}

TEST(TextPatternTest, WithoutAnAliasAllValuesAreInTheName) {
  const auto pattern = Parse("# parameter: a=1 - - A.\n# parameter: b=2 - - B.\nseed: 1");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_EQ((*pattern)->Alias(Values(**pattern, {{"b", "5"}})), "mine_1x5");
}

TEST(TextPatternTest, ErrorsOfTheContentsSayTheirLine) {
  const auto pattern = Parse("# summary: s\n\nservces {}\n");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_THAT((*pattern)->Build(Values(**pattern, {}), absl::Seconds(1)).status().message(),
              AllOf(HasSubstr("mine.pattern:3:"), HasSubstr("services")));
}

TEST(TextPatternTest, WrongDeclarationsAreErrors) {
  EXPECT_THAT(ErrorOf("# parameter: a 1\n"), HasSubstr("mine.pattern:1: a parameter is declared"));
  EXPECT_THAT(ErrorOf("#\n# parameter: a=1 - 3..2 A.\n"),
              HasSubstr("mine.pattern:2: '3..2' is no range"));
  EXPECT_THAT(ErrorOf("# parameter: a=9 - 1..2 A.\n"), HasSubstr("a=9: expected an integer"));
  EXPECT_THAT(ErrorOf("# parameter: a=1 - - A.\n# parameter: a=2 - - A.\n"),
              HasSubstr("'a' already"));
  EXPECT_THAT(ErrorOf("# parameter: count=1 - - A.\n# alias: m_${cuont}\n"),
              AllOf(HasSubstr("${cuont}"), HasSubstr("'count'")));
  EXPECT_THAT(ErrorOf("name: \"${x\""), HasSubstr("mine.pattern:1: ${ without a }"));
  EXPECT_THAT(ErrorOf("# summary: s\n\nseed: 1\nname: \"${x}\""),
              HasSubstr("mine.pattern:4: ${x} is no parameter"));
  EXPECT_THAT(ErrorOf("#\n# alias: ${x}\n"), HasSubstr("mine.pattern:2: ${x} is no parameter"));
}

TEST(TextPatternTest, AFileWithoutContentsIsAnError) {
  for (const char* contents : {"", "\n", "# summary: s", "# summary: s\n\n"}) {
    EXPECT_THAT(ErrorOf(contents), HasSubstr(": the contents of the test are missing")) << contents;
  }
  EXPECT_THAT(ErrorOf("# summary: s\n#"), HasSubstr("mine.pattern:2: "));
}

TEST(TextPatternTest, AnEmptyAliasIsAnError) {
  EXPECT_THAT(ErrorOf("# summary: s\n# alias:\nseed: 1"), HasSubstr("mine.pattern:2: the alias"));
}

TEST(TextPatternTest, SlipsOfDeclarationsAreErrors) {
  for (const char* word :
       {"parameters", "Parameter", "paramter", "param", "ALIAS", "sumary", "parameter "}) {
    EXPECT_THAT(ErrorOf(absl::StrCat("#\n# ", word, ": a=1 - - A.\nseed: 1")),
                AllOf(HasSubstr("mine.pattern:2: "), HasSubstr("declares nothing (did you mean ")));
  }
  for (const char* comment : {"Note: parameters are few", "parameters are few", "See x:y"}) {
    EXPECT_TRUE(Parse(absl::StrCat("# ", comment, "\nseed: 1")).ok()) << comment;
  }
}

TEST(TextPatternTest, NamesThatMeanSomethingElseAreRefused) {
  for (const char* name : {"transport", "threads", "pacing", "test_timeout", "ip_version"}) {
    EXPECT_THAT(ErrorOf(absl::StrCat("#\n# parameter: ", name, "=1 - - A.\n")),
                HasSubstr(absl::StrCat("mine.pattern:2: '", name, "' is a parameter")));
  }
  for (const char* name : {"list", "show", "help", "parameter_sweep"}) {
    EXPECT_THAT(ParseTextPattern(name, "f", "").status().message(),
                HasSubstr("is a word of the command line"));
  }
}

TEST(TextPatternTest, DeclarationsAreInFront) {
  const auto pattern = Parse("# summary: s\n\n# parameter: a=1 - - A.\nseed: ${a}\n");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_THAT(NamesOf((*pattern)->parameters()), ElementsAre("a"));
  EXPECT_THAT(ErrorOf("# summary: s\nseed: 1\n # parameter: a=1 - - A.\n"),
              HasSubstr("mine.pattern:3: declarations stand in front"));
}

TEST(TextPatternTest, ARangeWithoutADecimalPointIsOfIntegers) {
  const auto kind = [](const std::string& range) {
    const auto pattern = Parse("# parameter: a= - " + range + " A.\nseed: 1");
    EXPECT_TRUE(pattern.ok()) << pattern.status();
    return (*pattern)->parameters()[0].kind;
  };
  EXPECT_EQ(kind("1..1e3"), Parameter::Kind::kInteger);
  EXPECT_EQ(kind("-5..5"), Parameter::Kind::kInteger);
  EXPECT_EQ(kind("1e-3..1"), Parameter::Kind::kNumber);
  EXPECT_EQ(kind("1.0..5"), Parameter::Kind::kNumber);
  EXPECT_THAT(ErrorOf("# parameter: a= - 1..inf A.\n"), HasSubstr("is no range"));
}

TEST(TextPatternTest, TheDriverIsTheCommandLines) {
  const auto pattern = Parse("protocol_driver_options { name: 'default_protocol_driver_options' }");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_THAT((*pattern)->Build(Values(**pattern, {}), absl::Seconds(1)).status().message(),
              AllOf(HasSubstr("mine.pattern: "), HasSubstr("leave them out")));
}

TEST(AddTextPatternsTest, AFolderIsReadInOrder) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "patterns";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  PatternRegistry registry = BuiltInPatterns();
  const size_t built_in = registry.all().size();
  EXPECT_THAT(AddTextPatterns(folder.string(), &registry).message(), HasSubstr("no file NAME"));
  for (const char* name : {"b.pattern", "a.pattern", "readme.txt"}) {
    std::ofstream(folder / name) << kMine;
  }
  ASSERT_TRUE(AddTextPatterns(folder.string(), &registry).ok());
  ASSERT_EQ(registry.all().size(), built_in + 2);
  EXPECT_EQ(registry.all()[built_in]->name(), "a");
  EXPECT_THAT(AddTextPatterns(folder.string(), &registry).message(),
              AllOf(HasSubstr("a.pattern"), HasSubstr("'a' already")));
  EXPECT_THAT(AddTextPatterns("/nowhere", &registry).message(), HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace distbench
