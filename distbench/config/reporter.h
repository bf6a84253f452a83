// Reporter: the diagnostics of one test, so that what checks a part of it names the field alone.
// Not thread-safe. Borrows the Diagnostics that it writes to.
#ifndef DISTBENCH_CONFIG_REPORTER_H_
#define DISTBENCH_CONFIG_REPORTER_H_

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "distbench/config/diagnostics.h"

namespace distbench {

class Reporter {
 public:
  // `path_prefix` goes before every field path; see Diagnostic::field_path.
  Reporter(std::string test_name, std::string path_prefix, Diagnostics& diagnostics)
      : test_name_(std::move(test_name)),
        path_prefix_(std::move(path_prefix)),
        diagnostics_(diagnostics) {}

  void Error(absl::string_view path, absl::string_view message) {
    diagnostics_.Error(test_name_, absl::StrCat(path_prefix_, path), message);
  }
  void Unsupported(absl::string_view path, absl::string_view message) {
    diagnostics_.Unsupported(test_name_, absl::StrCat(path_prefix_, path), message);
  }
  void Warning(absl::string_view path, absl::string_view message) {
    diagnostics_.Warning(test_name_, absl::StrCat(path_prefix_, path), message);
  }

 private:
  const std::string test_name_;
  const std::string path_prefix_;
  Diagnostics& diagnostics_;
};

// "actions[3]", and with a field "actions[3].rpc_name"; "node_service_bundles[node0]" of a map.
inline std::string ElementPath(absl::string_view list, size_t position) {
  return absl::StrCat(list, "[", position, "]");
}
inline std::string ElementPath(absl::string_view list, size_t position, absl::string_view field) {
  return absl::StrCat(list, "[", position, "].", field);
}

inline std::string KeyPath(absl::string_view map, absl::string_view key) {
  return absl::StrCat(map, "[", Escaped(key), "]");
}

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_REPORTER_H_
