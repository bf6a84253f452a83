// OlderEngine: one instance as an older program runs it, from the public format alone: RPCs by
// gRPC's own classes, one after the other, in the order in which the main list names its actions.
//
// It understands main lists of RPCs with a number of iterations, fixed sizes, and answers at once.
// Thread-safe where the order of a test's calls does not forbid it: Connect, RunMainList, log.
#ifndef DISTBENCH_INTEROP_OLDER_ENGINE_H_
#define DISTBENCH_INTEROP_OLDER_ENGINE_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/interop/plain_server.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

// Tells peers where the data plane listens.
class OlderSetup final : public ConnectionSetup::Service {
 public:
  explicit OlderSetup(std::string socket_address) : socket_address_(std::move(socket_address)) {}

  grpc::Status SetupConnection(grpc::ServerContext* context, const ConnectRequest* request,
                               ConnectResponse* response) override;

  // Whether `initiator_info` was there, and empty, in all requests.
  bool is_asked_rightly() const { return is_asked_rightly_; }

 private:
  const std::string socket_address_;
  std::atomic<bool> is_asked_rightly_{true};
};

class OlderEngine {
 public:
  OlderEngine(const DistributedSystemDescription& config, std::string instance);

  const std::string& instance() const { return instance_; }
  std::string endpoint_address() const { return setup_server_.address(); }

  // To all that the service of this instance may send to.
  grpc::Status Connect(const ServiceEndpointMap& peers);
  void RunMainList();
  // RunMainList returns soon.
  void Cancel() { is_cancelled_ = true; }

  // Samples only: there is nothing else in the public format.
  ServicePerformanceLog log() const;
  // What came on the data plane that the public format does not know, or that it forbids.
  std::vector<std::string> complaints() const;
  int64_t served() const { return traffic_.served(); }

 private:
  class Traffic final : public distbench::Traffic::Service {
   public:
    explicit Traffic(const OlderEngine* engine) : engine_(engine) {}
    grpc::Status GenericRpc(grpc::ServerContext* context, const GenericRequestResponse* request,
                            GenericRequestResponse* response) override;
    int64_t served() const { return served_; }
    std::vector<std::string> complaints() const;

   private:
    const OlderEngine* const engine_;
    std::atomic<int64_t> served_{0};
    mutable absl::Mutex mutex_;
    std::vector<std::string> complaints_ ABSL_GUARDED_BY(mutex_);
  };

  std::string service() const { return instance_.substr(0, instance_.find('/')); }
  std::vector<std::string> InstancesOf(const std::string& service) const;
  int64_t PayloadSize(const std::string& payload, int64_t absent) const;
  void RunAction(const Action& action);
  void Send(int rpc_index, const std::string& peer);
  void Record(int rpc_index, const std::string& peer, const GenericRequestResponse& response,
              const RpcSample& sample);

  const DistributedSystemDescription config_;
  const std::string instance_;
  std::atomic<bool> is_cancelled_{false};
  Traffic traffic_{this};
  PlainServer data_server_{&traffic_};
  OlderSetup setup_{data_server_.address()};
  PlainServer setup_server_{&setup_};
  std::map<std::string, std::unique_ptr<distbench::Traffic::Stub>> peers_;

  mutable absl::Mutex mutex_;
  ServicePerformanceLog log_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_INTEROP_OLDER_ENGINE_H_
