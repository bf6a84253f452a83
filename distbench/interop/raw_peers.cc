#include "distbench/interop/raw_peers.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "distbench/net/grpc_status.h"

namespace distbench {
namespace {

constexpr char kMethod[] = "/distbench.Traffic/GenericRpc";

grpc::ByteBuffer ToBuffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

std::string ToBytes(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

// What one call needs until it has ended.
struct OpenCall {
  grpc::ClientContext context;
  grpc::ByteBuffer request;
  grpc::ByteBuffer response;
};

// One request, one answer.
class AnswerOnce final : public grpc::ServerGenericBidiReactor {
 public:
  explicit AnswerOnce(const RawServer::Answering& answering) : answering_(answering) {
    StartRead(&request_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status(grpc::StatusCode::INTERNAL, "no request"));
    response_ = ToBuffer(answering_(ToBytes(request_)));
    StartWriteAndFinish(&response_, grpc::WriteOptions(), grpc::Status::OK);
  }
  void OnDone() override { delete this; }

 private:
  const RawServer::Answering& answering_;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
};

}  // namespace

void RawClient::Start(const std::string& request, Done done) {
  auto call = std::make_shared<OpenCall>();
  SetLongDeadline(call->context);
  call->request = ToBuffer(request);
  stub_.UnaryCall(&call->context, kMethod, grpc::StubOptions(), &call->request, &call->response,
                  [call, done = std::move(done)](const grpc::Status& status) {
                    if (status.ok()) return done(ToBytes(call->response));
                    done(FromGrpcStatus(status));
                  });
}

absl::StatusOr<std::string> RawClient::Call(const std::string& request) {
  absl::StatusOr<std::string> answer;
  absl::Notification answered;
  Start(request, [&](absl::StatusOr<std::string> bytes) {
    answer = std::move(bytes);
    answered.Notify();
  });
  answered.WaitForNotification();
  return answer;
}

grpc::ServerGenericBidiReactor* RawServer::Service::CreateReactor(
    grpc::GenericCallbackServerContext*) {
  return new AnswerOnce(answering_);
}

}  // namespace distbench
