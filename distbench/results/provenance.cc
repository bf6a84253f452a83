#include "distbench/results/provenance.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <fstream>

#include "absl/base/config.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "distbench/base/cpu_list.h"
#include "distbench/results/build_stamp.h"
#include "google/protobuf/stubs/common.h"
#include "grpcpp/grpcpp.h"
#include "protos/provenance.pb.h"

namespace distbench {

namespace {

std::string BuildFlags() {
  std::string flags = absl::StrCat("gcc ", __VERSION__, ", C++", __cplusplus / 100 % 100);
#if defined(__OPTIMIZE__)
  absl::StrAppend(&flags, ", optimized");
#else
  absl::StrAppend(&flags, ", not optimized");
#endif
#if defined(NDEBUG)
  absl::StrAppend(&flags, ", NDEBUG");
#endif
#if defined(__SANITIZE_ADDRESS__)
  absl::StrAppend(&flags, ", address sanitizer");
#endif
#if defined(DISTBENCH_TSAN)
  absl::StrAppend(&flags, ", thread sanitizer");
#endif
  return flags;
}

std::string CpuModel() {
  std::ifstream cpu_info("/proc/cpuinfo");
  std::string line;
  while (std::getline(cpu_info, line)) {
    if (!absl::StartsWith(line, "model name")) continue;
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    return std::string(absl::StripAsciiWhitespace(absl::string_view(line).substr(colon + 1)));
  }
  return "";
}

void AddLibraryVersions(Provenance* provenance) {
  auto& versions = *provenance->mutable_library_versions();
  versions["grpc"] = grpc::Version();
  versions["protobuf"] = google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
  versions["abseil"] = absl::StrCat(ABSL_LTS_RELEASE_VERSION, ".", ABSL_LTS_RELEASE_PATCH_LEVEL);
  if (kGlogVersion[0] != '\0') versions["glog"] = kGlogVersion;
}

}  // namespace

const char* ProgramCommit() { return kBuildCommit; }

Provenance ProgramProvenance(const std::vector<std::string>& command_line) {
  Provenance provenance;
  provenance.set_version(kProgramVersion);
  provenance.set_commit(kBuildCommit);
  provenance.set_build_flags(BuildFlags());
  utsname kernel = {};
  if (uname(&kernel) == 0) provenance.set_kernel(kernel.release);
  if (std::string model = CpuModel(); !model.empty()) provenance.set_cpu_model(model);
  const CpuList cpus = CpuList::OfThisThread();
  provenance.set_cpu_count(static_cast<int>(cpus.size()));
  provenance.set_cpu_affinity(cpus.ToString());
  provenance.set_process_id(getpid());
  AddLibraryVersions(&provenance);
  if (const char* polling = getenv("GRPC_POLL_STRATEGY"))
    provenance.set_grpc_poll_strategy(polling);
  for (const std::string& argument : command_line) provenance.add_command_line(argument);
  char host[HOST_NAME_MAX + 1] = {};
  if (gethostname(host, sizeof(host) - 1) == 0) provenance.set_hostname(host);
  return provenance;
}

}  // namespace distbench
