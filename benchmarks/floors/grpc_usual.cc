#include <algorithm>
#include <cstdlib>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/blocking_counter.h"
#include "benchmarks/floors/client_commands.h"
#include "benchmarks/floors/roles.h"
#include "distbench/base/clock.h"
#include "grpcpp/grpcpp.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

// The fields besides the payload, and its own tag and length, take about as much.
constexpr int64_t kHeadBytes = 8;

std::string Payload(int64_t message_bytes) {
  return std::string(static_cast<size_t>(std::max<int64_t>(message_bytes - kHeadBytes, 0)), 'x');
}

class UsualService final : public Traffic::CallbackService {
 public:
  explicit UsualService(int64_t response_bytes) : payload_(Payload(response_bytes)) {}

  grpc::ServerUnaryReactor* GenericRpc(grpc::CallbackServerContext* context,
                                       const GenericRequestResponse* request,
                                       GenericRequestResponse* response) override {
    response->set_warmup(request->warmup());
    response->set_payload(payload_);
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  const std::string payload_;
};

// One RPC after the other, each with a context, a request and a response of its own.
class UsualCall {
 public:
  UsualCall(const FloorOptions& options, Traffic::Stub* stub)
      : options_(options), stub_(stub), payload_(Payload(options.request_bytes)) {}

  void Begin(const LoadWindow* window, absl::BlockingCounter* ended) {
    window_ = window;
    ended_ = ended;
    tally_ = std::make_unique<LoadTally>(*window);
    BeginNext(clock_.MonotonicNs());
  }

  std::unique_ptr<LoadTally> TakeTally() { return std::move(tally_); }

 private:
  void BeginNext(int64_t now_ns) {
    begin_ns_ = now_ns;
    context_.emplace();
    request_.emplace();
    response_.emplace();
    request_->set_rpc_index(0);
    request_->set_warmup(false);
    request_->set_payload(payload_);
    stub_->async()->GenericRpc(&*context_, &*request_, &*response_,
                               [this](const grpc::Status& status) { OnEnd(status); });
  }

  void OnEnd(const grpc::Status& status) {
    const int64_t now_ns = clock_.MonotonicNs();
    if (!status.ok()) {
      tally_->CountFailure();
    } else if (options_.latency) {
      tally_->CountWithLatency(begin_ns_, now_ns);
    } else {
      tally_->Count(begin_ns_, now_ns);
    }
    if (status.ok() && window_->MayBegin(now_ns)) {
      BeginNext(now_ns);
    } else {
      ended_->DecrementCount();
    }
  }

  const SystemClock clock_;
  const FloorOptions& options_;
  Traffic::Stub* const stub_;
  const std::string payload_;
  const LoadWindow* window_ = nullptr;
  absl::BlockingCounter* ended_ = nullptr;
  std::unique_ptr<LoadTally> tally_;
  int64_t begin_ns_ = 0;
  std::optional<grpc::ClientContext> context_;
  std::optional<GenericRequestResponse> request_;
  std::optional<GenericRequestResponse> response_;
};

std::unique_ptr<Traffic::Stub> NewStub(const FloorOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(std::numeric_limits<int>::max());
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return Traffic::NewStub(grpc::CreateCustomChannel(absl::StrCat("ipv4:", options.address),
                                                    grpc::InsecureChannelCredentials(), arguments));
}

}  // namespace

absl::Status RunGrpcUsualServer(const FloorOptions& options) {
  UsualService service(options.response_bytes);
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) return absl::UnavailableError("no port to listen on");
  const absl::Status status = ServeUntilInputEnds(absl::StrCat("127.0.0.1:", port));
  std::_Exit(status.ok() ? 0 : 1);
}

absl::Status RunGrpcUsualClient(const FloorOptions& options) {
  std::vector<std::unique_ptr<Traffic::Stub>> stubs;
  for (int i = 0; i < options.connections; ++i) stubs.push_back(NewStub(options));
  std::deque<UsualCall> calls;
  for (size_t i = 0; i < static_cast<size_t>(options.in_flight); ++i) {
    calls.emplace_back(options, stubs[i % stubs.size()].get());
  }
  const absl::Status status = ObeyCommands([&](const LoadWindow& window) {
    absl::BlockingCounter ended(options.in_flight);
    for (UsualCall& call : calls) call.Begin(&window, &ended);
    ended.Wait();
    std::vector<std::unique_ptr<LoadTally>> tallies;
    for (UsualCall& call : calls) tallies.push_back(call.TakeTally());
    return Sum(tallies);
  });
  std::_Exit(status.ok() ? 0 : 1);
}

}  // namespace distbench
