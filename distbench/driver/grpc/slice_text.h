// Slices as text, and text as slices.
#ifndef DISTBENCH_DRIVER_GRPC_SLICE_TEXT_H_
#define DISTBENCH_DRIVER_GRPC_SLICE_TEXT_H_

#include <grpc/slice.h>
#include <grpc/support/alloc.h>

#include <string>

#include "absl/strings/string_view.h"

namespace distbench {

// The text up to a zero byte, if there is one. The bytes are read by gRPC, which may have got them
// from another thread of its own in an order that the thread sanitizer does not see.
inline std::string ToText(const grpc_slice& slice) {
  char* copy = grpc_slice_to_c_string(slice);
  std::string text = copy;
  gpr_free(copy);
  return text;
}

inline grpc_slice ToSlice(absl::string_view text) {
  return grpc_slice_from_copied_buffer(text.data(), text.size());
}

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_SLICE_TEXT_H_
