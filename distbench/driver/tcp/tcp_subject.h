// TcpSubject: tcp drivers on this host, for tests.
#ifndef DISTBENCH_DRIVER_TCP_TCP_SUBJECT_H_
#define DISTBENCH_DRIVER_TCP_TCP_SUBJECT_H_

#include <cstddef>
#include <string>

#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/driver/conformance/conformance_subject.h"
#include "distbench/driver/tcp/endpoint.h"
#include "distbench/driver/tcp/stream_socket.h"
#include "distbench/driver/tcp/tcp_driver_factory.h"
#include "distbench/net/data_plane_address.h"

namespace distbench {

struct TcpSubjectOptions {
  size_t shards = 2;
  std::string settings;  // of ProtocolDriverOptions, in text format
  std::string ip = "127.0.0.1";
};

class TcpSubject final : public ConformanceSubject {
 public:
  explicit TcpSubject(const TcpSubjectOptions& options);

  DriverFactory& factory() override { return factory_; }
  ProtocolDriverOptions options() const override;
  DriverEnvironment environment() const override {
    return {.clock = &clock_,
            .timers = &timers_,
            .address = &address_,
            .peer_count = 3,
            .channel_count = 2};
  }
  size_t shard_count() const override { return options_.shards; }
  std::string dead_responder_info() const override { return EncodeEndpoint(dead_endpoint_); }
  std::string dead_address() const override { return dead_endpoint_.ToString(); }

 private:
  const TcpSubjectOptions options_;
  const SystemClock clock_;
  mutable ThreadTimerService timers_{clock_};
  const DataPlaneAddress address_;
  // Bound, so that nobody else takes the port, but not listening.
  const OwnedSocket dead_socket_;
  const TcpEndpoint dead_endpoint_;
  TcpDriverFactory factory_;
};

ConformanceSubjectMaker TcpSubjectMaker(std::string name, TcpSubjectOptions options);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_SUBJECT_H_
