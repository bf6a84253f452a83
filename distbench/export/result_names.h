// Names of what a result is about, as exports show them. Names come from files: they may be
// missing, the same twice, or anything at all. Pure.
#ifndef DISTBENCH_EXPORT_RESULT_NAMES_H_
#define DISTBENCH_EXPORT_RESULT_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"

namespace distbench {

class ErrorDictionary;
class TestResult;
class TestSequenceResults;

// Makes names unique among those that it has given.
class UniqueNames {
 public:
  // `name`, or if that was given before `name_2`, `name_3`, ...
  std::string Take(const std::string& name);

 private:
  absl::flat_hash_set<std::string> taken_;
};

// The label of the test at `index`; those before it have taken theirs from `names`.
std::string TakeTestLabel(const TestResult& test, int index, UniqueNames& names);

// For each test of `results` a name that no other has: its own, or `test1` for the first if it has
// none.
std::vector<std::string> TestLabels(const TestSequenceResults& results);

// Name of the RPC at this position in the config of `test`, or `unknown RPC 7`.
std::string RpcName(const TestResult& test, int32_t rpc);

// Text of a failed RPC's error; never empty.
std::string ErrorText(const ErrorDictionary& dictionary, int32_t error_index);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_RESULT_NAMES_H_
