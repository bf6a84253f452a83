// SampleFlags: where a daemon keeps samples until they are fetched, as flags. Not thread-safe.
#ifndef DISTBENCH_CLI_SAMPLE_FLAGS_H_
#define DISTBENCH_CLI_SAMPLE_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "distbench/results/sample_store.h"

namespace distbench {

class FlagSet;

class SampleFlags {
 public:
  SampleFlags();

  void Declare(FlagSet* flags);
  // Whether the flags make sense and the folder can be written to.
  absl::Status Check() const;
  SampleStoreOptions options() const;

 private:
  int memory_mib_ = 256;
  std::string folder_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_SAMPLE_FLAGS_H_
