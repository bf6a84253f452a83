#include "distbench/cli/sequence_input.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/user_file.h"
#include "distbench/config/parser.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

constexpr char kStandardInput[] = "/dev/stdin";

}  // namespace

void SequenceInput::DeclareFlags(FlagSet* flags) {
  flags->AddList("infile", &infiles_, "FILE[,FILE...]",
                 "Read tests from these files, in this order, text or binary; without this flag "
                 "from standard input.");
  flags->AddList("set", &settings_, "PATH=VALUE",
                 "Change a field of the tests that were read, for example "
                 "--set=tests[0].seed=7 or --set=actions[run_queries].iterations."
                 "max_duration_us=500000.");
}

absl::StatusOr<TestSequence> SequenceInput::Read(std::vector<SequenceFile>* files) const {
  TestSequence sequence;
  for (const std::string& name : file_names()) {
    ASSIGN_OR_RETURN(std::string contents, ReadUserFile(name));
    ASSIGN_OR_RETURN(const TestSequence more, ParseTestSequence(name, contents));
    if (files != nullptr) {
      files->push_back({.name = name,
                        .contents = std::move(contents),
                        .first_test = sequence.tests_size(),
                        .test_count = more.tests_size()});
    }
    AppendTestSequence(more, &sequence);
  }
  for (const std::string& setting : settings_) {
    const absl::Status set = SetField(setting, &sequence);
    if (!set.ok()) {
      return absl::Status(set.code(), absl::StrCat("--set=", setting, ": ", set.message()));
    }
  }
  return sequence;
}

std::vector<std::string> SequenceInput::file_names() const {
  std::vector<std::string> names;
  for (const std::string& infile : infiles_) {
    for (absl::string_view name : absl::StrSplit(infile, ',', absl::SkipEmpty())) {
      names.emplace_back(name);
    }
  }
  if (names.empty()) names.push_back(kStandardInput);
  return names;
}

}  // namespace distbench
