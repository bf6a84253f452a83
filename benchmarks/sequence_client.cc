#include "benchmarks/sequence_client.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/compile_config.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_status.h"
#include "distbench/results/result_assembler.h"
#include "grpcpp/grpcpp.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

constexpr std::chrono::minutes kTestLimit{10};

}  // namespace

SequenceClient::SequenceClient(const std::string& address)
    : channel_(ControlPlaneChannel(absl::StrCat("dns:///", address))) {}

SequenceClient::~SequenceClient() = default;

absl::StatusOr<TestSequenceResults> SequenceClient::RunSequence(const TestSequence& sequence,
                                                                Progress progress) const {
  const auto stub = DistBenchTestSequencer::NewStub(channel_);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kTestLimit);
  context.set_wait_for_ready(true);
  TestSequenceResults results;
  if (progress == Progress::kNotTold) {
    RETURN_IF_ERROR(FromGrpcStatus(stub->RunTestSequence(&context, sequence, &results)));
    return results;
  }
  const auto reader = stub->RunTestSequenceStream(&context, sequence);
  SequenceEvent event;
  ResultAssembler assembler;
  absl::Status assembled;
  while (reader->Read(&event)) {
    if (event.has_record()) assembled.Update(assembler.Add(event.record()));
  }
  RETURN_IF_ERROR(FromGrpcStatus(reader->Finish()));
  RETURN_IF_ERROR(assembled);
  return assembler.Take();
}

absl::StatusOr<TestResult> SequenceClient::Run(const std::string& config_text,
                                               Progress progress) const {
  TestSequence sequence;
  ASSIGN_OR_RETURN(*sequence.add_tests(), ParseConfig(config_text));
  sequence.mutable_tests_setting()->set_keep_instance_log(false);
  ASSIGN_OR_RETURN(TestSequenceResults results, RunSequence(sequence, progress));
  if (results.test_results_size() != 1) return absl::InternalError("the test has no result");
  TestResult& result = *results.mutable_test_results(0);
  if (result.report().status_code() != 0) {
    return absl::Status(static_cast<absl::StatusCode>(result.report().status_code()),
                        result.report().status_message());
  }
  return std::move(result);
}

}  // namespace distbench
