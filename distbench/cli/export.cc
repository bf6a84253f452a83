// export: writes results in the formats of other tools.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/modes.h"
#include "distbench/cli/result_file.h"
#include "distbench/cli/result_folder.h"
#include "distbench/cli/user_path.h"
#include "distbench/config/diagnostics.h"
#include "distbench/export/analysis_tree.h"
#include "distbench/export/hdr_log.h"
#include "distbench/export/logged_samples.h"
#include "distbench/export/public_results.h"
#include "distbench/export/result_input.h"
#include "distbench/export/sample_csv.h"
#include "distbench/export/summary_json.h"
#include "distbench/export/summary_text.h"
#include "distbench/export/time_series_csv.h"
#include "distbench/export/trace_json.h"
#include "protos/distbench.pb.h"

namespace distbench {

namespace {

constexpr char kCsv[] = "csv";

void NoteMissingSamples(const TestSequenceResults& results) {
  const int64_t left_out = CountSamplesLeftOut(results);
  if (left_out == 0) return;
  std::cerr << "distbench export: the results have no sample of " << left_out
            << " finished RPCs, so this export does not show them\n";
}

void NoteMissingTimes(const TestSequenceResults& results) {
  const int64_t missing = CountRpcsWithoutTime(results);
  if (missing == 0) return;
  std::cerr << "distbench export: the results do not tell when " << missing
            << " finished RPCs ended, so this export does not show them\n";
}

// A format that is one file.
struct FileFormat {
  const char* name;
  absl::Status (*write)(const TestSequenceResults& results, std::ostream& out);
  bool shows_samples;
  void (*note_missing)(const TestSequenceResults& results);  // null: nothing can be missing
};
constexpr FileFormat kFileFormats[] = {
    {"text", &WriteSummaryText, false, nullptr},
    {"json", &WriteSummaryJson, false, nullptr},
    {"hdr", &WriteHdrLog, false, nullptr},
    {"time_series", &WriteTimeSeriesCsv, false, &NoteMissingTimes},
    {"trace", &WriteTraceJson, true, &NoteMissingSamples},
    {"binary", &WriteBinaryResults, true, nullptr},
    {"textproto", &WriteTextResults, true, nullptr},
};

// A format that is a folder of files.
struct TreeFormat {
  const char* name;
  AnalysisFormat format;
};
constexpr TreeFormat kTreeFormats[] = {
    {"analysis_default", AnalysisFormat::kDefault},
    {"analysis_homa", AnalysisFormat::kHoma},
    {"analysis_statistics", AnalysisFormat::kStatistics},
    {"analysis_trace_context", AnalysisFormat::kTraceContext},
};

template <typename Format, size_t n>
const Format* Find(const Format (&formats)[n], const std::string& name) {
  for (const Format& format : formats) {
    if (name == format.name) return &format;
  }
  return nullptr;
}

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const FileFormat& format : kFileFormats) names.push_back(format.name);
  names.push_back(kCsv);
  for (const TreeFormat& format : kTreeFormats) names.push_back(format.name);
  return names;
}

void Note(const std::string& note) { std::cerr << "distbench export: " << note << "\n"; }

constexpr char kDetails[] =
    "The format of FILE (native, text, binary, or one of these compressed by gzip; of this "
    "program\n"
    "or of another that writes TestSequenceResults) shows in its bytes. Formats to export to:\n"
    "\n"
    "  text    the summary, as it was printed when the tests ran\n"
    "  json    the figures of the summary and more, with a versioned schema\n"
    "  csv     a row for each sample\n"
    "  hdr     service times as a histogram log of HdrHistogram (V2)\n"
    "  time_series\n"
    "          counts, rates and service times of each second and RPC, as CSV\n"
    "  trace   traced RPCs as slices, for Perfetto and Chrome's tracing\n"
    "  binary, textproto\n"
    "          everything, as a TestSequenceResults of up to 2 GiB\n"
    "  analysis_default, analysis_homa, analysis_statistics, analysis_trace_context\n"
    "          a folder tree with the latencies of successful samples, a file for each RPC\n"
    "\n"
    "docs/export.md describes each.\n";

class ExportMode final : public Mode {
 public:
  std::string name() const override { return "export"; }
  std::string summary() const override { return "Write results in the formats of other tools."; }
  std::string details() const override { return kDetails; }
  void DeclareFlags(FlagSet* flags) override;
  absl::Status Accept(const std::vector<std::string>& words) override;
  absl::Status Run(const std::vector<std::string>&) override;

 private:
  absl::Status CheckTreeFlags() const;
  absl::Status ExportCsv(const std::string& path) const;
  absl::Status ExportFile(const TestSequenceResults& results, const FileFormat& format) const;
  absl::Status ExportTree(const TestSequenceResults& results, const TreeFormat& format) const;

  std::string infile_;
  std::string outfile_ = "/dev/stdout";
  std::string format_ = "text";
  bool suppress_header_ = false;
  bool consider_warmups_ = false;
};

void ExportMode::DeclareFlags(FlagSet* flags) {
  flags->Add("infile", &infile_, "FILE", "The results to read; - for standard input.");
  flags->Add("format", &format_, "FORMAT", "What to write; see above.");
  flags->Add("outfile", &outfile_, "PATH",
             "Write here; the file appears when it is complete. For the analysis formats a folder "
             "that is not there or empty.");
  flags->Add("supress_header", &suppress_header_, "",
             "Analysis formats: leave out the line with the names of the columns.");
  flags->Add("consider_warmups", &consider_warmups_, "",
             "Analysis formats: include warmup samples.");
}

absl::Status ExportMode::Accept(const std::vector<std::string>& words) {
  RETURN_IF_ERROR(Mode::Accept(words));
  if (infile_.empty()) return absl::InvalidArgumentError("--infile=FILE is required");
  std::error_code ignored;
  if (std::filesystem::is_regular_file(UserPath(outfile_), ignored) &&
      std::filesystem::equivalent(UserPath(infile_), UserPath(outfile_), ignored)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--outfile=", outfile_, " is the file that --infile names; write to another"));
  }
  if (Find(kTreeFormats, format_) != nullptr) return CheckTreeFlags();
  if (Find(kFileFormats, format_) == nullptr && format_ != kCsv) {
    return absl::InvalidArgumentError(absl::StrCat("--format=", format_, ": unknown format",
                                                   NearestNameHint(format_, FormatNames())));
  }
  if (suppress_header_ || consider_warmups_) {
    return absl::InvalidArgumentError(
        absl::StrCat(suppress_header_ ? "--supress_header" : "--consider_warmups",
                     " is for the analysis formats only; leave it out with --format=", format_));
  }
  return absl::OkStatus();
}

absl::Status ExportMode::CheckTreeFlags() const {
  if (outfile_ != "/dev/stdout" && outfile_ != "-" && !outfile_.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--format=", format_, " writes a folder; name it with --outfile=FOLDER"));
}

absl::Status ExportMode::Run(const std::vector<std::string>&) {
  const std::string path = infile_ == "-" ? infile_ : UserPath(infile_);
  if (format_ == kCsv) return ExportCsv(path);
  const FileFormat* format = Find(kFileFormats, format_);
  ReadOptions options = {.on_note = Note};
  options.samples = format == nullptr || format->shows_samples;
  ASSIGN_OR_RETURN(const TestSequenceResults results, ReadResultFile(path, options));
  if (format == nullptr) return ExportTree(results, *Find(kTreeFormats, format_));
  return ExportFile(results, *format);
}

// Piece by piece: there may be more samples than memory.
absl::Status ExportMode::ExportCsv(const std::string& path) const {
  ASSIGN_OR_RETURN(ResultFile file, ResultFile::Open(outfile_));
  TestSequenceResults results;
  RETURN_IF_ERROR(file.Print([&](std::ostream& out) -> absl::Status {
    WriteSampleCsvHeader(out);
    ASSIGN_OR_RETURN(results,
                     ReadSamplePieces(path, {.on_note = Note},
                                      [&](const std::string& label, const TestResult& piece) {
                                        WriteSampleCsvRows(label, piece, out);
                                      }));
    return absl::OkStatus();
  }));
  NoteMissingSamples(results);
  return absl::OkStatus();
}

absl::Status ExportMode::ExportFile(const TestSequenceResults& results,
                                    const FileFormat& format) const {
  ASSIGN_OR_RETURN(ResultFile file, ResultFile::Open(outfile_));
  RETURN_IF_ERROR(file.Print([&](std::ostream& out) { return format.write(results, out); }));
  if (format.note_missing != nullptr) format.note_missing(results);
  return absl::OkStatus();
}

absl::Status ExportMode::ExportTree(const TestSequenceResults& results,
                                    const TreeFormat& format) const {
  ASSIGN_OR_RETURN(ResultFolder folder, ResultFolder::Open(outfile_));
  const AnalysisOptions options = {.format = format.format,
                                   .has_headers = !suppress_header_,
                                   .considers_warmups = consider_warmups_};
  RETURN_IF_ERROR(WriteAnalysisTree(
      results, options, [&](const std::string& path, absl::FunctionRef<void(std::ostream&)> write) {
        return folder.MakeFile(path, write);
      }));
  RETURN_IF_ERROR(folder.Complete());
  NoteMissingSamples(results);
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<Mode> NewExportMode() { return std::make_unique<ExportMode>(); }

}  // namespace distbench
