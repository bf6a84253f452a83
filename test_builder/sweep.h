// Sweeps: parameters that take one value after another, a test for each.
//
//   parameter_sweep NAME[,NAME...] START STEP END      START, START + STEP, ... up to END
//   parameter_sweep NAME[,NAME...] START xFACTOR END   START, START * FACTOR, ... up to END
//   parameter_sweep NAME[,NAME...] VALUE,VALUE,...     these values
//   parameter_sweep NAME,NAME... VALUE/VALUE,...       these values together, one for each name
//
// Several names change together. Several sweeps are combined, each value of one with each of the
// others. Pure.
#ifndef TEST_BUILDER_SWEEP_H_
#define TEST_BUILDER_SWEEP_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "test_builder/parameter.h"

namespace distbench {

// Parameters that change together.
struct Sweep {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> steps;  // each has a value for each name; not empty
};

// Takes the sweeps out of `arguments`, in their order.
absl::StatusOr<std::vector<Sweep>> TakeSweeps(std::vector<std::string>* arguments);

// All combinations, the values of the last sweep changing fastest; without sweeps one, of nothing.
std::vector<std::vector<NamedValue>> SweepPoints(const std::vector<Sweep>& sweeps);

}  // namespace distbench

#endif  // TEST_BUILDER_SWEEP_H_
