// The message TimeSeries: written from rows, and read back. A message may come from anywhere:
// nothing in it counts before it was checked.
#ifndef DISTBENCH_RESULTS_TIME_SERIES_PROTO_H_
#define DISTBENCH_RESULTS_TIME_SERIES_PROTO_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/results/time_series.h"

namespace distbench {

class TimeSeries;

// Whether `message` is what it promises to be. An error names the field.
absl::Status CheckTimeSeries(const TimeSeries& message);

// Adds the rows of `message` to `rows`. An error names the field and leaves `rows` as they were.
absl::Status AddTimeSeries(const TimeSeries& message, TimeSeriesRows* rows);

// `message` becomes the rows, settled.
void WriteTimeSeries(TimeSeriesRows rows, TimeSeries& message);

// What both say together. An error concerns `added`, also if it makes the sum count more RPCs than
// a message may. Requires: `sum` was written here.
absl::StatusOr<TimeSeries> SumOfTimeSeries(const TimeSeries& sum, const TimeSeries& added);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_TIME_SERIES_PROTO_H_
