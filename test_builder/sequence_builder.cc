#include "test_builder/sequence_builder.h"

#include <map>
#include <ostream>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/parser.h"
#include "test_builder/attributes.h"
#include "test_builder/driver_choice.h"
#include "test_builder/parameter_values.h"

namespace distbench {
namespace {

constexpr char kPacing[] = "pacing";
constexpr char kExtraContents[] = "extra_test_contents";

void SetPacing(const std::string& pacing, DistributedSystemDescription* test) {
  for (Action& action : *test->mutable_actions()) {
    if (!action.iterations().has_open_loop_interval_ns()) continue;
    action.mutable_iterations()->set_pacing(pacing);
  }
}

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

}  // namespace

// A test on its way.
struct SequenceBuilder::Draft {
  ConfigSpec spec;
  std::vector<NamedValue> point;
  const Pattern* pattern;
  DriverChoice driver;
  ParameterValues values;
  std::string name;
  DistributedSystemDescription config;
};

std::vector<Parameter> ParametersOfAllTests() {
  return {{.name = kPacing,
           .default_text = "",
           .unit = "",
           .help = "How open loops wait for their next start: pacing of the config.",
           .choices = {"sleep", "spin", "hybrid"}},
          {.name = kExtraContents,
           .default_text = "",
           .unit = "",
           .help = "Copied into the test as it stands: more fields of the config.",
           .choices = {}}};
}

absl::StatusOr<std::vector<Parameter>> AllParameters(const Pattern& pattern,
                                                     absl::string_view driver) {
  ASSIGN_OR_RETURN(std::vector<Parameter> all, DriverParameters(driver));
  const std::vector<Parameter> own = pattern.parameters();
  all.insert(all.begin(), own.begin(), own.end());
  absl::c_move(ParametersOfAllTests(), std::back_inserter(all));
  return all;
}

SequenceBuilder::SequenceBuilder(const PatternRegistry& patterns, KnownDrivers drivers,
                                 BuildOptions options)
    : patterns_(patterns), drivers_(std::move(drivers)), options_(std::move(options)) {}

absl::StatusOr<SequenceBuilder::Draft> SequenceBuilder::MakeDraft(
    const ConfigSpec& spec, const std::vector<NamedValue>& point) const {
  Draft draft{.spec = spec,
              .point = point,
              .pattern = nullptr,
              .driver = {.driver = spec.driver, .ip_version = spec.ip_version}};
  ASSIGN_OR_RETURN(draft.pattern, patterns_.Find(spec.pattern));
  ASSIGN_OR_RETURN(const std::vector<Parameter> parameters,
                   AllParameters(*draft.pattern, spec.driver));
  std::vector<NamedValue> given = spec.values;
  given.insert(given.end(), point.begin(), point.end());
  ASSIGN_OR_RETURN(draft.values, ParameterValues::Read(parameters, given));
  draft.name = absl::StrCat(draft.pattern->Alias(draft.values), "-",
                            ProtocolAlias(draft.driver, draft.values),
                            draft.pattern->NameEnding(draft.values));
  return draft;
}

absl::StatusOr<std::vector<SequenceBuilder::Draft>> SequenceBuilder::MakeDrafts(
    const ConfigSpec& spec, const std::vector<Sweep>& sweeps) const {
  std::vector<Draft> drafts;
  for (const std::vector<NamedValue>& point : SweepPoints(sweeps)) {
    absl::StatusOr<Draft> draft = MakeDraft(spec, point);
    if (!draft.ok()) return InSpec(spec, draft.status());
    drafts.push_back(*std::move(draft));
  }
  // A sweep whose values names do not show would give several tests one name: they say it apart.
  size_t repeats = drafts.size();  // of each step of the sweep, one after the other
  for (const Sweep& sweep : sweeps) {
    const size_t steps = sweep.steps.size();
    repeats /= steps;
    const bool is_hidden = steps > 1 && drafts.front().name == drafts[repeats].name;
    for (size_t i = 0; is_hidden && i < drafts.size(); ++i) {
      const std::vector<std::string>& step = sweep.steps[i / repeats % steps];
      for (size_t name = 0; name < step.size(); ++name) {
        absl::StrAppend(&drafts[i].name, "-", sweep.names[name], "_", step[name]);
      }
    }
  }
  return drafts;
}

void SequenceBuilder::Complete(const std::vector<Sweep>& sweeps, Draft* draft) const {
  std::vector<std::string> swept;
  for (const Sweep& sweep : sweeps) absl::c_copy(sweep.names, std::back_inserter(swept));
  const std::string labelled =
      options_.label.empty() ? draft->name : absl::StrCat(options_.label, "-", draft->name);
  SetAttributes({.pattern = draft->pattern->name(),
                 .alias = draft->pattern->Alias(draft->values),
                 .driver = draft->driver,
                 .protocol_alias = ProtocolAlias(draft->driver, draft->values),
                 .test_name = draft->name,
                 .config_label = labelled,
                 .duration_text = options_.duration_text,
                 .duration = options_.duration,
                 .swept = swept},
                draft->values, &draft->config);
  draft->config.set_name(draft->name);
  if (draft->values.Has(kPacing)) SetPacing(draft->values.Text(kPacing), &draft->config);
  *draft->config.add_protocol_driver_options() = DriverOptions(draft->driver, draft->values);
}

absl::StatusOr<BuiltTest> SequenceBuilder::Checked(const Draft& draft,
                                                   std::ostream& warnings) const {
  BuiltTest built;
  built.name = draft.name;
  built.file_stem = absl::StrCat(options_.prefix, draft.config.attributes().at("config_label"));
  RETURN_IF_ERROR(CheckFileStem(built.file_stem));
  built.text = TestText(draft.config, draft.values.Text(kExtraContents), options_.comments);
  ASSIGN_OR_RETURN(TestSequence sequence, ParseTestSequence(built.name, built.text));
  if (sequence.tests_size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(kExtraContents, ": makes ", sequence.tests_size(),
                     " tests of one; leave out what closes the braces of the test"));
  }
  built.config = sequence.tests(0);
  Diagnostics diagnostics;
  CompileSequence(&sequence, drivers_, &diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Diagnostic::Severity::kWarning) continue;
    warnings << "warning: " << diagnostic.ToString() << "\n";
  }
  RETURN_IF_ERROR(diagnostics.ToStatus());
  return built;
}

absl::StatusOr<std::vector<BuiltTest>> SequenceBuilder::Build(const std::vector<ConfigSpec>& specs,
                                                              const std::vector<Sweep>& sweeps,
                                                              std::ostream& warnings) const {
  std::vector<BuiltTest> tests;
  std::map<std::string, std::pair<size_t, std::string>> known;  // position and spec, by name
  for (const ConfigSpec& spec : specs) {
    ASSIGN_OR_RETURN(std::vector<Draft> drafts, MakeDrafts(spec, sweeps));
    for (Draft& draft : drafts) {
      auto config = draft.pattern->Build(draft.values, options_.duration);
      if (!config.ok()) return InSpec(spec, config.status());
      draft.config = *std::move(config);
      Complete(sweeps, &draft);
      absl::StatusOr<BuiltTest> built = Checked(draft, warnings);
      if (!built.ok()) return InSpec(spec, built.status());
      const auto [twin, is_new] =
          known.try_emplace(built->name, std::make_pair(tests.size(), spec.text));
      if (is_new) {
        tests.push_back(*std::move(built));
      } else if (tests[twin->second.first].text != built->text) {
        return absl::InvalidArgumentError(absl::StrCat(
            spec.text, ": the test ", Quoted(built->name), " of ", twin->second.second,
            " has the same name and other contents; sweep what differs, or build them with "
            "different -l:\n",
            FirstDifference(tests[twin->second.first].text, built->text)));
      }
    }
  }
  return tests;
}

}  // namespace distbench
