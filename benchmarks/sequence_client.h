// Has a test sequencer run one test, over gRPC, as any caller does.
#ifndef BENCHMARKS_SEQUENCE_CLIENT_H_
#define BENCHMARKS_SEQUENCE_CLIENT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace grpc {
class Channel;
}

namespace distbench {

class TestResult;
class TestSequence;
class TestSequenceResults;

class SequenceClient {
 public:
  // `address` is HOST:PORT.
  explicit SequenceClient(const std::string& address);
  ~SequenceClient();

  // Whether the sequencer is asked to tell how the test goes on, which is read and dropped.
  enum class Progress { kNotTold, kTold };

  // Blocks until the test has ended. Samples are left at the sequencer; a test that did not end as
  // planned is an error with its reason.
  absl::StatusOr<TestResult> Run(const std::string& config_text,
                                 Progress progress = Progress::kNotTold) const;

 private:
  absl::StatusOr<TestSequenceResults> RunSequence(const TestSequence& sequence,
                                                  Progress progress) const;

  const std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace distbench

#endif  // BENCHMARKS_SEQUENCE_CLIENT_H_
