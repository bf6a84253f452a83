#include "distbench/cli/checked_sequence.h"

#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/sequence_input.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/source_locator.h"

namespace distbench {

namespace {

// A diagnostic counts the tests of the whole sequence, a locator those of its own file: one whose
// path starts with "tests[7]." belongs to the file that has that test, any other one to any file.
std::optional<Diagnostic> WithinFile(Diagnostic diagnostic, const SequenceFile& file) {
  absl::string_view rest = diagnostic.field_path;
  if (!absl::ConsumePrefix(&rest, "tests[")) return diagnostic;
  const size_t end = rest.find(']');
  int test = 0;
  if (end == absl::string_view::npos || !absl::SimpleAtoi(rest.substr(0, end), &test)) {
    return diagnostic;
  }
  if (test < file.first_test || test >= file.first_test + file.test_count) return std::nullopt;
  diagnostic.field_path = absl::StrCat("tests[", test - file.first_test, rest.substr(end));
  return diagnostic;
}

class Locator {
 public:
  explicit Locator(const std::vector<SequenceFile>& files) {
    for (const SequenceFile& file : files) {
      files_.push_back({file, std::make_unique<SourceLocator>(file.contents)});
    }
  }

  // "FILE:LINE:COLUMN: ", or nothing where the place is not known.
  std::string Place(const Diagnostic& diagnostic) const {
    for (const auto& [file, locator] : files_) {
      const std::optional<Diagnostic> own = WithinFile(diagnostic, file);
      if (!own.has_value()) continue;
      const std::optional<SourcePosition> position = locator->Locate(*own);
      if (!position.has_value()) continue;
      return absl::StrCat(file.name, ":", position->line, ":", position->column, ": ");
    }
    return "";
  }

 private:
  std::vector<std::pair<SequenceFile, std::unique_ptr<SourceLocator>>> files_;
};

absl::Status Tell(const Diagnostics& diagnostics, const Locator& locator, std::ostream& warnings) {
  std::string errors;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const std::string place = locator.Place(diagnostic);
    if (diagnostic.severity == Diagnostic::Severity::kWarning) {
      warnings << place << "warning: " << diagnostic.ToString() << "\n";
    } else {
      absl::StrAppend(&errors, errors.empty() ? "" : "\n", place, diagnostic.ToString());
    }
  }
  if (errors.empty()) return absl::OkStatus();
  return absl::Status(diagnostics.ToStatus().code(), errors);
}

}  // namespace

absl::StatusOr<CheckedSequence> ReadCheckedSequence(const SequenceInput& input,
                                                    const KnownDrivers& drivers,
                                                    std::ostream& warnings) {
  std::vector<SequenceFile> files;
  CheckedSequence checked;
  ASSIGN_OR_RETURN(checked.given, input.Read(&files));
  checked.canonical = checked.given;
  Diagnostics diagnostics;
  checked.tests = CompileSequence(&checked.canonical, drivers, &diagnostics);
  RETURN_IF_ERROR(Tell(diagnostics, Locator(files), warnings));
  return checked;
}

}  // namespace distbench
