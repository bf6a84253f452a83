// SourceLocator: where in a text config the field of a diagnostic stands. Constant after
// construction, and then thread-safe.
//
//   SourceLocator locator(contents);
//   if (auto place = locator.Locate(diagnostic)) cerr << file << ":" << place->line << ...
#ifndef DISTBENCH_CONFIG_SOURCE_LOCATOR_H_
#define DISTBENCH_CONFIG_SOURCE_LOCATOR_H_

#include <memory>
#include <optional>

#include "absl/strings/string_view.h"
#include "distbench/config/diagnostics.h"

namespace distbench {

struct SourcePosition {
  int line = 1;  // both from 1
  int column = 1;

  friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

class SourceLocator {
 public:
  // Of what is no text config, nothing is found.
  explicit SourceLocator(absl::string_view contents);
  ~SourceLocator();

  // Where the field is written; if it is missing, where the message that lacks it is; if the text
  // has no such test, nothing. Positions of tests in `field_path` count within this text.
  std::optional<SourcePosition> Locate(const Diagnostic& diagnostic) const;

 private:
  struct Source;

  std::unique_ptr<const Source> source_;  // null: no text config
};

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_SOURCE_LOCATOR_H_
