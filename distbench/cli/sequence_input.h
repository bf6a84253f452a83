// SequenceInput: the flags that say which tests to read, and the reading. Shared by the modes that
// take tests. Not thread-safe.
#ifndef DISTBENCH_CLI_SEQUENCE_INPUT_H_
#define DISTBENCH_CLI_SEQUENCE_INPUT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace distbench {

class FlagSet;
class TestSequence;

// What was read from one file, and which tests of the whole sequence came from it.
struct SequenceFile {
  std::string name;
  std::string contents;
  int first_test = 0;
  int test_count = 0;
};

class SequenceInput {
 public:
  void DeclareFlags(FlagSet* flags);

  // The files of --infile one after the other, with the changes of --set. `files`, if not null, is
  // told what was read.
  absl::StatusOr<TestSequence> Read(std::vector<SequenceFile>* files = nullptr) const;

  // As the user named them; standard input if there is no flag.
  std::vector<std::string> file_names() const;

 private:
  std::vector<std::string> infiles_;  // each may be several, with commas between
  std::vector<std::string> settings_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_SEQUENCE_INPUT_H_
