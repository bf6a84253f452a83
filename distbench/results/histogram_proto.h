// Histograms as messages. A message may come from anywhere: it is checked against its own promises
// before a single value of it counts.
#ifndef DISTBENCH_RESULTS_HISTOGRAM_PROTO_H_
#define DISTBENCH_RESULTS_HISTOGRAM_PROTO_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/results/histogram.h"
#include "distbench/results/peer_histogram.h"

namespace distbench {

class Histogram;

// No message counts more than this: 10^9 a second for three days. Sums of counts over any number of
// messages that fit in memory therefore stay far from overflow.
inline constexpr int64_t kMaxMessageCount = int64_t{1} << 48;

void WriteHistogram(const LogLinearHistogram& histogram, Histogram& message);
void WriteHistogram(const PeerHistogram& histogram, Histogram& message);

// What a message counts.
struct HistogramContents {
  struct Bucket {
    uint32_t index = 0;  // in `layout`
    uint64_t count = 0;
  };

  HistogramLayout layout{0};
  LogLinearHistogram::Totals totals;
  std::vector<Bucket> buckets;  // ascending, none is empty
};

// An error names the field that is wrong.
absl::StatusOr<HistogramContents> ReadHistogram(const Histogram& message);

// Adds what `message` counts to `histogram`, exactly where the layouts are the same, else with the
// precision of the coarser one. An error leaves `histogram` as it was.
absl::Status MergeHistogram(const Histogram& message, LogLinearHistogram& histogram);

// Whether MergeHistogram would accept `message`. An error begins with `field` and a dot.
absl::Status CheckHistogram(absl::string_view field, const Histogram& message);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_HISTOGRAM_PROTO_H_
