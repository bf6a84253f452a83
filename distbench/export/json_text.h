// Messages as JSON: the same text each time for the same message, and UTF-8 whatever its strings
// hold. Fields have the names of the .proto file. Pure.
#ifndef DISTBENCH_EXPORT_JSON_TEXT_H_
#define DISTBENCH_EXPORT_JSON_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "google/protobuf/message.h"

namespace distbench {

enum class JsonLayout { kOneLine, kIndented };

// Bytes in the strings of `message` that are no UTF-8 are replaced in it.
absl::StatusOr<std::string> JsonText(google::protobuf::Message* message, JsonLayout layout);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_JSON_TEXT_H_
