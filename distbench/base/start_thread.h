// Starts threads, of which a process or its user may have no more.
#ifndef DISTBENCH_BASE_START_THREAD_H_
#define DISTBENCH_BASE_START_THREAD_H_

#include <functional>
#include <thread>

#include "absl/status/statusor.h"

namespace distbench {

// RESOURCE_EXHAUSTED, with the remedy, if the system gives no thread.
absl::StatusOr<std::thread> StartThread(std::function<void()> run);

// StartThread, or what a test puts in its place.
using ThreadStarter = std::function<absl::StatusOr<std::thread>(std::function<void()>)>;

}  // namespace distbench

#endif  // DISTBENCH_BASE_START_THREAD_H_
