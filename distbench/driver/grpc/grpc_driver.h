// GrpcDriver: unary gRPC, on the core library's C interface, wire-compatible with every peer that
// serves or calls distbench.Traffic/GenericRpc.
//
// The C interface is what gRPC's C++ interface stands on. Used directly it lets all drivers of a
// process share their completion queues and threads, and it takes messages as lists of slices: no
// message object is built, no payload is copied, and no call is allocated by us. Clients of
// gRPC's callback interface can be had for comparison.
//
// Messages: an initiator's info is empty, a responder's is a serialized ServerAddress.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_DRIVER_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_DRIVER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/driver/grpc/grpc_client.h"
#include "distbench/driver/grpc/grpc_server.h"
#include "distbench/driver/grpc/grpc_settings.h"
#include "distbench/driver/protocol_driver.h"
#include "distbench/net/driver_address.h"

namespace distbench {

struct GrpcDriverOptions {
  GrpcSettings settings;
  size_t shards = 1;
  const CompletionThreads* client_threads = nullptr;  // these five outlive the driver
  const CompletionThreads* server_threads = nullptr;
  ThreadPool* pool = nullptr;  // null: requests are handled where they are received
  grpc_channel_credentials* channel_credentials = nullptr;
  grpc_server_credentials* server_credentials = nullptr;
  DriverAddress address;
  size_t peer_count = 0;
  size_t channel_count = 0;
};

class GrpcDriver final : public ProtocolDriver {
 public:
  explicit GrpcDriver(const GrpcDriverOptions& options);

  absl::Status StartServer(RequestHandler* handler) override;
  absl::StatusOr<std::string> AcceptConnection(absl::string_view initiator_info) override;

  std::string InitiatorInfo() override { return ""; }
  void Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
               std::function<void(absl::Status)> done) override;
  void ConnectChannel(ChannelIndex channel, const ChannelTarget& target, absl::Time deadline,
                      std::function<void(absl::Status)> done) override;
  std::unique_ptr<DriverCallState> NewCallState() override { return client_->NewCallState(); }
  void StartCall(ClientCall* call) override { client_->StartCall(call); }
  void CancelCall(ClientCall* call) override { client_->CancelCall(call); }
  void ReleaseCall(ClientCall* call) override { client_->ReleaseCall(call); }

  DriverCapabilities capabilities() const override {
    return {.deadlines = true, .cancel = true, .one_way = false, .multi_server_channels = true};
  }
  int64_t Stop(absl::Time deadline) override;

 private:
  std::shared_ptr<GrpcServer> server() const;

  const GrpcDriverOptions options_;
  const std::shared_ptr<GrpcClient> client_;
  mutable absl::Mutex mutex_;
  std::shared_ptr<GrpcServer> server_ ABSL_GUARDED_BY(mutex_);  // null until started
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_DRIVER_H_
