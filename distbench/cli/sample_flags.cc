#include "distbench/cli/sample_flags.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/user_path.h"

namespace distbench {

namespace {

constexpr int kMaxMemoryMib = 1 << 20;

// On a disk, where /tmp often is memory.
constexpr char kDefaultFolder[] = "/var/tmp";

}  // namespace

SampleFlags::SampleFlags() {
  const char* folder = std::getenv("TMPDIR");
  folder_ = folder == nullptr || *folder == '\0' ? kDefaultFolder : folder;
}

void SampleFlags::Declare(FlagSet* flags) {
  flags->Add("sample_memory_mib", &memory_mib_, "MIB",
             "Memory for the samples of a test; what does not fit goes to a file without a name.");
  flags->Add("sample_folder", &folder_, "FOLDER",
             "Where that file is made, on a disk with room for 16 bytes a sample; by default "
             "TMPDIR of the environment, or else /var/tmp. Empty: samples that do not fit the "
             "memory are left out.");
}

absl::Status SampleFlags::Check() const {
  if (memory_mib_ < 0 || memory_mib_ > kMaxMemoryMib) {
    return absl::InvalidArgumentError(
        absl::StrCat("--sample_memory_mib=", memory_mib_, ": expected 0 to ", kMaxMemoryMib));
  }
  if (folder_.empty() || access(UserPath(folder_).c_str(), W_OK | X_OK) == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--sample_folder=", folder_, ": ", std::generic_category().message(errno),
                   "; name a folder that can be written to, or none"));
}

SampleStoreOptions SampleFlags::options() const {
  return {.memory_bytes = int64_t{memory_mib_} << 20,
          .folder = folder_.empty() ? "" : UserPath(folder_)};
}

}  // namespace distbench
