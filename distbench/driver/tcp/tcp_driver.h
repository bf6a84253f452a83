// TcpDriver: messages over plain stream sockets, TCP or unix-domain: what is left of an RPC stack
// if everything is left out that a test does not measure. It shows the engine's own limit, and
// serves as a baseline for others.
//
//   TcpClient -- TcpClientConnection --.                           .-- TcpServerConnection --
//   TcpServer
//                       |              TcpConnection: frames, queues               |
//                  TcpClientCall       EventLoop: a thread with epoll         TcpServerCall
//
// frame.h has the format on the wire, event_loop.h and tcp_connection.h say who does what on which
// thread. An initiator's info is empty, a responder's is a TcpEndpoint.
//
// A call that is cancelled, or whose deadline passes, ends at the server too: its answer is
// dropped. Calls on a connection that breaks end with UNAVAILABLE; the connection is tried again.
#ifndef DISTBENCH_DRIVER_TCP_TCP_DRIVER_H_
#define DISTBENCH_DRIVER_TCP_TCP_DRIVER_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/driver/protocol_driver.h"
#include "distbench/driver/tcp/loop_set.h"
#include "distbench/driver/tcp/tcp_client.h"
#include "distbench/driver/tcp/tcp_server.h"
#include "distbench/driver/tcp/tcp_settings.h"
#include "distbench/net/driver_address.h"

namespace distbench {

struct TcpDriverOptions {
  TcpSettings settings;
  const LoopSet* client_loops = nullptr;  // these three outlive the driver
  const LoopSet* server_loops = nullptr;
  std::atomic<int>* next_unix_name = nullptr;
  DriverAddress address;
  size_t shards = 1;
  DriverEnvironment environment;
};

class TcpDriver final : public ProtocolDriver {
 public:
  explicit TcpDriver(const TcpDriverOptions& options);

  absl::Status StartServer(RequestHandler* handler) override;
  absl::StatusOr<std::string> AcceptConnection(absl::string_view initiator_info) override;

  std::string InitiatorInfo() override { return ""; }
  void Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
               std::function<void(absl::Status)> done) override;
  void ConnectChannel(ChannelIndex channel, const ChannelTarget& target, absl::Time deadline,
                      std::function<void(absl::Status)> done) override;
  std::unique_ptr<DriverCallState> NewCallState() override;
  void StartCall(ClientCall* call) override { client_->StartCall(call); }
  void CancelCall(ClientCall* call) override { client_->CancelCall(call); }
  void DrainOneWay(std::function<void()> done) override { client_->DrainOneWay(std::move(done)); }

  DriverCapabilities capabilities() const override {
    return {.deadlines = true, .cancel = true, .one_way = true, .multi_server_channels = true};
  }
  std::vector<DriverStatistic> Statistics() const override;
  int64_t Stop(absl::Time deadline) override;

 private:
  TcpServer* server() const;

  const TcpDriverOptions options_;
  const std::shared_ptr<TcpClient> client_;
  mutable absl::Mutex mutex_;
  std::unique_ptr<TcpServer> server_ ABSL_GUARDED_BY(mutex_);  // null until started
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_DRIVER_H_
