#include "benchmarks/quantiles.h"

#include "distbench/base/status_macros.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "protos/statistics.pb.h"

namespace distbench {

absl::StatusOr<std::vector<double>> Quantiles(const Histogram& histogram,
                                              absl::Span<const uint32_t> parts_per_million) {
  HistogramPageSlab slab;
  LogLinearHistogram merged(slab);
  RETURN_IF_ERROR(MergeHistogram(histogram, merged));
  if (merged.totals().count == 0) return absl::NotFoundError("nothing was measured");
  std::vector<double> values;
  for (const uint32_t ppm : parts_per_million) {
    values.push_back(static_cast<double>(merged.Quantile(ppm)));
  }
  return values;
}

}  // namespace distbench
