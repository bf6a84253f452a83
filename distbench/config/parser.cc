#include "distbench/config/parser.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/text_config.h"
#include "distbench/config/unknown_field.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

enum class BinaryMatch {
  kNo,             // not the wire format
  kUnknownFields,  // the wire format, perhaps by chance, or a newer version's
  kYes,
};

BinaryMatch ParseBinary(absl::string_view contents, google::protobuf::Message& message) {
  if (!message.ParseFromArray(contents.data(), static_cast<int>(contents.size()))) {
    return BinaryMatch::kNo;
  }
  return FindUnknownField(message).has_value() ? BinaryMatch::kUnknownFields : BinaryMatch::kYes;
}

// Bytes that no text has.
bool HasControlBytes(absl::string_view contents) {
  for (const char c : contents) {
    if (absl::ascii_iscntrl(c) && !absl::ascii_isspace(c)) return true;
  }
  return false;
}

absl::Status UnreadableBinary(absl::string_view file_name, const TestSequence& sequence,
                              BinaryMatch match) {
  if (match == BinaryMatch::kNo) {
    return absl::InvalidArgumentError(
        absl::StrCat(file_name, ": neither a text nor a binary TestSequence"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(file_name, ": ", *FindUnknownField(sequence),
                   " is unknown; the file is damaged or was written by a newer version"));
}

// Of two readings of a text that both fail, the one that came further is what was meant.
bool CameFurther(const TextErrors& a, const TextErrors& b) {
  return a.front().line != b.front().line ? a.front().line > b.front().line
                                          : a.front().column > b.front().column;
}

absl::StatusOr<TestSequence> ParseText(absl::string_view file_name, absl::string_view contents) {
  TestSequence sequence;
  const TextErrors sequence_errors = ParseTextConfig(contents, sequence);
  if (sequence_errors.empty()) return sequence;
  sequence.Clear();
  const TextErrors test_errors = ParseTextConfig(contents, *sequence.add_tests());
  if (test_errors.empty()) return sequence;
  const TextErrors& errors =
      CameFurther(test_errors, sequence_errors) ? test_errors : sequence_errors;
  std::string lines;
  for (const TextError& error : errors) {
    absl::StrAppend(&lines, lines.empty() ? "" : "\n", file_name, ":", error.line, ":",
                    error.column, ": ", error.message);
  }
  return absl::InvalidArgumentError(lines);
}

}  // namespace

absl::StatusOr<TestSequence> ParseTestSequence(absl::string_view file_name,
                                               absl::string_view contents) {
  if (contents.size() > INT32_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat(file_name, ": ", contents.size(), " bytes are more than a config may have"));
  }
  TestSequence sequence;
  const BinaryMatch match = ParseBinary(contents, sequence);
  if (match == BinaryMatch::kYes) return sequence;
  TestSequence single;
  if (ParseBinary(contents, *single.add_tests()) == BinaryMatch::kYes) return single;
  if (HasControlBytes(contents)) return UnreadableBinary(file_name, sequence, match);
  return ParseText(file_name, contents);
}

void AppendTestSequence(const TestSequence& more, TestSequence* sequence) {
  sequence->MergeFrom(more);  // appends what is repeated, overwrites what is set
}

}  // namespace distbench
