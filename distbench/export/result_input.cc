#include "distbench/export/result_input.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"
#include "distbench/export/gunzip_stream.h"
#include "distbench/export/result_names.h"
#include "distbench/result_file/record_reader.h"
#include "distbench/results/merge.h"
#include "distbench/results/result_assembler.h"
#include "distbench/results/time_series_proto.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl.h"
#include "google/protobuf/text_format.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

using ::google::protobuf::io::ZeroCopyInputStream;

using Samples = ResultAssemblerOptions::Samples;

constexpr int kReadBytes = 1 << 20;
constexpr absl::string_view kGzipMagic("\x1f\x8b", 2);
constexpr int64_t kMaxBinaryBytes = std::numeric_limits<int32_t>::max();

// A stream and the first bytes of it, which tell what it is. Pieces may be of any size: those of a
// pipe are.
class Probed {
 public:
  // `input` outlives this, which takes from it.
  explicit Probed(ZeroCopyInputStream& input)
      : head_(TakeHead(input)),
        head_stream_(head_.data(), static_cast<int>(head_.size())),
        parts_{&head_stream_, &input},
        whole_(parts_.data(), static_cast<int>(parts_.size())) {}

  absl::string_view head() const { return head_; }
  // All of it, the head included.
  ZeroCopyInputStream& whole() { return whole_; }

 private:
  static std::string TakeHead(ZeroCopyInputStream& input) {
    constexpr size_t kHeadBytes = 512;
    const void* data = nullptr;
    int size = 0;
    std::string head;
    while (head.size() < kHeadBytes && input.Next(&data, &size)) {
      head.append(static_cast<const char*>(data), size);
    }
    return head;
  }

  const std::string head_;
  google::protobuf::io::ArrayInputStream head_stream_;
  const std::array<ZeroCopyInputStream*, 2> parts_;
  google::protobuf::io::ConcatenatingInputStream whole_;
};

// Results in binary have control characters among their first bytes, as field tags and lengths;
// text has none but white space.
bool LooksLikeText(absl::string_view head) {
  return std::all_of(head.begin(), head.end(), [](unsigned char byte) {
    const bool is_space = byte >= '\t' && byte <= '\r';
    return is_space || (byte >= ' ' && byte != 0x7f);
  });
}

// Keeps the first error of the text parser, with its place.
class FirstError final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!text_.empty()) return;
    text_ = absl::StrCat("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

absl::Status ParseText(ZeroCopyInputStream& input, TestSequenceResults* results) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (parser.Parse(&input, results)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("it is text, but no TestSequenceResults or only a part of one: ", error.text()));
}

absl::Status ParseBinary(ZeroCopyInputStream& input, TestSequenceResults* results) {
  if (results->ParseFromZeroCopyStream(&input)) return absl::OkStatus();
  if (input.ByteCount() >= kMaxBinaryBytes) {
    return absl::ResourceExhaustedError(
        "it is binary and larger than 2 GiB, which the format cannot hold");
  }
  return absl::InvalidArgumentError(
      "it is neither text nor a binary TestSequenceResults, or it is damaged or truncated");
}

// What is done with a file of records.
struct RecordOptions {
  const ReadOptions& read;
  VisitTestPiece visit_piece = nullptr;
};

absl::Status ParseRecords(ZeroCopyInputStream& input, const RecordOptions& options,
                          TestSequenceResults* results) {
  RecordReader reader(input);
  ResultAssembler assembler({.samples = options.read.samples ? Samples::kKept : Samples::kIgnored,
                             .visit_piece = options.visit_piece});
  while (true) {
    ResultRecord record;
    ASSIGN_OR_RETURN(const bool more, reader.Next(&record));
    if (!more) break;
    const absl::Status added = assembler.Add(std::move(record));
    if (absl::IsResourceExhausted(added)) {
      return absl::ResourceExhaustedError(
          "its samples take more than 2 GiB in the form that this needs; --format=csv takes any "
          "number");
    }
    RETURN_IF_ERROR(added);
  }
  if (!assembler.is_whole()) {
    options.read.on_note(absl::StrCat(
        "it ends ", reader.ended_within_record() ? "within a record" : "between two records",
        ", because it is still being written or its writer ended early; what came before is used"));
  }
  *results = assembler.Take();
  return absl::OkStatus();
}

absl::Status ParsePlain(Probed& input, const RecordOptions& options, TestSequenceResults* results) {
  if (input.head().empty()) return absl::InvalidArgumentError("it is empty");
  if (IsRecordFile(input.head())) return ParseRecords(input.whole(), options, results);
  return LooksLikeText(input.head()) ? ParseText(input.whole(), results)
                                     : ParseBinary(input.whole(), results);
}

absl::Status Parse(ZeroCopyInputStream& input, const RecordOptions& options,
                   TestSequenceResults* results) {
  Probed file(input);
  if (!absl::StartsWith(file.head(), kGzipMagic)) return ParsePlain(file, options, results);
  GunzipStream inflated(file.whole());
  Probed contents(inflated);
  const absl::Status parsed = ParsePlain(contents, options, results);
  // Damage of the container explains whatever is wrong with what is in it.
  RETURN_IF_ERROR(inflated.status());
  return parsed;
}

// The bytes of something else may be read as a message without any field that is known.
bool HasContents(const TestResult& test) {
  return test.has_traffic_config() || test.has_service_logs() || test.log_summary_size() > 0;
}

absl::Status Complete(TestSequenceResults* results) {
  if (results->test_results_size() == 0) {
    return absl::InvalidArgumentError("it holds no test results");
  }
  for (int i = 0; i < results->test_results_size(); ++i) {
    TestResult& test = *results->mutable_test_results(i);
    const std::string place = absl::StrCat("test_results[", i, "]");
    if (!HasContents(test)) {
      return absl::InvalidArgumentError(absl::StrCat(place, " has neither config nor figures"));
    }
    const absl::Status sound = CheckTimeSeries(test.time_series());
    if (!sound.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          place, ".time_series contradicts itself, so the file is damaged or was edited: ",
          sound.message()));
    }
    for (auto& [instance, log] : *test.mutable_service_logs()->mutable_instance_logs()) {
      const absl::Status complete = CompleteStatistics(log);
      if (complete.ok()) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          place, ".service_logs.instance_logs[", Escaped(instance),
          "] contradicts itself, so the file is damaged or was edited: ", complete.message()));
    }
  }
  return absl::OkStatus();
}

absl::Status CannotRead(const std::string& path, int error) {
  return absl::NotFoundError(
      absl::StrCat("cannot read ", path, ": ", std::generic_category().message(error)));
}

absl::StatusOr<TestSequenceResults> Read(const std::string& name, ZeroCopyInputStream& input,
                                         const ReadOptions& options,
                                         const VisitTestPiece& visit_piece) {
  ReadOptions named = options;
  named.on_note = [&](const std::string& note) { options.on_note(absl::StrCat(name, ": ", note)); };
  TestSequenceResults results;
  absl::Status status = Parse(input, {.read = named, .visit_piece = visit_piece}, &results);
  if (status.ok()) status = Complete(&results);
  if (status.ok()) return results;
  return absl::Status(status.code(),
                      absl::StrCat(name, " cannot be used as results: ", status.message()));
}

absl::StatusOr<TestSequenceResults> ReadFile(const std::string& path, const ReadOptions& options,
                                             const VisitTestPiece& visit_piece) {
  const bool is_standard_input = path == "-";
  const std::string name = is_standard_input ? "standard input" : path;
  const int descriptor =
      is_standard_input ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return CannotRead(name, errno);
  google::protobuf::io::FileInputStream file(descriptor, kReadBytes);
  file.SetCloseOnDelete(true);
  absl::StatusOr<TestSequenceResults> results = Read(name, file, options, visit_piece);
  if (file.GetErrno() != 0) return CannotRead(name, file.GetErrno());
  return results;
}

}  // namespace

absl::StatusOr<TestSequenceResults> ReadResults(const std::string& name, ZeroCopyInputStream& input,
                                                const ReadOptions& options) {
  return Read(name, input, options, nullptr);
}

absl::StatusOr<TestSequenceResults> ReadResultFile(const std::string& path,
                                                   const ReadOptions& options) {
  return ReadFile(path, options, nullptr);
}

absl::StatusOr<TestSequenceResults> ReadSamplePieces(
    const std::string& path, const ReadOptions& options,
    absl::FunctionRef<void(const std::string& label, const TestResult& piece)> visit) {
  UniqueNames names;
  std::vector<std::string> labels;
  bool has_pieces = false;
  ASSIGN_OR_RETURN(TestSequenceResults results,
                   ReadFile(path, options, [&](const TestResult& test, int index) {
                     has_pieces = true;
                     while (labels.size() <= static_cast<size_t>(index)) {
                       labels.push_back(TakeTestLabel(test, index, names));
                     }
                     visit(labels[index], test);
                   }));
  if (has_pieces) return results;
  labels = TestLabels(results);
  for (int i = 0; i < results.test_results_size(); ++i) visit(labels[i], results.test_results(i));
  return results;
}

}  // namespace distbench
