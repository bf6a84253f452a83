#include "distbench/cli/result_destination.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/export/summary_text.h"
#include "distbench/result_file/record_reader.h"
#include "google/protobuf/io/zero_copy_stream_impl.h"
#include "protos/result_record.pb.h"

namespace distbench {

namespace {

// A file for as long as this process lives.
int OpenNameless() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return -1;
  const int descriptor = dup(fileno(file));
  std::fclose(file);
  return descriptor;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ResultDestination>> ResultDestination::Open(absl::string_view path,
                                                                           Format format,
                                                                           std::ostream& summaries,
                                                                           size_t max_bytes) {
  ASSIGN_OR_RETURN(ResultFile file, ResultFile::Open(path));
  std::unique_ptr<ResultDestination> destination(
      new ResultDestination(std::move(file), format, summaries, max_bytes));
  if (format == Format::kNative) {
    destination->writer_.emplace(destination->file_.descriptor(), destination->file_.path());
  } else {
    RETURN_IF_ERROR(destination->OpenRecords());
  }
  return destination;
}

absl::Status ResultDestination::OpenRecords() {
  if (file_.is_temporary()) {
    records_path_ = absl::StrCat(file_.path(), ".records.", getpid());
    records_descriptor_ = open(records_path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  } else {
    records_descriptor_ = OpenNameless();
  }
  const std::string name = records_path_.empty() ? "a temporary file" : records_path_;
  if (records_descriptor_ < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot write ", name, ": ", std::generic_category().message(errno)));
  }
  writer_.emplace(records_descriptor_, name);
  return absl::OkStatus();
}

ResultDestination::~ResultDestination() {
  if (records_descriptor_ >= 0) close(records_descriptor_);
  if (!records_path_.empty() && !keeps_records_) unlink(records_path_.c_str());
}

void ResultDestination::Add(const ResultRecord& record) {
  written_.Update(writer_->Write(record));
  if (record.has_test()) {
    *tests_.add_test_results() = record.test();
    PrintSummary(record.test(), summaries_);
  }
  for (const std::string& remark : record.test_end().remarks()) summaries_ << remark << "\n";
}

absl::Status ResultDestination::Finish() {
  if (tests_.test_results().empty()) return absl::OkStatus();
  RETURN_IF_ERROR(written_);
  return format_ == Format::kNative ? file_.Complete() : WritePublic();
}

absl::Status ResultDestination::WritePublic() {
  lseek(records_descriptor_, 0, SEEK_SET);
  google::protobuf::io::FileInputStream input(records_descriptor_);
  RecordReader reader(input);
  ResultAssembler assembler({.max_bytes = max_bytes_});
  while (true) {
    ResultRecord record;
    ASSIGN_OR_RETURN(const bool more, reader.Next(&record));
    if (!more) break;
    const absl::Status added = assembler.Add(std::move(record));
    if (absl::IsResourceExhausted(added)) return TooLarge();
    RETURN_IF_ERROR(added);
  }
  return file_.Write(assembler.Take(), format_ == Format::kBinary ? ResultFile::Format::kBinary
                                                                  : ResultFile::Format::kText);
}

absl::Status ResultDestination::TooLarge() {
  keeps_records_ = !records_path_.empty();
  return absl::ResourceExhaustedError(absl::StrCat(
      file_.path(), ": results of more than 2 GiB do not fit the public format; use ",
      keeps_records_ ? "" : "--outfile=FILE with ", "--native_output, or keep fewer samples with ",
      "max_rpc_samples or tests_setting.keep_instance_log=false",
      keeps_records_ ? absl::StrCat("; they are kept in ", records_path_,
                                    ", in the native format, which distbench export reads")
                     : ""));
}

}  // namespace distbench
