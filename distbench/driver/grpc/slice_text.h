// A slice's bytes as text. The view lives as long as the slice stays where it is.
#ifndef DISTBENCH_DRIVER_GRPC_SLICE_TEXT_H_
#define DISTBENCH_DRIVER_GRPC_SLICE_TEXT_H_

#include <grpc/slice.h>

#include "absl/strings/string_view.h"

namespace distbench {

inline absl::string_view AsText(const grpc_slice& slice) {
  return {reinterpret_cast<const char*>(GRPC_SLICE_START_PTR(slice)), GRPC_SLICE_LENGTH(slice)};
}

inline grpc_slice CopyToSlice(absl::string_view text) {
  return grpc_slice_from_copied_buffer(text.data(), text.size());
}

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_SLICE_TEXT_H_
