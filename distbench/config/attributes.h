// Attributes: what is known of a node or an endpoint, as text by name; constraints are held against
// it. Not thread-safe.
#ifndef DISTBENCH_CONFIG_ATTRIBUTES_H_
#define DISTBENCH_CONFIG_ATTRIBUTES_H_

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace distbench {

class Attributes {
 public:
  Attributes() = default;

  // Of messages with a name() and a value(), such as ServiceEndpoint.attributes.
  template <typename Messages>
  explicit Attributes(const Messages& messages) {
    for (const auto& attribute : messages) Set(attribute.name(), attribute.value());
  }

  // The last value of a name counts: an endpoint lists its node's attributes first, then its own.
  void Set(std::string name, std::string value) {
    value_by_name_.insert_or_assign(std::move(name), std::move(value));
  }

  // Null if there is none. Valid until the next Set.
  const std::string* Find(absl::string_view name) const {
    const auto found = value_by_name_.find(name);
    return found == value_by_name_.end() ? nullptr : &found->second;
  }

 private:
  absl::flat_hash_map<std::string, std::string> value_by_name_;
};

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_ATTRIBUTES_H_
