// Reading result files of this program and of others that write the public format.
//
//   bytes --gzip? inflate--> text or binary TestSequenceResults --> statistics in every log
//
// What a file is shows in its bytes, not in its name. Whatever the bytes are, the outcome is
// results that keep their own promises or one error that says what is wrong with the file; a file
// is not trusted. Damage that leaves a well-formed file with sound figures cannot be told, e.g. a
// binary file that was cut between two tests; compressed files have a checksum and do tell.
#ifndef DISTBENCH_EXPORT_RESULT_INPUT_H_
#define DISTBENCH_EXPORT_RESULT_INPUT_H_

#include <string>

#include "absl/status/statusor.h"
#include "google/protobuf/io/zero_copy_stream.h"

namespace distbench {

class TestSequenceResults;

// Reads the file, or standard input if `path` is "-". The results have at least one test. Logs that
// hold samples only, as other programs write them, have statistics afterwards.
absl::StatusOr<TestSequenceResults> ReadResultFile(const std::string& path);

// The same from a stream; errors call it `name`.
absl::StatusOr<TestSequenceResults> ReadResults(const std::string& name,
                                                google::protobuf::io::ZeroCopyInputStream& input);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_RESULT_INPUT_H_
