// ErrorTable: the different error texts that one recorder met, numbered from 1.
//
// Texts come from peers, so memory is bounded: a text is cut at kMaxTextBytes, and after
// kMaxTexts different ones all new ones share the last number. Not thread-safe.
#ifndef DISTBENCH_RESULTS_ERROR_TABLE_H_
#define DISTBENCH_RESULTS_ERROR_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace distbench {

class ErrorTable {
 public:
  static constexpr size_t kMaxTextBytes = 1000;
  static constexpr size_t kMaxTexts = 1000;

  // The number of `text`, in [1, kMaxTexts]. An empty text counts as "unknown error".
  uint16_t Number(absl::string_view text);

  // By number; the first is empty and means no error.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_{std::string()};
  absl::flat_hash_map<std::string, uint16_t> numbers_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_ERROR_TABLE_H_
