// ReserveDestination: sees to it that a client connects to each peer, and each channel, once.
#ifndef DISTBENCH_DRIVER_RESERVE_DESTINATION_H_
#define DISTBENCH_DRIVER_RESERVE_DESTINATION_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/strong_index.h"

namespace distbench {

// Sets `is_reserved`, an std::atomic<bool>, of the destination, unless it is set or there is no
// such destination; `kind` reads in the error, "peer". Who does not get connected resets it.
template <typename Index, typename Destination>
absl::Status ReserveDestination(IndexedVector<Index, Destination>& destinations, Index index,
                                const char* kind) {
  if (index.value() >= destinations.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(kind, " ", index.value(), " of a test with ", destinations.size()));
  }
  if (!destinations[index].is_reserved.exchange(true)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(kind, " ", index.value(), " is connected already"));
}

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_RESERVE_DESTINATION_H_
