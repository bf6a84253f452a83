#include "distbench/results/golden_summary.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/compiler.h"
#include "distbench/results/merge.h"
#include "distbench/results/summary.h"
#include "distbench/results/verdict.h"
#include "google/protobuf/text_format.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

absl::StatusOr<std::vector<std::string>> SummarizeAnew(const TestResult& test) {
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan =
      CompileTest(test.traffic_config(), {.names = {"grpc"}}, &diagnostics);
  if (plan == nullptr) return diagnostics.ToStatus();
  GetTrafficResultResponse node;
  *node.mutable_service_logs() = test.service_logs();
  TestResult result;
  RETURN_IF_ERROR(MergeNodeResult(std::move(node), result));
  *result.mutable_report() = test.report();
  const Verdict verdict = JudgeTest(*plan, result, plan->verdict_thresholds);
  *result.mutable_report()->mutable_verdict() = verdict;
  return SummarizeTest(*plan, result);
}

}  // namespace

std::string GoldenCommand(const std::string& path) {
  return absl::StrCat("bazel run //distbench/results:print_golden -- ", path, " > ",
                      absl::StripSuffix(path, ".textproto"), ".golden");
}

absl::StatusOr<std::string> GoldenSummary(const std::string& path, const std::string& text) {
  TestSequenceResults results;
  if (!google::protobuf::TextFormat::ParseFromString(text, &results)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is no TestSequenceResults in text form; the log says where"));
  }
  std::string golden = absl::StrCat("# ", GoldenCommand(path), "\n");
  for (const TestResult& test : results.test_results()) {
    ASSIGN_OR_RETURN(const std::vector<std::string> lines, SummarizeAnew(test));
    absl::StrAppend(&golden, "Test summary:\n", absl::StrJoin(lines, "\n"), "\n\n");
  }
  return golden;
}

}  // namespace distbench
