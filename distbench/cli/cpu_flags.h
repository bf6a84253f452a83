// CpuFlags: which CPUs a daemon uses and how many event loops it has, as flags. Not thread-safe.
//
//   --cpus=0-3,8   confines the process to these CPUs and pins event loop i to the i-th of them
//   --shards=N     event loops; by default one for every two CPUs that it may use
//
// More loops than CPUs gain nothing, since a loop never waits for anything but work.
#ifndef DISTBENCH_CLI_CPU_FLAGS_H_
#define DISTBENCH_CLI_CPU_FLAGS_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/base/cpu_list.h"

namespace distbench {

class FlagSet;

// The event loops of a process.
struct EventLoops {
  size_t shards = 1;  // how many
  LoopPlacement placement;
};

// DefaultLoopCount of the usable CPUs, placed by the kernel.
EventLoops DefaultEventLoops();

class CpuFlags {
 public:
  void Declare(FlagSet* flags);

  // Whether the flags can be read.
  absl::Status Check();

  // Confines the calling thread, and all that it starts from now on, and says what follows for the
  // event loops. The error names CPUs that the process may not use. To be called before the process
  // has other threads. Requires: Check() was OK.
  absl::StatusOr<EventLoops> Apply() const;

 private:
  std::string cpus_text_;
  std::optional<CpuList> cpus_;
  std::optional<int> shards_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_CPU_FLAGS_H_
