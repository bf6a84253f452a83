#include "distbench/cli/result_output.h"

#include <iostream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/cli/flag_set.h"
#include "distbench/export/summary_text.h"
#include "protos/distbench.pb.h"

namespace distbench {

void ResultOutput::DeclareFlags(FlagSet* flags) {
  flags->Add("outfile", &outfile_, "FILE",
             "Write results here; the file appears when they are complete. The summary goes to "
             "standard output, or to standard error if the results go there.");
  flags->Add("binary_output", &binary_, "", "Write results as a binary proto instead of text.");
}

absl::Status ResultOutput::Check() const {
  if (!absl::EndsWith(outfile_, ".gz")) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--outfile=", outfile_, ": compressed results cannot be written; leave out .gz"));
}

absl::StatusOr<ResultFile> ResultOutput::Open() const { return ResultFile::Open(outfile_); }

absl::Status ResultOutput::Tell(const TestSequenceResults& results, ResultFile* file) const {
  PrintSummaries(results, file->is_standard_output() ? std::cerr : std::cout);
  return file->Write(results, binary_ ? ResultFile::Format::kBinary : ResultFile::Format::kText);
}

}  // namespace distbench
