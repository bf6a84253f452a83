#include "distbench/driver/grpc/grpc_server.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/grpc/channel_arguments.h"
#include "distbench/driver/grpc/generic_rpc_method.h"
#include "distbench/driver/grpc/grpc_server_call.h"
#include "distbench/driver/grpc/listening_port.h"

namespace distbench {
namespace {

// Requests asked of gRPC in advance, on each queue.
constexpr size_t kRequestsAskedFor = 64;

// How long clients may take to say good-bye before their connections are cut. A client that runs
// needs a millisecond.
constexpr absl::Duration kFarewell = absl::Milliseconds(100);

grpc_server* NewServer(const std::vector<ChannelArgument>& overrides) {
  std::vector<grpc_arg> arguments = Override(ServerChannelArguments(), overrides);
  const grpc_channel_args args = AsChannelArgs(arguments);
  return grpc_server_create(&args, nullptr);
}

void* RegisterMethod(grpc_server* server) {
  return grpc_server_register_method(server, kGenericRpcMethod, nullptr,
                                     GRPC_SRM_PAYLOAD_READ_INITIAL_BYTE_BUFFER, 0);
}

}  // namespace

absl::StatusOr<std::shared_ptr<GrpcServer>> GrpcServer::Start(const GrpcServerOptions& options) {
  std::shared_ptr<GrpcServer> server(new GrpcServer(options));
  RETURN_IF_ERROR(server->Listen(options));
  server->Serve();
  return server;
}

GrpcServer::GrpcServer(const GrpcServerOptions& options)
    : threads_(*options.threads),
      stocks_are_shared_(options.threads->has_shared_queues()),
      pool_(options.pool),
      shards_(options.shards),
      handler_(options.handler),
      server_(NewServer(options.arguments)),
      method_(RegisterMethod(server_)),
      gate_(options.shards),
      stocks_(options.threads->size()),
      unknown_method_(this),
      running_parts_(options.threads->size() + 2) {}

GrpcServer::~GrpcServer() { grpc_server_destroy(server_); }

absl::Status GrpcServer::Listen(const GrpcServerOptions& options) {
  for (size_t i = 0; i < threads_.size(); ++i) {
    grpc_server_register_completion_queue(server_, threads_.queue(QueueIndex(i)), nullptr);
  }
  ASSIGN_OR_RETURN(port_, ListenOn(server_, options.credentials, *options.address));
  return absl::OkStatus();
}

void GrpcServer::Serve() {
  keep_alive_ = shared_from_this();
  // All calls are made before the first one can have an event on its queue's thread.
  std::vector<GrpcServerCall*> first_calls;
  for (size_t i = 0; i < threads_.size(); ++i) {
    for (size_t n = 0; n < kRequestsAskedFor; ++n) {
      first_calls.push_back(TakeFreeCall(QueueIndex(i)));
    }
  }
  grpc_server_start(server_);
  for (GrpcServerCall* call : first_calls) call->AskForRequest();
  unknown_method_.AskForRequest();
}

GrpcServerCall* GrpcServer::TakeFreeCall(QueueIndex queue) {
  Stock& stock = stocks_[queue];
  absl::MutexLockMaybe lock(Lockable(stock));
  ++stock.active;
  if (stock.free.empty()) {
    stock.calls.push_back(std::make_unique<GrpcServerCall>(
        GrpcServerCallOptions{.server = this, .shard = ShardOf(queue), .queue = queue}));
    return stock.calls.back().get();
  }
  GrpcServerCall* call = stock.free.back();
  stock.free.pop_back();
  return call;
}

void GrpcServer::AskForRequest(QueueIndex queue) {
  if (!gate_.closed()) TakeFreeCall(queue)->AskForRequest();
}

void GrpcServer::CallEnded(GrpcServerCall* call) {
  Stock& stock = stocks_[call->queue()];
  {
    absl::MutexLockMaybe lock(Lockable(stock));
    stock.free.push_back(call);
    if (--stock.active > 0) return;
  }
  OnPartEnded();
}

void GrpcServer::OnPartEnded() {
  if (running_parts_.fetch_sub(1) != 1) return;
  const std::shared_ptr<GrpcServer> last_reference = std::move(keep_alive_);
  absl::MutexLock lock(&mutex_);
  has_ended_ = true;
}

bool GrpcServer::AwaitEnded(absl::Time deadline) {
  absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithDeadline(absl::Condition(&has_ended_), deadline);
}

void GrpcServer::BeginStop() {
  gate_.Close();
  grpc_server_shutdown_and_notify(server_, threads_.queue(QueueIndex(0)), shutdown_.tag());
}

int64_t GrpcServer::FinishStop(absl::Time deadline) {
  const int64_t unanswered = gate_.EndBy(deadline);
  if (unanswered == 0 && AwaitEnded(std::min(deadline, absl::Now() + kFarewell))) return 0;
  grpc_server_cancel_all_calls(server_);
  // What gRPC cleans up then takes longer the more calls there are; whoever destroys its queues
  // before would lose them.
  if (unanswered == 0) AwaitEnded(deadline);
  return unanswered;
}

}  // namespace distbench
