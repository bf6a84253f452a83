#include "test_builder/result_check.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/user_path.h"
#include "distbench/config/compiler.h"
#include "distbench/config/diagnostics.h"
#include "distbench/export/gunzip_stream.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl.h"
#include "google/protobuf/message_lite.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/config_text.h"
#include "test_builder/result_files.h"

namespace distbench {
namespace {

using google::protobuf::io::CodedInputStream;

// What a file of results says of the tests that were run; the figures are passed over.
struct Scan {
  int tests = 0;
  bool has_figures = false;
  TestResult result;  // the configs and the report of the last one
};

// Reads TestSequenceResults field by field, because all of one may be more than the memory holds.
// https://protobuf.dev/programming-guides/encoding
class Scanner {
 public:
  Scanner(CodedInputStream& input, Scan* scan) : input_(input), scan_(*scan) {}

  // False: these bytes are no such message, or not all of it.
  bool Read() {
    while (const uint32_t tag = input_.ReadTag()) {
      if (tag != TagOf(TestSequenceResults::kTestResultsFieldNumber)) {
        if (!Pass(tag)) return false;
      } else if (!Within([this] { return ReadTest(); })) {
        return false;
      }
    }
    return input_.ConsumedEntireMessage();
  }

 private:
  enum WireType : uint32_t { kVarint = 0, k64Bit = 1, kLengthDelimited = 2, k32Bit = 5 };

  // Of a field that is a message.
  static constexpr uint32_t TagOf(int field) {
    return static_cast<uint32_t>(field) << 3 | kLengthDelimited;
  }

  bool ReadTest() {
    ++scan_.tests;
    scan_.has_figures = false;
    scan_.result.Clear();
    while (const uint32_t tag = input_.ReadTag()) {
      if (!ReadField(tag)) return false;
    }
    return input_.ConsumedEntireMessage();
  }

  bool ReadField(uint32_t tag) {
    switch (tag) {
      case TagOf(TestResult::kTrafficConfigFieldNumber):
        return Merge(scan_.result.mutable_traffic_config());
      case TagOf(TestResult::kConfigAsGivenFieldNumber):
        return Merge(scan_.result.mutable_config_as_given());
      case TagOf(TestResult::kReportFieldNumber):
        return Merge(scan_.result.mutable_report());
      case TagOf(TestResult::kServiceLogsFieldNumber):
      case TagOf(TestResult::kLogSummaryFieldNumber):
        scan_.has_figures = true;
        return Pass(tag);
      default:
        return Pass(tag);
    }
  }

  bool Merge(google::protobuf::MessageLite* message) {
    return Within([&] { return message->MergePartialFromCodedStream(&input_); });
  }

  // Has `read` read the message that begins here, to its end.
  template <typename Read>
  bool Within(const Read& read) {
    int size = 0;
    if (!input_.ReadVarintSizeAsInt(&size)) return false;
    const CodedInputStream::Limit limit = input_.PushLimit(size);
    if (!read() || !input_.ConsumedEntireMessage() || input_.BytesUntilLimit() != 0) return false;
    input_.PopLimit(limit);
    return true;
  }

  bool Pass(uint32_t tag) {
    uint64_t ignored = 0;
    int size = 0;
    switch (tag & 7) {
      case kVarint:
        return input_.ReadVarint64(&ignored);
      case k64Bit:
        return input_.Skip(8);
      case kLengthDelimited:
        return input_.ReadVarintSizeAsInt(&size) && input_.Skip(size);
      case k32Bit:
        return input_.Skip(4);
      default:
        return false;
    }
  }

  CodedInputStream& input_;
  Scan& scan_;
};

absl::Status NotWhole(const Scan& scan, bool is_message) {
  if (!is_message) return absl::DataLossError("it holds no results, or not all of them");
  if (scan.tests != 1) {
    return absl::DataLossError(
        absl::StrCat("it holds the results of ", scan.tests, " tests in place of one"));
  }
  if (!scan.result.has_traffic_config() || !scan.has_figures) {
    return absl::DataLossError("it has no config or no figures");
  }
  if (scan.result.report().status_code() != 0) {
    return absl::DataLossError(
        absl::StrCat("it is that of a test that failed: ", scan.result.report().status_message()));
  }
  return absl::OkStatus();
}

DistributedSystemDescription CanonicalForm(DistributedSystemDescription config) {
  Diagnostics ignored;
  Canonicalize(&config, &ignored);
  return config;
}

// Between what was run and the test. Sequencers that do not keep what they were given keep what
// they made of it: the canonical form, with a seed that they drew.
std::string Difference(const TestResult& result, const DistributedSystemDescription& test) {
  if (result.has_config_as_given()) return TestDifference(result.config_as_given(), test);
  DistributedSystemDescription run = CanonicalForm(result.traffic_config());
  if (!test.has_seed()) run.clear_seed();
  return TestDifference(run, CanonicalForm(test));
}

}  // namespace

absl::Status CheckResult(const std::string& folder, const BuiltTest& test) {
  const std::string path = absl::StrCat(UserPath(folder), "/", ResultFileName(test.file_stem));
  const auto cannot_read = [&](int error) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read ", path, ": ", std::generic_category().message(error),
                     "; make it readable, or move it away, and its test is run again"));
  };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno == ENOENT ? absl::NotFoundError(path) : cannot_read(errno);
  google::protobuf::io::FileInputStream compressed(descriptor, 1 << 20);
  compressed.SetCloseOnDelete(true);
  GunzipStream stream(compressed);
  Scan scan;
  bool is_message = false;
  {
    CodedInputStream input(&stream);
    is_message = Scanner(input, &scan).Read();
  }
  const void* data = nullptr;
  int size = 0;
  while (stream.Next(&data, &size)) continue;
  if (compressed.GetErrno() != 0) return cannot_read(compressed.GetErrno());
  absl::Status status = stream.status();  // damage of the container explains the rest
  if (status.ok() && stream.ByteCount() == 0) status = absl::DataLossError("it is empty");
  status.Update(NotWhole(scan, is_message));
  if (!status.ok()) return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
  const std::string difference = Difference(scan.result, test.config);
  if (difference.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      path, " is the result of a test with other contents; choose another -o, -l or -c, or move ",
      "it away:\n", difference));
}

}  // namespace distbench
