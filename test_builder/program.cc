#include "test_builder/program.h"

#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/drivers.h"
#include "distbench/cli/expected_duration.h"
#include "distbench/cli/termination_signal.h"
#include "distbench/cli/user_file.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/node/node_environment.h"
#include "test_builder/cluster_runner.h"
#include "test_builder/config_files.h"
#include "test_builder/config_spec.h"
#include "test_builder/help.h"
#include "test_builder/options.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/result_files.h"
#include "test_builder/sequence_builder.h"
#include "test_builder/sequence_runner.h"
#include "test_builder/text_pattern.h"
#include "test_builder/time_left.h"

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
    ASSIGN_OR_RETURN(const std::unique_ptr<ResultFiles> files, ResultFiles::Open(folder));
    RETURN_IF_ERROR(WriteConfigs(ProducedBy(arguments_), tests_, folder, *files));
    if (!options_.sequencer.has_value()) return absl::OkStatus();
    return RunOnCluster(*files);
  }

 private:
  absl::Status UnderstandHelp() {
    if (!options_.help) {
      return absl::InvalidArgumentError("no config; `list` shows the patterns");
    }
    if (options_.words.empty()) text_ = ProgramHelp(patterns_);
    for (const std::string& name : options_.words) {
      ASSIGN_OR_RETURN(const Pattern* const pattern, patterns_.Find(name));
      absl::StrAppend(&text_, PatternHelp(*pattern));
    }
    return absl::OkStatus();
  }

  absl::Status UnderstandList() {
    if (options_.words.size() > 1) return absl::InvalidArgumentError("list takes no words");
    text_ = PatternList(patterns_);
    return absl::OkStatus();
  }

  absl::Status Build() {
    std::vector<ConfigSpec> specs;
    for (const std::string& word : options_.words) {
      ASSIGN_OR_RETURN(ConfigSpec spec, ParseConfigSpec(word, ReadUserFile));
      specs.push_back(std::move(spec));
    }
    const std::unique_ptr<DriverRegistry> drivers = MakeDriverRegistry({.shards = 1});
    const SequenceBuilder builder(patterns_, KnownDriversOf(*drivers), options_.build);
    ASSIGN_OR_RETURN(tests_, builder.Build(specs, options_.sweeps, err_));
    return absl::OkStatus();
  }

  absl::Status Show() {
    const std::string name = options_.words.front().substr(0, options_.words.front().find(':'));
    ASSIGN_OR_RETURN(const Pattern* const pattern, patterns_.Find(name));
    out_ << "# " << pattern->name() << ": " << pattern->summary() << "\n#\n"
         << ParameterHelp(pattern->parameters(), "#   ") << SequenceText("", tests_);
    return absl::OkStatus();
  }

  absl::Status TellPlan() {
    size_t complete = 0;
    absl::Duration left = absl::ZeroDuration();
    for (const BuiltTest& test : tests_) {
      const bool has_result =
          !options_.folder.empty() && HasFile(options_.folder, ResultFileName(test.file_stem));
      const absl::Duration time = ExpectedDuration(test.config);
      complete += has_result ? 1 : 0;
      if (!has_result) left += time + kUsualTimeAroundTest;
      out_ << test.file_stem << ": " << MinutesAndSeconds(time)
           << (has_result ? ", has a result" : "") << "\n";
    }
    out_ << tests_.size() << " tests, " << complete << " with a result, about "
         << MinutesAndSeconds(left) << " to run\n";
    return absl::OkStatus();
  }

  absl::Status RunOnCluster(ResultFiles& files) {
    TerminationSignal termination;
    ClusterRunner runner(*options_.sequencer, termination, out_);
    SequenceRunOptions options;
    options.is_stopped = [&termination] { return termination.requested(); };
    return RunTests(tests_, runner, files, err_, options);
  }

  const std::vector<std::string> arguments_;
  std::ostream& out_;
  std::ostream& err_;
  PatternRegistry patterns_ = BuiltInPatterns();
  Options options_;
  bool shows_ = false;
  std::string text_;  // to print
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
  const absl::Status status = program.Run();
  if (!status.ok()) err << "test_builder: " << status.message() << "\n";
  return ExitCodeOf(status);
}

}  // namespace distbench
