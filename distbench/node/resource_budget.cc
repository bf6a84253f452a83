#include "distbench/node/resource_budget.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "distbench/base/status_macros.h"
#include "distbench/net/descriptor_limit.h"
#include "distbench/net/port_range.h"
#include "glog/logging.h"

namespace distbench {
namespace {

// Entries of a directory of /proc, 0 if it cannot be read.
int64_t CountEntries(const char* path) {
  DIR* directory = opendir(path);
  if (directory == nullptr) return 0;
  int64_t count = 0;
  while (const dirent* entry = readdir(directory)) count += entry->d_name[0] == '.' ? 0 : 1;
  closedir(directory);
  return count;
}

double MemoryBytes() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  // What a container may use. Reads as "max", and then as no number, where nothing is set.
  std::ifstream container_limit("/sys/fs/cgroup/memory.max");
  double container_bytes = 0;
  if (container_limit >> container_bytes && container_bytes > 0) {
    bytes = std::min(bytes, container_bytes);
  }
  return bytes;
}

int64_t UserThreads() {
  rlimit limit;
  const bool is_privileged = geteuid() == 0;  // not held to the limit
  if (is_privileged || getrlimit(RLIMIT_NPROC, &limit) != 0) return 0;
  return limit.rlim_cur == RLIM_INFINITY ? 0 : static_cast<int64_t>(limit.rlim_cur);
}

}  // namespace

// The directory has two links to itself, and one for each thread: one call, however many there are.
int64_t ThreadsInProcess() {
  struct stat tasks;
  return stat("/proc/self/task", &tasks) == 0 ? static_cast<int64_t>(tasks.st_nlink) - 2 : 0;
}

ResourceLimits ReadResourceLimits(const PortRange& ports) {
  ResourceLimits limits;
  const absl::StatusOr<int64_t> descriptors = RaiseDescriptorLimit();
  if (descriptors.ok()) {
    limits.descriptors = std::max<int64_t>(*descriptors - CountEntries("/proc/self/fd"), 1);
  } else {
    LOG(WARNING) << "descriptors are not checked before tests: " << descriptors.status();
  }
  limits.ports = PortCount(ports);
  limits.memory_bytes = MemoryBytes();
  limits.user_threads = UserThreads();
  return limits;
}

ResourceBudget::~ResourceBudget() {
  absl::MutexLock lock(&mutex_);
  CHECK_EQ(reserved_.ports, 0) << "a reservation outlives its budget";
}

int64_t ResourceBudget::reserved_threads() const {
  absl::MutexLock lock(&mutex_);
  return reserved_.threads;
}

bool ResourceBudget::is_unused() const {
  absl::MutexLock lock(&mutex_);
  return reserved_.descriptors == 0;
}

ResourceBudget::Reservation::~Reservation() {
  absl::MutexLock lock(&budget_->mutex_);
  budget_->reserved_ -= needs_;
}

absl::StatusOr<std::unique_ptr<ResourceBudget::Reservation>> ResourceBudget::Reserve(
    const ResourceNeeds& needs) {
  absl::MutexLock lock(&mutex_);
  ResourceNeeds total = reserved_;
  total += needs;
  RETURN_IF_ERROR(CheckNeeds(total, limits_));
  reserved_ = total;
  return std::make_unique<Reservation>(this, needs);
}

}  // namespace distbench
