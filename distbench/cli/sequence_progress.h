// SequenceProgress: how far a test sequence is, as a line for people. Pure: it is told what the
// sequencer tells, and the time.
//
//   test 2 of 3 'incast': 4 s of 10 s, 312345 RPCs, 78.10 kQPS, p50 1.2 ms, p99 3.41 ms, 0 errors;
//   15 s of about 31 s in all
//
// Of a sequence of one test it says only how far that is: whoever runs several such sequences says
// the rest himself.
//
//   'incast': 4 s of 10 s, 312345 RPCs, 78.10 kQPS, p50 1.2 ms, p99 3.41 ms, 0 errors
//
// Before the traffic of a test, and where the sequencer tells nothing, it says what is known.
#ifndef DISTBENCH_CLI_SEQUENCE_PROGRESS_H_
#define DISTBENCH_CLI_SEQUENCE_PROGRESS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "protos/progress.pb.h"

namespace distbench {

class TestSequence;

class SequenceProgress {
 public:
  explicit SequenceProgress(const TestSequence& sequence);

  void Take(const TestProgress& progress);

  // `elapsed`: since the sequence's start.
  std::string Line(absl::Duration elapsed) const;

  // RPCs of the present test that have ended.
  int64_t rpcs() const { return rpcs_; }
  // Of the present test: its position, and the time since its traffic's start.
  int test_index() const { return latest_.test_index(); }
  absl::Duration traffic_elapsed() const { return absl::Nanoseconds(latest_.traffic_elapsed_ns()); }

 private:
  std::string TestText() const;
  std::string TrafficText() const;
  void UpdateRate();

  std::vector<absl::Duration> expected_;  // of each test's traffic; zero: unknown
  bool is_told_ = false;
  TestProgress latest_;

  // Of the present test.
  int64_t rpcs_ = 0;
  int64_t errors_ = 0;
  double rpcs_per_second_ = 0;  // of late
  // What the rate is measured from.
  int64_t rate_rpcs_ = 0;
  int64_t rate_elapsed_ns_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_SEQUENCE_PROGRESS_H_
