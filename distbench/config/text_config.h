// Text format into a message, with every error that can be found in one reading.
#ifndef DISTBENCH_CONFIG_TEXT_CONFIG_H_
#define DISTBENCH_CONFIG_TEXT_CONFIG_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace distbench {

struct TextError {
  int line = 1;  // both from 1
  int column = 1;
  std::string message;
};
using TextErrors = std::vector<TextError>;  // in the order of the text

// Fills `message`. Unknown fields are passed over and reported one and all; reading ends at the
// first error of another kind.
TextErrors ParseTextConfig(absl::string_view text, google::protobuf::Message& message);

// The same, and notes where each field is written. `places` is empty before.
TextErrors ParseTextConfig(absl::string_view text, google::protobuf::Message& message,
                           google::protobuf::TextFormat::ParseInfoTree* places);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_TEXT_CONFIG_H_
