// GrpcSubject: grpc drivers on the loopback device, for tests.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_SUBJECT_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_SUBJECT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/driver/conformance/conformance_subject.h"
#include "distbench/driver/grpc/grpc_driver_factory.h"
#include "distbench/net/data_plane_address.h"
#include "distbench/net/socket.h"

namespace distbench {

struct GrpcSubjectOptions {
  std::string ip = "127.0.0.1";
  size_t shards = 2;
  std::string settings = {};    // a ProtocolDriverOptions as text
  bool async_callback = false;  // by the protocol "grpc_async_callback"
};

class GrpcSubject final : public ConformanceSubject {
 public:
  explicit GrpcSubject(const GrpcSubjectOptions& options);

  DriverFactory& factory() override { return options_.async_callback ? *alias_ : grpc_; }
  ProtocolDriverOptions options() const override;
  DriverEnvironment environment() const override {
    return {.clock = &clock_,
            .timers = &timers_,
            .address = &address_,
            .peer_count = 3,
            .channel_count = 2};
  }
  size_t shard_count() const override { return options_.shards; }
  std::string dead_responder_info() const override;
  std::string dead_address() const override;

 private:
  const GrpcSubjectOptions options_;
  const SystemClock clock_;
  mutable ThreadTimerService timers_{clock_};
  const DataPlaneAddress address_;
  // Bound, so that nobody else takes its port, but not listening.
  const OwnedSocket dead_socket_;
  GrpcDriverFactory grpc_;
  const std::unique_ptr<DriverFactory> alias_{grpc_.NewAsyncCallbackAlias()};
};

ConformanceSubjectMaker GrpcSubjectMaker(std::string name, GrpcSubjectOptions options);

// A setting as text; `side` is "client" or "server".
std::string WordSetting(const std::string& side, const std::string& name, const std::string& value);
std::string NumberSetting(const std::string& side, const std::string& name, int value);

// The serialized ServerAddress of "ip:port".
std::string ResponderInfo(const std::string& socket_address);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_SUBJECT_H_
