#include "distbench/cli/sequence_progress.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "distbench/cli/expected_duration.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// Rates are of the last second.
constexpr int64_t kRateWindowNs = 1'000'000'000;

const char* PhaseText(TestProgress::Phase phase) {
  switch (phase) {
    case TestProgress::PLACING:
      return "finding its nodes";
    case TestProgress::PREPARING:
      return "connecting";
    case TestProgress::RUNNING:
      return "starting";
    case TestProgress::COLLECTING:
      return "collecting results";
    case TestProgress::DONE:
      return "done";
  }
  return "running";
}

std::string SecondsOf(absl::Duration elapsed, absl::Duration expected, const char* about) {
  std::string text = absl::StrCat(absl::ToInt64Seconds(elapsed), " s");
  if (expected > absl::ZeroDuration()) {
    absl::StrAppend(&text, " of ", about,
                    static_cast<int64_t>(std::ceil(absl::ToDoubleSeconds(expected))), " s");
  }
  return text;
}

std::string TimeText(int64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns < 1'000) return absl::StrCat(ns, " ns");
  if (ns < 1'000'000) return absl::StrFormat("%.3g us", value / 1e3);
  if (ns < 1'000'000'000) return absl::StrFormat("%.3g ms", value / 1e6);
  return absl::StrFormat("%.3g s", value / 1e9);
}

}  // namespace

SequenceProgress::SequenceProgress(const TestSequence& sequence) {
  for (const DistributedSystemDescription& test : sequence.tests()) {
    expected_.push_back(ExpectedDuration(test));
  }
}

void SequenceProgress::Take(const TestProgress& progress) {
  const bool is_new_test = !is_told_ || progress.test_index() != latest_.test_index();
  is_told_ = true;
  latest_ = progress;
  if (is_new_test) {
    rpcs_ = errors_ = rate_rpcs_ = rate_elapsed_ns_ = 0;
    rpcs_per_second_ = 0;
  }
  if (!progress.has_traffic()) return;
  rpcs_ = errors_ = 0;
  for (const RpcCounts& rpc : progress.traffic().rpcs()) {
    rpcs_ += rpc.measured_successes() + rpc.warmup_successes() + rpc.failures();
    errors_ += rpc.failures();
  }
  UpdateRate();
}

void SequenceProgress::UpdateRate() {
  const int64_t elapsed_ns = latest_.traffic_elapsed_ns();
  const int64_t window_ns = elapsed_ns - rate_elapsed_ns_;
  if (window_ns < kRateWindowNs && rate_elapsed_ns_ > 0) return;
  if (window_ns <= 0) return;
  rpcs_per_second_ = static_cast<double>(rpcs_ - rate_rpcs_) * 1e9 / static_cast<double>(window_ns);
  rate_rpcs_ = rpcs_;
  rate_elapsed_ns_ = elapsed_ns;
}

std::string SequenceProgress::Line(absl::Duration elapsed) const {
  absl::Duration all;
  for (absl::Duration test : expected_) all += test;
  const std::string in_all = SecondsOf(elapsed, all, "about ");
  const bool is_only_test = expected_.size() == 1;
  if (!is_told_) return is_only_test ? in_all : absl::StrCat(expected_.size(), " tests, ", in_all);
  return is_only_test ? TestText() : absl::StrCat(TestText(), "; ", in_all, " in all");
}

std::string SequenceProgress::TestText() const {
  std::vector<std::string> label;
  if (expected_.size() != 1) {
    label.push_back(absl::StrCat("test ", latest_.test_index() + 1, " of ", latest_.test_count()));
  }
  if (!latest_.test_name().empty()) label.push_back(absl::StrCat("'", latest_.test_name(), "'"));
  const std::string text = latest_.has_traffic() ? TrafficText() : PhaseText(latest_.phase());
  return label.empty() ? text : absl::StrCat(absl::StrJoin(label, " "), ": ", text);
}

std::string SequenceProgress::TrafficText() const {
  const auto test = static_cast<size_t>(latest_.test_index());
  const absl::Duration expected = test < expected_.size() ? expected_[test] : absl::ZeroDuration();
  std::string text =
      absl::StrFormat("%s, %d RPCs, %.2f kQPS", SecondsOf(traffic_elapsed(), expected, ""), rpcs_,
                      rpcs_per_second_ / 1000);
  HistogramPageSlab slab;
  LogLinearHistogram latencies(slab);
  for (const RpcCounts& rpc : latest_.traffic().rpcs()) {
    // One that cannot be read is left out: this is for the eye.
    MergeHistogram(rpc.service_time_ns(), latencies).IgnoreError();
  }
  if (latencies.totals().count > 0) {
    absl::StrAppend(&text, ", p50 ", TimeText(latencies.Quantile(500'000)), ", p99 ",
                    TimeText(latencies.Quantile(990'000)));
  }
  return absl::StrCat(text, ", ", errors_, " errors");
}

}  // namespace distbench
