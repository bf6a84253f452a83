// Globs: names with `*`, which stands for any number of any characters but '/'. Every other
// character stands for itself.
#ifndef DISTBENCH_CONFIG_GLOB_H_
#define DISTBENCH_CONFIG_GLOB_H_

#include "absl/strings/string_view.h"

namespace distbench {

bool IsGlob(absl::string_view name);

// Takes time in proportion to the product of both lengths at most.
bool MatchesGlob(absl::string_view glob, absl::string_view name);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_GLOB_H_
