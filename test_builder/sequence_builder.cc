#include "test_builder/sequence_builder.h"

#include <iterator>
#include <ostream>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"
#include "test_builder/attributes.h"
#include "test_builder/driver_choice.h"
#include "test_builder/parameter_values.h"
#include "test_builder/test_parameters.h"

namespace distbench {
namespace {

absl::Status InSpec(const ConfigSpec& spec, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(spec.text, ": ", status.message()));
}

// A name of a file, which is not a path.
absl::Status CheckFileStem(const std::string& stem) {
  const bool is_good =
      absl::c_none_of(stem, [](char c) { return c == '/' || static_cast<unsigned char>(c) < ' '; });
  if (is_good && stem.size() < 200) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(stem), " cannot be the name of a file: it has ",
                   is_good ? "200 characters or more" : "a slash or a control character",
                   "; choose another -c or -l, or other values of the parameters that it shows"));
}

// What a spec names.
struct Source {
  const ConfigSpec& spec;
  const Pattern& pattern;
  DriverChoice driver;
  std::vector<Parameter> parameters;
};

// A test on its way.
struct Draft {
  ParameterValues values;
  std::string alias;
  std::string protocol_alias;
  std::string name;
};

absl::StatusOr<Source> SourceOf(const ConfigSpec& spec, const PatternRegistry& patterns) {
  ASSIGN_OR_RETURN(const Pattern* const pattern, patterns.Find(spec.pattern));
  ASSIGN_OR_RETURN(std::vector<Parameter> parameters, AllParameters(*pattern, spec.driver));
  return Source{.spec = spec,
                .pattern = *pattern,
                .driver = {.driver = spec.driver, .ip_version = spec.ip_version},
                .parameters = std::move(parameters)};
}

absl::StatusOr<Draft> MakeDraft(const Source& source, const std::vector<NamedValue>& point) {
  std::vector<NamedValue> given = source.spec.values;
  given.insert(given.end(), point.begin(), point.end());
  Draft draft;
  ASSIGN_OR_RETURN(draft.values, ParameterValues::Read(source.parameters, given));
  draft.alias = source.pattern.Alias(draft.values);
  draft.protocol_alias = ProtocolAlias(source.driver, draft.values);
  draft.name =
      absl::StrCat(draft.alias, "-", draft.protocol_alias, source.pattern.NameEnding(draft.values));
  return draft;
}

// Whether two tests that differ only in one sweep have the same name. Its steps follow each other
// after so many `repeats` of each.
bool IsHidden(const std::vector<Draft>& drafts, size_t steps, size_t repeats) {
  for (size_t first = 0; first < drafts.size(); ++first) {
    if (first / repeats % steps != 0) continue;
    std::set<absl::string_view> names;
    for (size_t step = 0; step < steps; ++step) {
      if (!names.insert(drafts[first + step * repeats].name).second) return true;
    }
  }
  return false;
}

// What a name says of a swept parameter: its value, or the file that holds it.
std::string Ending(const std::string& name, const SweptValue& swept,
                   const ParameterValues& values) {
  const std::string& shown =
      swept.file.empty() ? values.Text(name) : swept.file.substr(swept.file.rfind('/') + 1);
  return absl::StrCat("-", name, "_", shown);
}

// A sweep whose values names do not show would give several tests one name: they say it apart.
void NameHiddenSweeps(const std::vector<Sweep>& sweeps, std::vector<Draft>* drafts) {
  size_t repeats = drafts->size();
  for (const Sweep& sweep : sweeps) {
    const size_t steps = sweep.steps.size();
    repeats /= steps;
    if (!IsHidden(*drafts, steps, repeats)) continue;
    for (size_t i = 0; i < drafts->size(); ++i) {
      const std::vector<SweptValue>& step = sweep.steps[i / repeats % steps];
      Draft& draft = (*drafts)[i];
      for (size_t name = 0; name < step.size(); ++name) {
        absl::StrAppend(&draft.name, Ending(sweep.names[name], step[name], draft.values));
      }
    }
  }
}

std::string Canonical(const std::string& name, const std::string& value,
                      const std::vector<Parameter>& parameters) {
  const auto found = absl::c_find_if(
      parameters, [&](const Parameter& parameter) { return parameter.name == name; });
  return found == parameters.end() ? value : CanonicalValue(*found, value);
}

// The sweeps with each step once, however its values are written and wherever they are from.
std::vector<Sweep> WithoutTwins(const std::vector<Sweep>& sweeps,
                                const std::vector<Parameter>& parameters) {
  std::vector<Sweep> single;
  for (const Sweep& sweep : sweeps) {
    single.push_back({.names = sweep.names, .steps = {}});
    std::set<std::vector<std::string>> known;
    for (const std::vector<SweptValue>& step : sweep.steps) {
      std::vector<std::string> values;
      for (size_t i = 0; i < step.size(); ++i) {
        values.push_back(Canonical(sweep.names[i], step[i].value, parameters));
      }
      if (known.insert(std::move(values)).second) single.back().steps.push_back(step);
    }
  }
  return single;
}

absl::StatusOr<std::vector<Draft>> MakeDrafts(const Source& source,
                                              const std::vector<Sweep>& sweeps) {
  std::vector<Draft> drafts;
  const size_t points = CountPoints(sweeps);
  for (size_t point = 0; point < points; ++point) {
    ASSIGN_OR_RETURN(Draft draft, MakeDraft(source, SweepPoint(sweeps, point)));
    drafts.push_back(std::move(draft));
  }
  NameHiddenSweeps(sweeps, &drafts);
  return drafts;
}

// The test with its name, its attributes and its driver.
absl::StatusOr<DistributedSystemDescription> ConfigOf(const Source& source, const Draft& draft,
                                                      const std::vector<Sweep>& sweeps,
                                                      const BuildOptions& options) {
  ASSIGN_OR_RETURN(DistributedSystemDescription config,
                   source.pattern.Build(draft.values, options.duration));
  std::vector<std::string> swept;
  for (const Sweep& sweep : sweeps) absl::c_copy(sweep.names, std::back_inserter(swept));
  SetAttributes(
      {.pattern = source.pattern.name(),
       .alias = draft.alias,
       .driver = source.driver,
       .protocol_alias = draft.protocol_alias,
       .test_name = draft.name,
       .config_label =
           options.label.empty() ? draft.name : absl::StrCat(options.label, "-", draft.name),
       .duration_text = options.duration_text,
       .duration = options.duration,
       .swept = swept},
      draft.values, &config);
  config.set_name(draft.name);
  RETURN_IF_ERROR(ApplyToTest(draft.values, &config));
  *config.add_protocol_driver_options() = DriverOptions(source.driver, draft.values);
  return config;
}

}  // namespace

std::string FilePrefix(const BuildOptions& options) {
  return absl::StrCat(options.prefix, options.label, options.label.empty() ? "" : "-");
}

SequenceBuilder::SequenceBuilder(const PatternRegistry& patterns, KnownDrivers drivers,
                                 BuildOptions options)
    : patterns_(patterns), drivers_(std::move(drivers)), options_(std::move(options)) {}

absl::StatusOr<BuiltTest> SequenceBuilder::Checked(const DistributedSystemDescription& config,
                                                   const std::string& extra_contents,
                                                   std::ostream& warnings) const {
  BuiltTest built;
  built.name = config.name();
  built.file_stem = absl::StrCat(FilePrefix(options_), built.name);
  RETURN_IF_ERROR(CheckFileStem(built.file_stem));
  built.text = TestText(config, extra_contents, options_.comments);
  absl::StatusOr<DistributedSystemDescription> written = ReadTestText(built.text, extra_contents);
  if (!written.ok()) {
    return absl::Status(written.status().code(), absl::StrCat("test ", Quoted(built.name), ", ",
                                                              written.status().message()));
  }
  built.config = *std::move(written);
  TestSequence sequence;
  *sequence.add_tests() = built.config;
  Diagnostics diagnostics;
  CompileSequence(&sequence, drivers_, &diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Diagnostic::Severity::kWarning) continue;
    warnings << "warning: " << diagnostic.ToString() << "\n";
  }
  RETURN_IF_ERROR(diagnostics.ToStatus());
  return built;
}

absl::Status SequenceBuilder::BuildSpec(const ConfigSpec& spec, const std::vector<Sweep>& sweeps,
                                        std::ostream& warnings, Built* built) const {
  ASSIGN_OR_RETURN(const Source source, SourceOf(spec, patterns_));
  ASSIGN_OR_RETURN(const std::vector<Draft> drafts,
                   MakeDrafts(source, WithoutTwins(sweeps, source.parameters)));
  for (const Draft& draft : drafts) {
    ASSIGN_OR_RETURN(const DistributedSystemDescription config,
                     ConfigOf(source, draft, sweeps, options_));
    ASSIGN_OR_RETURN(BuiltTest test, Checked(config, ExtraContents(draft.values), warnings));
    const auto [twin, is_new] =
        built->known.try_emplace(test.name, Known{built->tests.size(), spec.text});
    if (is_new) {
      built->tests.push_back(std::move(test));
      continue;
    }
    const BuiltTest& other = built->tests[twin->second.position];
    if (other.text == test.text) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "the test ", Quoted(test.name), " of ", twin->second.spec,
        " has the same name and other contents; sweep what differs, or build them with different "
        "-l:\n",
        FirstDifference(other.text, test.text)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<BuiltTest>> SequenceBuilder::Build(const std::vector<ConfigSpec>& specs,
                                                              const std::vector<Sweep>& sweeps,
                                                              std::ostream& warnings) const {
  Built built;
  for (const ConfigSpec& spec : specs) {
    const absl::Status status = BuildSpec(spec, sweeps, warnings, &built);
    if (!status.ok()) return InSpec(spec, status);
  }
  return std::move(built.tests);
}

}  // namespace distbench
