#include "distbench/cli/result_output.h"

#include <iostream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/result_destination.h"

namespace distbench {

void ResultOutput::DeclareFlags(FlagSet* flags) {
  flags->Add("outfile", &outfile_, "FILE",
             "Write results here; the file appears when they are complete. The summary goes to "
             "standard output, or to standard error if the results go there.");
  flags->Add("binary_output", &binary_, "", "Write results as a binary proto instead of text.");
  flags->Add("native_output", &native_, "",
             "Write results in the native format: of any size, and as they come. `distbench "
             "export` reads it.");
}

absl::Status ResultOutput::Check() const {
  if (absl::EndsWith(outfile_, ".gz")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--outfile=", outfile_, ": compressed results cannot be written; leave out .gz"));
  }
  if (!binary_ || !native_) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--binary_output and --native_output name different formats; leave one out");
}

absl::StatusOr<std::unique_ptr<ResultDestination>> ResultOutput::Open() const {
  using Format = ResultDestination::Format;
  const bool is_standard_output = outfile_.empty() || outfile_ == "-" || outfile_ == "/dev/stdout";
  return ResultDestination::Open(outfile_,
                                 native_   ? Format::kNative
                                 : binary_ ? Format::kBinary
                                           : Format::kText,
                                 is_standard_output ? std::cerr : std::cout);
}

}  // namespace distbench
