#include "distbench/cli/progress.h"

#include <unistd.h>

#include <iostream>

#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr absl::Duration kInterval = absl::Seconds(1);
constexpr absl::Duration kPlainInterval = absl::Seconds(10);
constexpr char kClearLine[] = "\r\033[K";

}  // namespace

Progress::Progress(const TestSequence& sequence)
    : on_terminal_(isatty(STDERR_FILENO) == 1 && sequence.tests_size() > 0),
      start_(absl::Now()),
      sequence_(sequence) {
  if (on_terminal_) thread_ = std::thread([this] { RunThread(); });
}

Progress::~Progress() {
  if (!on_terminal_) return;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  thread_.join();
  std::cerr << kClearLine << std::flush;
}

void Progress::Tell(const TestProgress& progress) {
  absl::MutexLock lock(&mutex_);
  sequence_.Take(progress);
  if (on_terminal_ || stopping_ || !IsPlainLineDue()) return;
  std::cerr << sequence_.Line(absl::Now() - start_) << std::endl;
}

bool Progress::IsPlainLineDue() {
  if (sequence_.rpcs() == 0) return false;
  const bool is_first = line_test_ != sequence_.test_index();
  if (!is_first && sequence_.traffic_elapsed() < line_elapsed_ + kPlainInterval) return false;
  line_test_ = sequence_.test_index();
  line_elapsed_ = sequence_.traffic_elapsed();
  return true;
}

void Progress::MakeWay() {
  absl::MutexLock lock(&mutex_);
  if (on_terminal_) std::cerr << kClearLine << std::flush;
}

void Progress::EndWith(const std::string& message) {
  absl::MutexLock lock(&mutex_);
  stopping_ = true;
  std::cerr << (on_terminal_ ? kClearLine : "") << message << std::endl;
}

void Progress::RunThread() {
  absl::MutexLock lock(&mutex_);
  while (!mutex_.AwaitWithTimeout(absl::Condition(&stopping_), kInterval)) {
    std::cerr << kClearLine << sequence_.Line(absl::Now() - start_) << std::flush;
  }
}

}  // namespace distbench
