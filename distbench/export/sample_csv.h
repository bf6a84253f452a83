// The format `csv`: all samples, a row each, as RFC 4180 has it: a header line, lines that end in
// CR LF, fields with quotes, commas or line breaks in quotes. Pure.
//
//   test                 name of the test; `test1`, ... without one
//   client, server       instances; no server for replayed RPCs, whose log does not tell it
//   rpc                  name of the RPC, or of the replay trace
//   start_timestamp_ns   actual start, since the epoch
//   latency_ns           from there to the end
//   request_bytes, response_bytes   whole serialized messages
//   warmup, failed       0 or 1
//   error                text; empty unless failed
//   latency_weight_ns    time since the previous start in the same slot of a closed loop; empty for
//                        the first and in open loop
//   server_rank          who served, where a multi-server channel chose; else empty
//   replay_record        position in the replay trace; empty for other RPCs
//   trace                the way that led to a traced RPC, see trace_path.h; empty for others
#ifndef DISTBENCH_EXPORT_SAMPLE_CSV_H_
#define DISTBENCH_EXPORT_SAMPLE_CSV_H_

#include <ostream>
#include <string>

#include "absl/strings/string_view.h"

namespace distbench {

class TestResult;
class TestSequenceResults;

void WriteSampleCsv(const TestSequenceResults& results, std::ostream& out);

// The same in parts: the header line, then the rows of each test, or of each piece of one.
void WriteSampleCsvHeader(std::ostream& out);
void WriteSampleCsvRows(const std::string& test_label, const TestResult& test, std::ostream& out);

// `text` as a field.
std::string CsvField(absl::string_view text);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_SAMPLE_CSV_H_
