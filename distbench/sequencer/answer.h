// The answer to a caller: results of tests, within what he asked for and what one message can hold.
#ifndef DISTBENCH_SEQUENCER_ANSWER_H_
#define DISTBENCH_SEQUENCER_ANSWER_H_

#include <cstddef>

namespace distbench {

class ServiceLogs;
class TestResult;
class TestSequenceResults;

struct AnswerOptions {
  bool keep_samples = true;  // TestsSetting.keep_instance_log
  size_t max_bytes = 0;      // of the whole serialized answer
};

// Below the 2 GiB at which protobuf refuses to serialize, with room for what gRPC adds.
inline constexpr size_t kMaxAnswerBytes = (size_t{1} << 31) - (size_t{1} << 20);

// Appends a result. Samples that are not wanted are dropped; where the answer would grow too large
// the result's samples, and if need be all of its logs, are dropped with a line in its summary. The
// summary's figures and what other results hold stay as they are.
void AddTestResult(TestResult result, const AnswerOptions& options, TestSequenceResults& answer);

// Drops the record of each RPC and keeps the statistics, which count what was left out.
void DropSamples(ServiceLogs& logs);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_ANSWER_H_
