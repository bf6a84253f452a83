#include "distbench/export/trace_spans.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "distbench/export/logged_samples.h"
#include "distbench/export/result_names.h"
#include "distbench/export/trace_path.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

template <typename T>
using MinQueue = std::priority_queue<T, std::vector<T>, std::greater<T>>;

int64_t EndOf(int64_t start_ns, int64_t latency_ns) {
  int64_t end_ns = 0;
  if (__builtin_add_overflow(start_ns, std::max<int64_t>(latency_ns, 0), &end_ns)) {
    return std::numeric_limits<int64_t>::max();
  }
  return end_ns;
}

// Gives lanes to spans that come in the order of their start.
class Lanes {
 public:
  // The lowest lane that is free from `start_ns` on, taken until `end_ns`.
  size_t Take(int64_t start_ns, int64_t end_ns) {
    while (!busy_.empty() && busy_.top().first <= start_ns) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    size_t lane = busy_.size();
    if (!free_.empty()) {
      lane = free_.top();
      free_.pop();
    }
    busy_.emplace(end_ns, lane);
    return lane;
  }

 private:
  MinQueue<std::pair<int64_t, size_t>> busy_;  // end and lane
  MinQueue<size_t> free_;                      // with busy_ all lanes that there are
};

// The spans of one test, without lanes and parents.
std::vector<TraceSpan> SpansOf(const TestResult& test, const std::string& name_prefix,
                               std::vector<TraceProcess>* processes) {
  std::vector<TraceSpan> spans;
  ForEachSample(test, [&](const LoggedSample& logged) {
    if (!logged.sample.has_trace_context()) return;
    const std::string process = absl::StrCat(name_prefix, logged.client);
    if (spans.empty() || processes->back().name != process) processes->push_back({.name = process});
    TraceSpan span;
    span.process = processes->size() - 1;
    span.path = TracePath(logged.sample.trace_context());
    span.rpc = logged.rpc;
    span.server = logged.server;
    span.error = logged.error;
    span.start_ns = logged.start_timestamp_ns;
    span.end_ns = EndOf(span.start_ns, logged.sample.latency_ns());
    span.sample = &logged.sample;
    spans.push_back(std::move(span));
  });
  return spans;
}

void SortAndLink(std::vector<TraceSpan>& spans, size_t first_position) {
  const auto order = [](const TraceSpan& span) {
    return std::tie(span.process, span.start_ns, span.path);
  };
  std::sort(spans.begin(), spans.end(),
            [&](const TraceSpan& a, const TraceSpan& b) { return order(a) < order(b); });
  absl::flat_hash_map<std::string, size_t> positions;
  absl::flat_hash_map<size_t, Lanes> lanes;
  for (size_t i = 0; i < spans.size(); ++i) {
    positions.emplace(spans[i].path, first_position + i);
    spans[i].lane = lanes[spans[i].process].Take(spans[i].start_ns, spans[i].end_ns);
  }
  for (TraceSpan& span : spans) {
    const auto parent = positions.find(ParentPath(span.path));
    if (parent != positions.end() && !ParentPath(span.path).empty()) span.parent = parent->second;
  }
}

}  // namespace

TraceSpans CollectTraceSpans(const TestSequenceResults& results) {
  TraceSpans all;
  const std::vector<std::string> labels = TestLabels(results);
  for (int i = 0; i < results.test_results_size(); ++i) {
    const std::string prefix = labels.size() > 1 ? absl::StrCat(labels[i], ": ") : "";
    std::vector<TraceSpan> spans = SpansOf(results.test_results(i), prefix, &all.processes);
    SortAndLink(spans, all.spans.size());
    std::move(spans.begin(), spans.end(), std::back_inserter(all.spans));
  }
  return all;
}

}  // namespace distbench
