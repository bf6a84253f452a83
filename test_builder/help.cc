#include "test_builder/help.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/exit_code.h"
#include "test_builder/config_spec.h"
#include "test_builder/driver_choice.h"
#include "test_builder/options.h"
#include "test_builder/test_parameters.h"

namespace distbench {
namespace {

constexpr char kUsage[] =
    "Usage: test_builder [FLAG ...] [parameter_sweep ...] CONFIG ...\n"
    "       test_builder list\n"
    "       test_builder show CONFIG\n"
    "       test_builder -h [PATTERN ...]\n"
    "\n"
    "Makes traffic configs from patterns, and runs them.\n"
    "\n"
    "CONFIG is PATTERN[:DRIVER][:ipv4|:ipv6][:NAME=VALUE...]. A VALUE that begins with < is read\n"
    "from the file of that name. `list` shows the patterns, `show` a config with comments.\n"
    "\n"
    "parameter_sweep makes a test for each value:\n"
    "  parameter_sweep NAME[,NAME...] START STEP END   STEP is added, or multiplied if it is "
    "xSTEP\n"
    "  parameter_sweep NAME[,NAME...] VALUE,VALUE,...  these values\n"
    "  parameter_sweep NAME,NAME... VALUE/VALUE,...    these values together, one for each NAME\n"
    "Several names change together; several sweeps are combined.\n";

std::string Accepted(const Parameter& parameter) {
  const std::string values = AcceptedValues(parameter);
  if (parameter.unit.empty() && values.empty()) return "";
  const char* const separator = parameter.unit.empty() || values.empty() ? "" : ", ";
  return absl::StrCat(" (", parameter.unit, separator, values, ")");
}

std::string HelpOnAllTests() {
  return absl::StrCat("Every pattern:\n", ParameterHelp(ParametersOfAllTests(), "    "));
}

// Empty if there is no such driver.
std::string DriverHelp(const std::string& driver) {
  const auto parameters = DriverParameters(driver);
  if (!parameters.ok()) return "";
  return absl::StrCat(driver, "\n", ParameterHelp(*parameters, "    "));
}

void AppendNew(const std::string& name, std::vector<std::string>* names) {
  if (!absl::c_linear_search(*names, name)) names->push_back(name);
}

}  // namespace

std::string ParameterHelp(const std::vector<Parameter>& parameters, const std::string& indent) {
  std::string text;
  for (const Parameter& parameter : parameters) {
    absl::StrAppend(&text, indent, parameter.name, "=", parameter.default_text, Accepted(parameter),
                    "  ", parameter.help, "\n");
  }
  return text;
}

std::string PatternHelp(const Pattern& pattern) {
  return absl::StrCat(pattern.name(), "\n  ", pattern.summary(), "\n",
                      ParameterHelp(pattern.parameters(), "    "));
}

absl::StatusOr<std::string> HelpOn(const std::vector<std::string>& words,
                                   const PatternRegistry& patterns) {
  std::vector<std::string> parts;
  std::vector<std::string> drivers;
  bool has_pattern = false;
  for (const std::string& word : words) {
    if (absl::c_linear_search(kCommandWords, word)) {
      AppendNew(kUsage, &parts);
      continue;
    }
    if (!DriverHelp(word).empty()) {
      AppendNew(word, &drivers);
      continue;
    }
    // As in a config, whose values do not matter here.
    ASSIGN_OR_RETURN(const ConfigSpec spec,
                     ParseConfigSpec(word, [](const std::string&) { return std::string(); }));
    ASSIGN_OR_RETURN(const Pattern* const pattern, patterns.Find(spec.pattern));
    RETURN_IF_ERROR(AllParameters(*pattern, spec.driver).status());
    has_pattern = true;
    AppendNew(PatternHelp(*pattern), &parts);
    AppendNew(spec.driver, &drivers);
  }
  if (has_pattern) parts.push_back(HelpOnAllTests());
  for (const std::string& driver : drivers) parts.push_back(DriverHelp(driver));
  return absl::StrJoin(parts, "\n");
}

std::string PatternList(const PatternRegistry& patterns) {
  size_t width = 0;
  for (const auto& pattern : patterns.all()) width = std::max(width, pattern->name().size());
  std::string text;
  for (const auto& pattern : patterns.all()) {
    absl::StrAppend(&text, absl::StrFormat("%-*s  %s\n", static_cast<int>(width), pattern->name(),
                                           pattern->summary()));
  }
  return text;
}

std::string ProgramHelp(const PatternRegistry& patterns) {
  std::string text =
      absl::StrCat(kUsage, "\nFlags:\n", FlagHelp(), "\nPatterns, with their parameters:\n");
  for (const auto& pattern : patterns.all()) {
    absl::StrAppend(&text, "\n", PatternHelp(*pattern));
  }
  absl::StrAppend(&text, "\n", HelpOnAllTests(),
                  "\nDrivers, with their parameters (grpc if none is named):\n");
  for (const std::string& driver : DriverNames()) {
    absl::StrAppend(&text, "\n", DriverHelp(driver));
  }
  return absl::StrCat(text, "\n", kExitCodeHelp);
}

}  // namespace distbench
