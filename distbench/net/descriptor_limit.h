// How many files and sockets the process may have open. Affects the whole process.
#ifndef DISTBENCH_NET_DESCRIPTOR_LIMIT_H_
#define DISTBENCH_NET_DESCRIPTOR_LIMIT_H_

#include <cstdint>

#include "absl/status/statusor.h"

namespace distbench {

// Raises the soft limit of open descriptors (RLIMIT_NOFILE) to the hard one, the most that needs no
// privilege, and returns the limit that is then in force. Calling it again does no harm.
absl::StatusOr<int64_t> RaiseDescriptorLimit();

}  // namespace distbench

#endif  // DISTBENCH_NET_DESCRIPTOR_LIMIT_H_
