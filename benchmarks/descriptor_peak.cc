#include "benchmarks/descriptor_peak.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "absl/time/time.h"

namespace distbench {
namespace {

// Seldom, since counting thousands of descriptors takes milliseconds.
constexpr absl::Duration kInterval = absl::Milliseconds(200);

int64_t OpenDescriptors() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return std::distance(begin(files), end(files));
}

}  // namespace

DescriptorPeak::DescriptorPeak() : thread_([this] { WatchUntilStopped(); }) {}

DescriptorPeak::~DescriptorPeak() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  thread_.join();
}

int64_t DescriptorPeak::peak() const {
  absl::MutexLock lock(&mutex_);
  return peak_;
}

void DescriptorPeak::WatchUntilStopped() {
  absl::MutexLock lock(&mutex_);
  do {
    peak_ = std::max(peak_, OpenDescriptors());
  } while (!mutex_.AwaitWithTimeout(absl::Condition(&stopping_), kInterval));
}

}  // namespace distbench
