// ResourceBudget: the limits of this process and what its nodes have reserved of them, so that a
// test that cannot run is refused before its traffic breaks half-way. Thread-safe.
#ifndef DISTBENCH_NODE_RESOURCE_BUDGET_H_
#define DISTBENCH_NODE_RESOURCE_BUDGET_H_

#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "distbench/net/data_plane_address.h"
#include "distbench/node/resource_needs.h"

namespace distbench {

// The limits as they are now, before any node runs. Raises RLIMIT_NOFILE as far as it may be.
ResourceLimits ReadResourceLimits(const PortRange& ports);

// Threads that the process has at this moment; 0 if the system does not tell.
int64_t ThreadsInProcess();

class ResourceBudget {
 public:
  explicit ResourceBudget(const ResourceLimits& limits) : limits_(limits) {}
  // Requires: all reservations are gone.
  ~ResourceBudget();

  // Gives back what it holds when it is destroyed.
  class Reservation {
   public:
    Reservation(ResourceBudget* budget, const ResourceNeeds& needs)
        : budget_(budget), needs_(needs) {}
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation();

   private:
    ResourceBudget* const budget_;
    const ResourceNeeds needs_;
  };

  // The error is that of CheckNeeds, for all reservations together.
  absl::StatusOr<std::unique_ptr<Reservation>> Reserve(const ResourceNeeds& needs);

  const ResourceLimits& limits() const { return limits_; }

  // Of all reservations.
  int64_t reserved_threads() const;

  // Whether nobody holds a reservation: the process hosts no engine.
  bool is_unused() const;

 private:
  const ResourceLimits limits_;
  mutable absl::Mutex mutex_;
  ResourceNeeds reserved_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_RESOURCE_BUDGET_H_
