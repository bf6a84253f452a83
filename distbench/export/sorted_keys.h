// Keys of a protobuf map in an order that people expect and that is the same each time: the map's
// own is neither. Pure.
#ifndef DISTBENCH_EXPORT_SORTED_KEYS_H_
#define DISTBENCH_EXPORT_SORTED_KEYS_H_

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "distbench/results/natural_order.h"

namespace distbench {

// Names in natural order, numbers in theirs.
template <typename Map>
auto SortedKeys(const Map& map) {
  using Key = std::remove_const_t<typename Map::key_type>;
  std::vector<Key> keys;
  keys.reserve(map.size());
  for (const auto& entry : map) keys.push_back(entry.first);
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    if constexpr (std::is_same_v<Key, std::string>) {
      return NaturalLess(a, b);
    } else {
      return a < b;
    }
  });
  return keys;
}

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_SORTED_KEYS_H_
