// CpuList: the CPUs that a process may use, and the pinning of its event loops to them.
//
// Text is the kernel's own notation (taskset -c, /sys/devices/system/cpu): "0-3,8". Values are
// immutable.
#ifndef DISTBENCH_BASE_CPU_LIST_H_
#define DISTBENCH_BASE_CPU_LIST_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace distbench {

class CpuList {
 public:
  // "0-3,8": at least one CPU, in any order, each once. The error names what cannot be read.
  static absl::StatusOr<CpuList> Parse(absl::string_view text);

  // The CPUs that the calling thread may run on, which threads that it starts inherit.
  static CpuList OfThisThread();

  size_t size() const { return cpus_.size(); }
  const std::vector<int>& cpus() const { return cpus_; }
  std::string ToString() const;

  // Confines the calling thread, and the threads that it starts from now on, to these CPUs. The
  // error names the CPUs that this process may not use.
  absl::Status ConfineThisThread() const;

 private:
  explicit CpuList(std::vector<int> cpus) : cpus_(std::move(cpus)) {}

  std::vector<int> cpus_;  // ascending, never empty
};

// How many event loops a process has that nobody told otherwise: one for every two of the CPUs, at
// least one. The other half is for what loops cause: the kernel's network stack, the threads of
// libraries, the peer process where it runs on the same machine.
size_t DefaultLoopCount(const CpuList& cpus);

// Which CPU each event loop of the process is pinned to: loop i to the i-th CPU of the list, round
// and round. Without a list the kernel places them.
class LoopPlacement {
 public:
  LoopPlacement() = default;
  explicit LoopPlacement(const CpuList& cpus) : cpus_(cpus) {}

  bool pinned() const { return cpus_.has_value(); }

  // Pins the calling thread, if loops are pinned. Called by a loop's thread before anything else.
  void EnterLoop(size_t loop) const;

  // Undoes, for a thread that is no loop, the pinning that it inherited if a loop started it.
  void LeaveLoops() const;

 private:
  std::optional<CpuList> cpus_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_CPU_LIST_H_
