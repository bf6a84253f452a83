#include "distbench/export/public_results.h"

#include "google/protobuf/io/zero_copy_stream_impl.h"
#include "google/protobuf/text_format.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

absl::Status WrittenOr(bool written) {
  if (written) return absl::OkStatus();
  return absl::ResourceExhaustedError("the results are larger than the 2 GiB of the format");
}

}  // namespace

absl::Status WriteBinaryResults(const TestSequenceResults& results, std::ostream& out) {
  return WrittenOr(results.SerializeToOstream(&out));
}

absl::Status WriteTextResults(const TestSequenceResults& results, std::ostream& out) {
  google::protobuf::io::OstreamOutputStream stream(&out);
  return WrittenOr(google::protobuf::TextFormat::Print(results, &stream));
}

}  // namespace distbench
