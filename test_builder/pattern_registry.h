// PatternRegistry: the patterns that there are, by name. Not thread-safe while it is filled.
#ifndef TEST_BUILDER_PATTERN_REGISTRY_H_
#define TEST_BUILDER_PATTERN_REGISTRY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "test_builder/pattern.h"

namespace distbench {

// What the first word of a command line may be in place of a pattern; no pattern is called so.
inline constexpr absl::string_view kCommandWords[] = {"list", "show", "help", "parameter_sweep"};

class PatternRegistry {
 public:
  // An error if there is one of that name.
  absl::Status Add(std::unique_ptr<Pattern> pattern);

  // The error offers the nearest name, or command word.
  absl::StatusOr<const Pattern*> Find(absl::string_view name) const;

  // In the order in which they were added.
  const std::vector<std::unique_ptr<Pattern>>& all() const { return patterns_; }

 private:
  std::vector<std::unique_ptr<Pattern>> patterns_;
};

}  // namespace distbench

#endif  // TEST_BUILDER_PATTERN_REGISTRY_H_
