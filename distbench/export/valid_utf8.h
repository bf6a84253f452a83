// Text from files and peers may be any bytes; JSON must be UTF-8. Pure.
#ifndef DISTBENCH_EXPORT_VALID_UTF8_H_
#define DISTBENCH_EXPORT_VALID_UTF8_H_

#include <string>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"

namespace distbench {

// `text` with U+FFFD in place of each byte that belongs to no UTF-8 character.
std::string ValidUtf8(absl::string_view text);

// Makes every string in `message` and in what it contains valid.
void MakeValidUtf8(google::protobuf::Message* message);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_VALID_UTF8_H_
