#include "distbench/cli/progress.h"

#include <unistd.h>

#include <cmath>
#include <iostream>

#include "absl/strings/str_format.h"
#include "distbench/cli/expected_duration.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

constexpr absl::Duration kInterval = absl::Seconds(1);
constexpr char kClearLine[] = "\r\033[K";

}  // namespace

std::string ProgressLine(const std::vector<absl::Duration>& expected, absl::Duration elapsed) {
  absl::Duration total = absl::ZeroDuration();
  size_t running = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (elapsed >= total) running = i;
    total += expected[i];
  }
  return absl::StrFormat("test %d of %d, %d s of about %d s", running + 1, expected.size(),
                         absl::ToInt64Seconds(elapsed),
                         static_cast<int64_t>(std::ceil(absl::ToDoubleSeconds(total))));
}

Progress::Progress(const TestSequence& sequence) {
  for (const DistributedSystemDescription& test : sequence.tests()) {
    expected_.push_back(ExpectedDuration(test));
  }
  if (isatty(STDERR_FILENO) == 1 && !expected_.empty()) {
    thread_ = std::thread([this] { RunThread(); });
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  thread_.join();
  std::cerr << kClearLine << std::flush;
}

void Progress::EndWith(const std::string& message) {
  absl::MutexLock lock(&mutex_);
  stopping_ = true;
  std::cerr << (thread_.joinable() ? kClearLine : "") << message << std::endl;
}

void Progress::RunThread() {
  const absl::Time start = absl::Now();
  absl::MutexLock lock(&mutex_);
  while (!mutex_.AwaitWithTimeout(absl::Condition(&stopping_), kInterval)) {
    std::cerr << kClearLine << ProgressLine(expected_, absl::Now() - start) << std::flush;
  }
}

}  // namespace distbench
