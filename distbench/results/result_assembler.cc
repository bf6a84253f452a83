#include "distbench/results/result_assembler.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/log_samples.h"
#include "distbench/results/sample_columns.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

using Samples = ResultAssemblerOptions::Samples;

// Tag and length of a test within the results.
constexpr size_t kFrameBytes = 16;
// Tag and length of a sample within its log.
constexpr size_t kSampleFrameBytes = 2;

absl::Status CheckHeader(const FileHeader& header) {
  const int version = header.format_version();
  if (version >= 1 && version <= kResultFormatVersion) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "its format_version is ", version, "; this program reads 1 to ", kResultFormatVersion,
      version > kResultFormatVersion ? ", a newer one is needed" : ""));
}

absl::Status TooLarge() {
  return absl::ResourceExhaustedError("the results are larger than 2 GiB");
}

ServicePerformanceLog& LogOf(const std::string& instance, TestResult& test) {
  return (*test.mutable_service_logs()->mutable_instance_logs())[instance];
}

}  // namespace

ResultAssembler::ResultAssembler(ResultAssemblerOptions options)
    : options_(std::move(options)),
      results_(std::make_unique<TestSequenceResults>()),
      replays_(std::make_unique<TestResult>()) {}

ResultAssembler::~ResultAssembler() = default;

absl::Status ResultAssembler::Add(ResultRecord record) {
  if (is_whole_) return absl::InvalidArgumentError("a record comes after the file_end");
  if (record.has_header() != !has_header_) {
    return absl::InvalidArgumentError(has_header_ ? "a second header" : "no header comes first");
  }
  switch (record.record_case()) {
    case ResultRecord::kHeader:
      has_header_ = true;
      return CheckHeader(record.header());
    case ResultRecord::kTest:
      return BeginTest(record.mutable_test());
    case ResultRecord::kFileEnd:
      if (current_ != nullptr || record.file_end().tests() != results_->test_results_size()) {
        return absl::InvalidArgumentError(
            absl::StrCat("file_end.tests is ", record.file_end().tests(), ", but ",
                         results_->test_results_size(), " tests came before",
                         current_ == nullptr ? "" : ", the last without its end"));
      }
      is_whole_ = true;
      return absl::OkStatus();
    default:
      return AddToTest(&record);
  }
}

absl::Status ResultAssembler::BeginTest(TestResult* test) {
  if (current_ != nullptr) {
    return absl::InvalidArgumentError("a test begins before the one before has ended");
  }
  current_ = results_->add_test_results();
  current_->Swap(test);
  sample_bytes_ = 0;
  drops_samples_ = options_.samples == Samples::kDropped;
  return absl::OkStatus();
}

absl::Status ResultAssembler::AddToTest(ResultRecord* record) {
  if (current_ == nullptr) {
    return absl::InvalidArgumentError("what belongs to a test comes outside of one");
  }
  if (record->has_instance_log()) {
    const std::string instance = record->instance_log().instance();
    ServicePerformanceLog& log = LogOf(instance, *current_);
    AddPart(std::move(*record->mutable_instance_log()), log);
    if (options_.visit_piece != nullptr && log.replay_trace_logs_size() > 0) {
      ServicePerformanceLog& replays = LogOf(instance, *replays_);
      replays.mutable_replay_trace_logs()->MergeFrom(log.replay_trace_logs());
      log.clear_replay_trace_logs();
      *replays.mutable_error_dictionary() = log.error_dictionary();
    }
  } else if (record->has_samples()) {
    return AddBlock(record->samples());
  } else if (record->has_test_end()) {
    for (const std::string& remark : record->test_end().remarks()) {
      current_->add_log_summary(remark);
    }
    EndTest();
    const bool is_too_large = done_bytes_ > options_.max_bytes;
    if (is_too_large && !options_.drops_what_is_too_large) return TooLarge();
  }
  return absl::OkStatus();
}

absl::Status ResultAssembler::AddBlock(const SampleBlock& block) {
  const bool is_visited = options_.visit_piece != nullptr;
  if (drops_samples_ || (options_.samples == Samples::kIgnored && !is_visited)) {
    return absl::OkStatus();
  }
  if (!current_->service_logs().instance_logs().contains(block.instance())) {
    return absl::InvalidArgumentError(
        absl::StrCat("samples of ", block.instance(), ", of which there is no log"));
  }
  if (!is_visited) {
    for (const SampleRun& run : block.runs()) {
      RETURN_IF_ERROR(ForEachSample(run, [this](const RpcSample& sample) {
        sample_bytes_ += kSampleFrameBytes + sample.ByteSizeLong();
      }));
    }
    // Known early, so that memory holds no more than the results may have.
    if (done_bytes_ + sample_bytes_ > options_.max_bytes) {
      if (!options_.drops_what_is_too_large) return TooLarge();
      MakeFit();
      return absl::OkStatus();
    }
  }
  RETURN_IF_ERROR(AddSamples(block, LogOf(block.instance(), *current_)));
  if (is_visited) ShowAndForget(block);
  return absl::OkStatus();
}

void ResultAssembler::ShowAndForget(const SampleBlock& block) {
  options_.visit_piece(*current_, results_->test_results_size() - 1);
  auto& peers = *LogOf(block.instance(), *current_).mutable_peer_logs();
  for (const SampleRun& run : block.runs()) {
    RpcPerformanceLog& rpc_log = peers.at(run.peer()).mutable_rpc_logs()->at(run.rpc_index());
    rpc_log.clear_successful_rpc_samples();
    rpc_log.clear_failed_rpc_samples();
  }
}

void ResultAssembler::MakeFit() {
  drops_samples_ = true;
  for (auto& [instance, log] : *current_->mutable_service_logs()->mutable_instance_logs()) {
    DropSamples(log);
  }
  current_->add_log_summary(
      "RPC samples were left out: with them the answer would exceed 2 GiB; write the native "
      "format, set max_rpc_samples in the action lists, or run the tests one by one");
}

void ResultAssembler::EndTest() {
  if (options_.visit_piece != nullptr) {
    *replays_->mutable_traffic_config() = current_->traffic_config();
    options_.visit_piece(*replays_, results_->test_results_size() - 1);
    replays_->Clear();
  }
  const bool has_all_samples =
      options_.visit_piece == nullptr && options_.samples != Samples::kIgnored;
  for (auto& [instance, log] : *current_->mutable_service_logs()->mutable_instance_logs()) {
    if (drops_samples_) {
      DropSamples(log);
    } else if (has_all_samples) {
      CompleteSamples(log);
    }
  }
  const auto too_large = [this] {
    return done_bytes_ + kFrameBytes + current_->ByteSizeLong() > options_.max_bytes;
  };
  if (options_.drops_what_is_too_large) {
    if (too_large() && !drops_samples_) MakeFit();
    if (too_large()) {
      current_->clear_service_logs();
      current_->add_log_summary(
          "Service logs were left out: with them the answer would exceed 2 GiB; run the tests one "
          "by one");
    }
  }
  done_bytes_ += kFrameBytes + current_->ByteSizeLong();
  current_ = nullptr;
}

TestSequenceResults ResultAssembler::Take() {
  if (current_ != nullptr) {
    current_->add_log_summary(
        "The records of this test end before they are complete: samples may be missing");
    EndTest();
  }
  return std::move(*results_);
}

}  // namespace distbench
