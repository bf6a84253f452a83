// ProtocolDriver: how engines talk to each other. One driver serves one engine, as client and as
// server; one DriverFactory per protocol makes them and owns what they share in a process
// (threads, event loops). To add a protocol: one folder, one line in the registry that cli/ makes;
// driver/fake shows all there is to it, driver/conformance holds every driver to it.
//
// Life of a driver, in this order:
//
//   Create            by the factory; checks its settings
//   StartServer       begins to listen; requests may arrive from here on
//   AcceptConnection  once per engine that will call us; any number, any thread
//   Connect           once per peer that we will call, again only if it failed
//   ConnectChannel    likewise, once per channel that we will call on
//   StartCall …       hot path
//   Stop              ends everything; nothing is called back after it returns
//   destruction       without Stop only if nothing but Create has happened
//
// Threads: all methods are thread-safe, except that StartCall, CancelCall, ReleaseCall and Flush
// for one call (one shard) are never called at the same time by two threads. No engine lock is held
// while a driver is called, and a driver holds none while it calls the engine.
#ifndef DISTBENCH_DRIVER_PROTOCOL_DRIVER_H_
#define DISTBENCH_DRIVER_PROTOCOL_DRIVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "distbench/base/indices.h"
#include "distbench/driver/client_call.h"
#include "distbench/driver/server_call.h"

namespace distbench {

class Clock;
class MultiServerChannel;
class ProtocolDriverOptions;
class TimerService;
struct DataPlaneAddress;

// What a driver can do beyond the plain call; the rest is refused when a test is configured.
struct DriverCapabilities {
  bool deadlines = false;              // ends a call at its deadline by itself
  bool cancel = false;                 // CancelCall ends the call at the server too, not only here
  bool one_way = false;                // sends ClientCall::one_way without any answer
  bool multi_server_channels = false;  // ConnectChannel, and calls on channels
};

struct DriverStatistic {
  std::string name;
  int64_t value = 0;
};

// The instances behind a channel, whose policy picks the one that each call goes to.
struct ChannelTarget {
  struct Member {
    InstanceIndex peer;
    std::string responder_info;  // that the peer answered to our InitiatorInfo()
  };
  const MultiServerChannel* config = nullptr;  // its settings; need not outlive ConnectChannel
  std::vector<Member> members;                 // at least one, each once
};

class ProtocolDriver {
 public:
  virtual ~ProtocolDriver() = default;

  // --- Server side

  // Listens and delivers requests to `handler`, which outlives the driver's Stop().
  virtual absl::Status StartServer(RequestHandler* handler) = 0;

  // Answers a peer's wish to connect: takes its bytes, returns ours (where to reach this server).
  // Requires: StartServer returned OK.
  virtual absl::StatusOr<std::string> AcceptConnection(absl::string_view initiator_info) = 0;

  // --- Client side

  // The bytes to send to a peer that we want to connect to. Empty is a valid value.
  virtual std::string InitiatorInfo() = 0;

  // Connects to `peer` by what it answered to our InitiatorInfo(). `done` is called once, on any
  // thread, when the first call can go out without waiting, or with the reason (naming the
  // address) why that did not happen before `deadline`.
  virtual void Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
                       std::function<void(absl::Status)> done) = 0;

  // The same for a channel: `done` comes when the first call on it can go out without waiting, to
  // whichever member; the others connect as they can.
  // Requires: capabilities().multi_server_channels.
  virtual void ConnectChannel(ChannelIndex channel, const ChannelTarget& target,
                              absl::Time deadline, std::function<void(absl::Status)> done) {
    done(absl::UnimplementedError("this driver has no multi-server channels"));
  }

  // The driver's part of a call object, made once for each. May be null.
  virtual std::unique_ptr<DriverCallState> NewCallState() { return nullptr; }

  // Starts a call; see client_call.h. What cannot be sent ends at once with an error; time spent in
  // a queue of the driver's own is latency of the call.
  // After Stop() has begun the call ends with CANCELLED.
  // Requires: call->channel, or without one call->peer, is connected.
  virtual void StartCall(ClientCall* call) = 0;

  // Asks for the call's early end, with CANCELLED if it had not ended already. Requires: between
  // StartCall and ReleaseCall.
  virtual void CancelCall(ClientCall* call) = 0;

  // The engine has seen the call's end and will not cancel it any more.
  virtual void ReleaseCall(ClientCall* call) {}

  // Calls `done` once, on any thread, possibly inside, when peers have taken care of all one-way
  // calls that have ended, or their connections are lost. A driver with the capability lets only so
  // many of these be on their way to a peer, or in its hands, that a slow peer slows down the
  // sender: more of them wait, as calls that have not ended. Stop() ends the waiting.
  virtual void DrainOneWay(std::function<void()> done) { done(); }

  // The engine has started all calls of this moment: a driver that batches sends now.
  virtual void Flush(ShardIndex shard) {}

  // --- Both

  virtual DriverCapabilities capabilities() const = 0;

  // Counters worth a line in a result, such as connections or retransmissions.
  virtual std::vector<DriverStatistic> Statistics() const { return {}; }

  // Refuses new requests and calls, cancels what is outstanding, and waits until every call has
  // ended and every request was answered, at most until `deadline`. What had not ended then is
  // detached and its number returned. No callback comes after the return. Callers of requests that
  // were not answered get an error.
  // Requires: called once, not from a callback.
  virtual int64_t Stop(absl::Time deadline) = 0;
};

// What a process offers to the drivers that live in it. All outlive the drivers.
struct DriverEnvironment {
  const Clock* clock = nullptr;
  TimerService* timers = nullptr;
  const DataPlaneAddress* address = nullptr;  // what to bind and what to advertise
  size_t peer_count = 0;                      // instances of the test: Connect's indices are below
  size_t channel_count = 0;                   // likewise, for ConnectChannel
};

class DriverFactory {
 public:
  virtual ~DriverFactory() = default;

  // Of a driver that holds another one: the setting that names the driver inside, whose options are
  // then `inner_driver` of its own. Empty: this driver holds none.
  virtual std::string InnerDriverSetting() const { return ""; }

  // OK if Create would accept these options; else InvalidArgument or Unimplemented that names the
  // setting, its value and what would be accepted. Reads nothing but its argument.
  virtual absl::Status Check(const ProtocolDriverOptions& options) const = 0;

  // OK if a driver of these options, which Check accepts, takes the settings of the channel; else
  // InvalidArgument that names the setting, or Unimplemented if it has no channels. Reads nothing
  // but its arguments.
  virtual absl::Status CheckChannel(const ProtocolDriverOptions& options,
                                    const MultiServerChannel& channel) const {
    return absl::UnimplementedError("this driver has no multi-server channels");
  }

  // Sockets that a driver made with these options listens on, and the ports of the data plane's
  // range that they take. Requires: Check accepts the options.
  virtual int64_t ListenersPerEngine(const ProtocolDriverOptions& options) const { return 1; }
  virtual int64_t PortsPerEngine(const ProtocolDriverOptions& options) const {
    return ListenersPerEngine(options);
  }

  // Descriptors that a client made with these options opens to each peer, and the peer for it.
  // Requires: Check accepts the options.
  virtual int64_t DescriptorsPerPeer(const ProtocolDriverOptions& options) const { return 1; }

  virtual absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_PROTOCOL_DRIVER_H_
