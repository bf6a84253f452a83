#include "test_builder/test_parameters.h"

#include <cstdint>
#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/text_config.h"
#include "test_builder/attributes.h"
#include "test_builder/driver_choice.h"

namespace distbench {
namespace {

constexpr char kPacing[] = "pacing";
constexpr char kMaxSamples[] = "max_rpc_samples";
constexpr char kExtraContents[] = "extra_test_contents";
constexpr double kMaxSamplesKept = 1e12;

absl::Status SetPacing(const std::string& pacing, DistributedSystemDescription* test) {
  bool is_used = false;
  for (Action& action : *test->mutable_actions()) {
    if (!action.iterations().has_open_loop_interval_ns()) continue;
    action.mutable_iterations()->set_pacing(pacing);
    is_used = true;
  }
  if (is_used) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      kPacing, "=", pacing,
      ": the pattern has no open loop, and nothing else waits for its next start; leave it out"));
}

// Names of parameters of any driver.
std::vector<std::string> DriverParameterNames() {
  std::vector<std::string> names;
  for (const std::string& driver : DriverNames()) {
    const auto parameters = DriverParameters(driver);
    if (parameters.ok()) absl::c_move(NamesOf(*parameters), std::back_inserter(names));
  }
  return names;
}

// One a line; lines are those of the contents, in front of which there are so many of the text.
absl::Status InExtraContents(const TextErrors& errors, int lines_before) {
  std::string problems;
  for (const TextError& error : errors) {
    absl::StrAppend(&problems, problems.empty() ? "" : "\n", kExtraContents, ":",
                    error.line - lines_before, ":", error.column, ": ", error.message);
  }
  return problems.empty() ? absl::OkStatus() : absl::InvalidArgumentError(problems);
}

}  // namespace

std::vector<Parameter> ParametersOfAllTests() {
  return {{.name = kPacing,
           .help = "How open loops wait for their next start: pacing of the config.",
           .choices = {"sleep", "spin", "hybrid"}},
          {.name = kMaxSamples,
           .unit = "RPCs",
           .help = "How many of each action list and instance the result keeps, drawn evenly; 0: "
                   "all. Figures are of all in any case.",
           .kind = Parameter::Kind::kInteger,
           .least = 0,
           .greatest = kMaxSamplesKept},
          {.name = kExtraContents,
           .help = "Copied into the test as it stands: more fields of the config."}};
}

absl::StatusOr<std::vector<Parameter>> AllParameters(const Pattern& pattern,
                                                     absl::string_view driver) {
  std::vector<Parameter> all = pattern.parameters();
  absl::c_move(ParametersOfAllTests(), std::back_inserter(all));
  absl::StatusOr<std::vector<Parameter>> of_driver = DriverParameters(driver);
  if (of_driver.ok()) {
    absl::c_move(*std::move(of_driver), std::back_inserter(all));
    return all;
  }
  if (!absl::c_linear_search(NamesOf(all), driver) &&
      !absl::c_linear_search(DriverParameterNames(), driver)) {
    return of_driver.status();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      Quoted(driver), " is a parameter, not a driver; it needs a value: ", driver, "=VALUE"));
}

std::vector<std::string> TakenNames() {
  std::vector<std::string> names = DriverParameterNames();
  absl::c_move(NamesOf(ParametersOfAllTests()), std::back_inserter(names));
  absl::c_move(LabelNames(), std::back_inserter(names));
  return names;
}

absl::Status ApplyToTest(const ParameterValues& values, DistributedSystemDescription* test) {
  if (values.Has(kPacing)) RETURN_IF_ERROR(SetPacing(values.Text(kPacing), test));
  if (!values.Has(kMaxSamples)) return absl::OkStatus();
  for (ActionList& list : *test->mutable_action_lists()) {
    list.set_max_rpc_samples(values.Integer(kMaxSamples));
  }
  return absl::OkStatus();
}

const std::string& ExtraContents(const ParameterValues& values) {
  return values.Text(kExtraContents);
}

absl::StatusOr<DistributedSystemDescription> ReadTestText(const std::string& text,
                                                          const std::string& extra_contents) {
  // Alone first: a brace of theirs may end the test.
  DistributedSystemDescription extra;
  RETURN_IF_ERROR(InExtraContents(ParseTextConfig(extra_contents, extra), 0));
  TestSequence sequence;
  const TextErrors errors = ParseTextConfig(text, sequence);
  const size_t begin = text.rfind(extra_contents);
  const auto lines_before =
      static_cast<int>(absl::c_count(absl::string_view(text).substr(0, begin), '\n'));
  RETURN_IF_ERROR(InExtraContents(errors, lines_before));
  return std::move(*sequence.mutable_tests(0));
}

}  // namespace distbench
