#include "distbench/cli/sequence_input.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/user_path.h"
#include "distbench/config/parser.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

constexpr char kStandardInput[] = "/dev/stdin";

// Everything that is left to read; none, with errno set, if that fails.
std::optional<std::string> ReadAll(int descriptor) {
  std::string contents;
  char block[1 << 16];
  while (true) {
    const ssize_t size = read(descriptor, block, sizeof(block));
    if (size == 0) return contents;
    if (size > 0) contents.append(block, size);
    if (size < 0 && errno != EINTR) return std::nullopt;
  }
}

absl::StatusOr<std::string> ReadFile(const std::string& name) {
  const bool is_standard_input = name == "-" || name == kStandardInput;
  const int descriptor =
      is_standard_input ? dup(STDIN_FILENO) : open(UserPath(name).c_str(), O_RDONLY | O_CLOEXEC);
  std::optional<std::string> contents;
  if (descriptor >= 0) contents = ReadAll(descriptor);
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  if (contents.has_value()) return *std::move(contents);
  return absl::NotFoundError(
      absl::StrCat("cannot read ", name, ": ", std::generic_category().message(error)));
}

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
    ASSIGN_OR_RETURN(std::string contents, ReadFile(name));
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
