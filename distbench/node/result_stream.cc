#include "distbench/node/result_stream.h"

#include <utility>

#include "distbench/net/grpc_status.h"
#include "distbench/node/node.h"

namespace distbench {

ResultStream::ResultStream(Node* node, const GetTrafficResultRequest& request) : node_(node) {
  node_->OpenResult(request, [this](const absl::StatusOr<uint64_t>& number) { OnOpened(number); });
}

void ResultStream::OnOpened(const absl::StatusOr<uint64_t>& result_number) {
  if (!result_number.ok()) return End(result_number.status());
  result_number_ = *result_number;
  AskForNext();
}

void ResultStream::AskForNext() {
  node_->NextRecord(*result_number_, [this](absl::StatusOr<std::optional<ResultRecord>> record) {
    OnNext(std::move(record));
  });
}

void ResultStream::OnNext(absl::StatusOr<std::optional<ResultRecord>> record) {
  if (!record.ok() || !record->has_value()) return End(record.status());
  record_ = *std::move(*record);
  StartWrite(&record_);
}

void ResultStream::OnWriteDone(bool ok) {
  if (!ok) return End(absl::CancelledError("the caller has gone"));
  AskForNext();
}

void ResultStream::End(const absl::Status& status) { Finish(ToGrpcStatus(status)); }

void ResultStream::OnDone() {
  if (result_number_.has_value()) node_->CloseResult(*result_number_);
  delete this;
}

}  // namespace distbench
