#include "test_builder/program.h"

#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/drivers.h"
#include "distbench/cli/expected_duration.h"
#include "distbench/cli/termination_signal.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/node/node_environment.h"
#include "test_builder/cluster_runner.h"
#include "test_builder/config_files.h"
#include "test_builder/config_spec.h"
#include "test_builder/help.h"
#include "test_builder/nodes_needed.h"
#include "test_builder/options.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/result_files.h"
#include "test_builder/sequence_builder.h"
#include "test_builder/sweep_runner.h"
#include "test_builder/test_parameters.h"
#include "test_builder/text_pattern.h"
#include "test_builder/time_left.h"
#include "test_builder/value_file.h"

namespace distbench {
namespace {

class Program {
 public:
  Program(const std::vector<std::string>& command_line, std::ostream& out, std::ostream& err)
      : arguments_(command_line.begin() + 1, command_line.end()), out_(out), err_(err) {}

  // Errors here are those of the command line.
  absl::Status Understand() {
    ASSIGN_OR_RETURN(options_, ParseOptions(arguments_));
    if (!options_.pattern_folder.empty()) {
      RETURN_IF_ERROR(AddTextPatterns(options_.pattern_folder, &patterns_));
    }
    const bool asks_for_help = options_.help || options_.words.empty();
    if (asks_for_help) return UnderstandHelp();
    if (options_.words.front() == "list") return UnderstandList();
    if (options_.words.front() == "show") {
      shows_ = true;
      options_.build.comments = Comments::kExplain;
      options_.words.erase(options_.words.begin());
      RETURN_IF_ERROR(CheckFlagsOf("show", {"t", "l", "pattern_dir"}));
      if (options_.words.size() != 1) return absl::InvalidArgumentError("show needs one CONFIG");
    }
    return Build();
  }

  absl::Status Run() {
    if (!text_.empty()) out_ << text_;
    if (tests_.empty()) return absl::OkStatus();
    if (shows_) return Show();
    const std::string& folder = options_.folder;
    if (!folder.empty()) RETURN_IF_ERROR(CheckConfigs(folder, tests_));
    if (options_.dry_run) return TellPlan();
    if (folder.empty()) {
      out_ << SequenceText(ProducedBy(arguments_), tests_) << std::flush;
      return absl::OkStatus();
    }
    std::vector<std::string> stems;
    for (const BuiltTest& test : tests_) stems.push_back(test.file_stem);
    ASSIGN_OR_RETURN(const std::unique_ptr<ResultFiles> files, ResultFiles::Open(folder, stems));
    if (options_.sequencer.has_value()) return RunOnCluster(*files);
    RETURN_IF_ERROR(FindComplete(tests_, folder, err_).status());
    return WriteFiles(*files);
  }

 private:
  absl::Status UnderstandHelp() {
    if (!options_.help) {
      return absl::InvalidArgumentError("no config; `list` shows the patterns");
    }
    if (options_.words.empty()) {
      text_ = ProgramHelp(patterns_);
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(text_, HelpOn(options_.words, patterns_));
    return absl::OkStatus();
  }

  // That no flag is given in vain.
  absl::Status CheckFlagsOf(absl::string_view word, const std::vector<std::string>& flags) const {
    for (const std::string& flag : options_.flags) {
      if (absl::c_linear_search(flags, flag)) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(word, " makes nothing of ", DashedFlag(flag), "; leave it out"));
    }
    return absl::OkStatus();
  }

  absl::Status UnderstandList() {
    RETURN_IF_ERROR(CheckFlagsOf("list", {"pattern_dir"}));
    if (!options_.sweeps.empty()) return absl::InvalidArgumentError("list takes no sweeps");
    if (options_.words.size() > 1) return absl::InvalidArgumentError("list takes no words");
    text_ = PatternList(patterns_);
    return absl::OkStatus();
  }

  absl::Status Build() {
    for (const std::string& word : options_.words) {
      ASSIGN_OR_RETURN(ConfigSpec spec, ParseConfigSpec(word, ReadValueFile));
      specs_.push_back(std::move(spec));
    }
    const std::unique_ptr<DriverRegistry> drivers = MakeDriverRegistry({.shards = 1});
    const SequenceBuilder builder(patterns_, KnownDriversOf(*drivers), options_.build);
    ASSIGN_OR_RETURN(tests_, builder.Build(specs_, options_.sweeps, err_));
    return absl::OkStatus();
  }

  absl::Status Show() {
    const ConfigSpec& spec = specs_.front();
    ASSIGN_OR_RETURN(const Pattern* const pattern, patterns_.Find(spec.pattern));
    ASSIGN_OR_RETURN(const std::vector<Parameter> parameters, AllParameters(*pattern, spec.driver));
    out_ << "# " << pattern->name() << ": " << pattern->summary() << "\n#\n"
         << ParameterHelp(parameters, "#   ") << SequenceText("", tests_);
    return absl::OkStatus();
  }

  absl::Status TellPlan() {
    std::vector<bool> is_complete(tests_.size(), false);
    if (!options_.folder.empty()) {
      ASSIGN_OR_RETURN(is_complete, FindComplete(tests_, options_.folder, err_));
    }
    absl::Duration left = absl::ZeroDuration();
    for (size_t i = 0; i < tests_.size(); ++i) {
      const absl::Duration time = ExpectedDuration(tests_[i].config);
      if (!is_complete[i]) left += time + kUsualTimeAroundTest;
      out_ << tests_[i].file_stem << ": " << MinutesAndSeconds(time) << ", "
           << NodesNeeded(tests_[i].config) << " nodes" << (is_complete[i] ? ", has a result" : "")
           << "\n";
    }
    out_ << tests_.size() << " tests, " << absl::c_count(is_complete, true)
         << " with a result, about " << MinutesAndSeconds(left) << " to run\n";
    return absl::OkStatus();
  }

  absl::Status WriteFiles(ResultFiles& files) {
    return WriteConfigs(ProducedBy(arguments_), tests_, FilePrefix(options_.build), files);
  }

  absl::Status RunOnCluster(ResultFiles& files) {
    TerminationSignal termination;
    ClusterRunner runner(*options_.sequencer, termination);
    SweepRunOptions options;
    options.is_stopped = [&termination] { return termination.requested(); };
    ASSIGN_OR_RETURN(const auto is_complete, FindComplete(tests_, files.folder(), err_, options));
    RETURN_IF_ERROR(WriteFiles(files));
    return RunSweep(tests_, is_complete, runner, files, out_, err_, options);
  }

  const std::vector<std::string> arguments_;
  std::ostream& out_;
  std::ostream& err_;
  PatternRegistry patterns_ = BuiltInPatterns();
  Options options_;
  bool shows_ = false;
  std::string text_;  // to print
  std::vector<ConfigSpec> specs_;
  std::vector<BuiltTest> tests_;
};

}  // namespace

ExitCode RunTestBuilder(const std::vector<std::string>& command_line, std::ostream& out,
                        std::ostream& err) {
  Program program(command_line, out, err);
  if (const absl::Status understood = program.Understand(); !understood.ok()) {
    err << "test_builder: " << understood.message() << "\nTry: test_builder -h\n";
    return ExitCode::kUsage;
  }
  absl::Status status = program.Run();
  if (!out.flush()) {
    status.Update(absl::InvalidArgumentError("cannot write all of it to standard output"));
  }
  if (!status.ok()) err << "test_builder: " << status.message() << "\n";
  return ExitCodeOf(status);
}

}  // namespace distbench
