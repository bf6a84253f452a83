// The format `time_series`: how tests went, a row for each row of the time series and each RPC of
// which some ended then. RFC 4180, as in sample_csv.h. Pure.
//
//   test                 name of the test; `test1`, ... without one
//   time_s               begin of the row, since the traffic's start
//   row_s                its duration: 1, or a power of two in long tests
//   rpc                  name of the RPC
//   successes, failures, warmup_successes   RPCs that ended; failures of the warmup too
//   kqps                 successes in thousands per second
//   request_mib_s, response_mib_s           their messages, per second
//   p50_us, p90_us, p99_us, max_us          their service time, to 0.8 %; empty without successes
//
// "Successes" are those that were measured, that is without warmup. Rates are over the whole row,
// also where traffic began or ended within it.
#ifndef DISTBENCH_EXPORT_TIME_SERIES_CSV_H_
#define DISTBENCH_EXPORT_TIME_SERIES_CSV_H_

#include <cstdint>
#include <ostream>

#include "absl/status/status.h"

namespace distbench {

class TestSequenceResults;

// An error means that a histogram contradicts itself.
absl::Status WriteTimeSeriesCsv(const TestSequenceResults& results, std::ostream& out);

// Finished RPCs that the logs count and no time series tells of.
int64_t CountRpcsWithoutTime(const TestSequenceResults& results);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_TIME_SERIES_CSV_H_
