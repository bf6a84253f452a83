// Diagnostics: everything that a config gets wrong, collected so that a person can mend it in one
// go. Not thread-safe.
#ifndef DISTBENCH_CONFIG_DIAGNOSTICS_H_
#define DISTBENCH_CONFIG_DIAGNOSTICS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace distbench {

struct Diagnostic {
  enum class Severity { kError, kWarning };
  // What kind of error: a wrong config (kInvalidArgument) or one that asks for something that this
  // program cannot do (kUnimplemented).
  Severity severity = Severity::kError;
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
  std::string test_name;  // empty: the sequence itself, or a test without name
  // "actions[2].iterations.max_parallel_iterations"; starts with "tests[3]." where the test's name
  // does not say which test it is. Never empty.
  std::string field_path;
  std::string message;  // value, what is wrong with it, and the remedy

  // "test 'clique', actions[2].rpc_name: ..."
  std::string ToString() const;
};

class Diagnostics {
 public:
  void Error(absl::string_view test_name, absl::string_view field_path, absl::string_view message);
  void Unsupported(absl::string_view test_name, absl::string_view field_path,
                   absl::string_view message);
  void Warning(absl::string_view test_name, absl::string_view field_path,
               absl::string_view message);

  // Adds all of `more`, in its order.
  void Append(const Diagnostics& more);

  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return all_; }

  // OK, or all errors, a line each. The code is kUnimplemented if all errors are of that kind.
  absl::Status ToStatus() const;

 private:
  std::vector<Diagnostic> all_;
};

// " (did you mean 'client'?)" with the nearest of `known` and those that contain the name or its
// words, whatever the case; or " (known: a, b, c)" if there are none, or "" if nothing is known.
// Long lists are cut.
std::string NearestNameHint(absl::string_view name, const std::vector<std::string>& known);

// A name or value from outside, as messages show it: cut if it is long, escaped where it would
// break the line or is no UTF-8; Quoted puts it in single quotes.
std::string Escaped(absl::string_view value);
std::string Quoted(absl::string_view value);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_DIAGNOSTICS_H_
