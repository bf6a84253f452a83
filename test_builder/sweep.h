// Sweeps: parameters that take one value after another, a test for each.
//
//   parameter_sweep NAME[,NAME...] START STEP END      START, START + STEP, ... up to END
//   parameter_sweep NAME[,NAME...] START xFACTOR END   START, START * FACTOR, ... up to END
//   parameter_sweep NAME[,NAME...] VALUE,VALUE,...     these values
//   parameter_sweep NAME,NAME... VALUE/VALUE,...       these values together, one for each name
//
// Several names change together. Several sweeps are combined, each value of one with each of the
// others. A value that begins with `<` stands for what the file of that name holds.
#ifndef TEST_BUILDER_SWEEP_H_
#define TEST_BUILDER_SWEEP_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "test_builder/parameter.h"

namespace distbench {

inline constexpr char kSweepWord[] = "parameter_sweep";

struct SweptValue {
  std::string value;
  std::string file;  // which holds it; empty: none
};

// Parameters that change together.
struct Sweep {
  std::vector<std::string> names;
  // Each has a value for each name. Not empty.
  std::vector<std::vector<SweptValue>> steps;
};

// Takes the sweeps out of `arguments`, in their order. `read_file` is asked for files of values.
absl::StatusOr<std::vector<Sweep>> TakeSweeps(
    std::vector<std::string>* arguments,
    absl::FunctionRef<absl::StatusOr<std::string>(const std::string& path)> read_file);

// How many combinations there are: without sweeps one, of nothing.
size_t CountPoints(const std::vector<Sweep>& sweeps);

// One of them. The values of the last sweep change fastest.
std::vector<NamedValue> SweepPoint(const std::vector<Sweep>& sweeps, size_t index);

}  // namespace distbench

#endif  // TEST_BUILDER_SWEEP_H_
