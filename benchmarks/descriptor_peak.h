// DescriptorPeak: the most descriptors that this process had open at a time, as seen every now and
// then from construction on.
#ifndef BENCHMARKS_DESCRIPTOR_PEAK_H_
#define BENCHMARKS_DESCRIPTOR_PEAK_H_

#include <cstdint>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace distbench {

// Thread-safe.
class DescriptorPeak {
 public:
  DescriptorPeak();
  ~DescriptorPeak();

  int64_t peak() const;

 private:
  void WatchUntilStopped();

  mutable absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t peak_ ABSL_GUARDED_BY(mutex_) = 0;
  std::thread thread_;
};

}  // namespace distbench

#endif  // BENCHMARKS_DESCRIPTOR_PEAK_H_
