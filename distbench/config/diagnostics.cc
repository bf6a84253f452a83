#include "distbench/config/diagnostics.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

Diagnostic MakeDiagnostic(Diagnostic::Severity severity, absl::StatusCode code,
                          absl::string_view test_name, absl::string_view field_path,
                          absl::string_view message) {
  return {.severity = severity,
          .code = code,
          .test_name = std::string(test_name),
          .field_path = std::string(field_path),
          .message = std::string(message)};
}

}  // namespace

std::string Diagnostic::ToString() const {
  const std::string test =
      test_name.empty() ? std::string() : absl::StrCat("test ", Quoted(test_name), ", ");
  return absl::StrCat(test, field_path, ": ", message);
}

void Diagnostics::Error(absl::string_view test_name, absl::string_view field_path,
                        absl::string_view message) {
  all_.push_back(MakeDiagnostic(Diagnostic::Severity::kError, absl::StatusCode::kInvalidArgument,
                                test_name, field_path, message));
}

void Diagnostics::Unsupported(absl::string_view test_name, absl::string_view field_path,
                              absl::string_view message) {
  all_.push_back(MakeDiagnostic(Diagnostic::Severity::kError, absl::StatusCode::kUnimplemented,
                                test_name, field_path, message));
}

void Diagnostics::Warning(absl::string_view test_name, absl::string_view field_path,
                          absl::string_view message) {
  all_.push_back(MakeDiagnostic(Diagnostic::Severity::kWarning, absl::StatusCode::kOk, test_name,
                                field_path, message));
}

void Diagnostics::Append(const Diagnostics& more) {
  all_.insert(all_.end(), more.all_.begin(), more.all_.end());
}

bool Diagnostics::has_errors() const {
  return std::any_of(all_.begin(), all_.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Diagnostic::Severity::kError;
  });
}

absl::Status Diagnostics::ToStatus() const {
  std::string lines;
  bool all_unimplemented = true;
  for (const Diagnostic& diagnostic : all_) {
    if (diagnostic.severity != Diagnostic::Severity::kError) continue;
    absl::StrAppend(&lines, lines.empty() ? "" : "\n", diagnostic.ToString());
    all_unimplemented &= diagnostic.code == absl::StatusCode::kUnimplemented;
  }
  if (lines.empty()) return absl::OkStatus();
  return all_unimplemented ? absl::UnimplementedError(lines) : absl::InvalidArgumentError(lines);
}

}  // namespace distbench
