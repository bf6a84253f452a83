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

class SequenceInput {
 public:
  void DeclareFlags(FlagSet* flags);

  // The files of --infile one after the other, with the changes of --set.
  absl::StatusOr<TestSequence> Read() const;

  // As the user named them; standard input if there is no flag.
  std::vector<std::string> file_names() const;

 private:
  std::vector<std::string> infiles_;  // each may be several, with commas between
  std::vector<std::string> settings_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_SEQUENCE_INPUT_H_
