// NameTable: the names of one kind of definition (services, actions, ...) and where each stands.
// Reports names that are empty, duplicate or unknown, and remembers which were used. Not
// thread-safe.
#ifndef DISTBENCH_CONFIG_NAME_TABLE_H_
#define DISTBENCH_CONFIG_NAME_TABLE_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "distbench/config/reporter.h"

namespace distbench {

class NameTable {
 public:
  // `kind` reads in a sentence, "action list"; `field` is the config's list of them,
  // "action_lists". Every element of `definitions` has a name().
  template <typename Definitions>
  NameTable(std::string kind, std::string field, const Definitions& definitions, Reporter& report)
      : kind_(std::move(kind)), field_(std::move(field)) {
    names_.reserve(definitions.size());
    for (const auto& definition : definitions) Define(definition.name(), report);
  }

  // Position of the (first) definition of that name.
  std::optional<size_t> Find(absl::string_view name) const;

  // Find, and notes that the definition is used. An unknown name is an error of the field `path`.
  std::optional<size_t> Resolve(absl::string_view name, absl::string_view path, Reporter& report);

  // What to add to a message about an unknown name; empty once many were asked for.
  std::string Hint(absl::string_view name);

  void MarkUsed(size_t position) { used_[position] = true; }

  // Warns of every definition that was never resolved or marked.
  void WarnOfUnused(Reporter& report) const;

  const std::vector<std::string>& names() const { return names_; }

 private:
  void Define(const std::string& name, Reporter& report);

  const std::string kind_;
  const std::string field_;
  std::vector<std::string> names_;  // by position
  std::vector<bool> used_;          // by position
  absl::flat_hash_map<std::string, size_t> positions_;
  int hints_left_ = 100;  // each compares all names
};

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_NAME_TABLE_H_
