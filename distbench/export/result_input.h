// Reading result files of this program and of others that write the public format.
//
//   bytes --gzip? inflate--> text or binary TestSequenceResults --> statistics in every log
//                       '--> the native format's records ---'
//
// What a file is shows in its bytes, not in its name. Whatever the bytes are, the outcome is
// results that keep their own promises or one error that says what is wrong with the file; a file
// is not trusted. Damage that leaves a well-formed file with sound figures cannot be told, e.g. a
// binary file that was cut between two tests; compressed and native files have checksums and do
// tell. A native file that ends early is read up to its last whole record.
#ifndef DISTBENCH_EXPORT_RESULT_INPUT_H_
#define DISTBENCH_EXPORT_RESULT_INPUT_H_

#include <functional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "google/protobuf/io/zero_copy_stream.h"

namespace distbench {

class TestResult;
class TestSequenceResults;

struct ReadOptions {
  // False: samples of native files, which may be many, are skipped.
  bool samples = true;
  // Told what the reader of the results must know of the file, such as that it ends early.
  std::function<void(const std::string& note)> on_note = [](const std::string&) {};
};

// Reads the file, or standard input if `path` is "-". The results have at least one test. Logs that
// hold samples only, as other programs write them, have statistics afterwards.
absl::StatusOr<TestSequenceResults> ReadResultFile(const std::string& path,
                                                   const ReadOptions& options = {});

// The same from a stream; errors call it `name`.
absl::StatusOr<TestSequenceResults> ReadResults(const std::string& name,
                                                google::protobuf::io::ZeroCopyInputStream& input,
                                                const ReadOptions& options = {});

// Shows all samples, test by test, each test in as many pieces as it takes to hold few samples at a
// time: everything of it, but only some of its samples. Files of the public formats are one piece a
// test. `label` names the test as TestLabels() does. Returns the results without the samples that
// were shown apart.
absl::StatusOr<TestSequenceResults> ReadSamplePieces(
    const std::string& path, const ReadOptions& options,
    absl::FunctionRef<void(const std::string& label, const TestResult& piece)> visit);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_RESULT_INPUT_H_
