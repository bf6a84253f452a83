// Natural order of names: runs of digits compare as numbers, so node9 < node10 and
// grid/2/1 < grid/10/0. Pure.
#ifndef DISTBENCH_RESULTS_NATURAL_ORDER_H_
#define DISTBENCH_RESULTS_NATURAL_ORDER_H_

#include "absl/strings/string_view.h"

namespace distbench {

// Whether `a` comes before `b`. A total order: of two names that differ in leading zeros only, the
// one that is less as text comes first.
bool NaturalLess(absl::string_view a, absl::string_view b);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_NATURAL_ORDER_H_
