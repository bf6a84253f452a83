// A cycle as messages show it: 'a' -> 'b' -> 'a'.
#ifndef DISTBENCH_CONFIG_DESCRIBE_CYCLE_H_
#define DISTBENCH_CONFIG_DESCRIBE_CYCLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"

namespace distbench {

// Names along the cycle, each once. Of a long one the middle is left out. Requires: not empty.
inline std::string DescribeCycle(const std::vector<std::string>& names) {
  constexpr size_t kMostShown = 10;
  std::string way;
  for (size_t i = 0; i < names.size() && i < kMostShown; ++i) {
    absl::StrAppend(&way, Quoted(names[i]), " -> ");
  }
  if (names.size() > kMostShown) {
    absl::StrAppend(&way, "(", names.size() - kMostShown, " more) -> ");
  }
  return absl::StrCat(way, Quoted(names.front()));
}

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_DESCRIBE_CYCLE_H_
