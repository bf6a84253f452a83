#include <grpc/byte_buffer.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/slice.h>

#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/floors/client_commands.h"
#include "benchmarks/floors/grpc_ready_message.h"
#include "benchmarks/floors/roles.h"
#include "distbench/base/clock.h"
#include "distbench/driver/grpc/channel_arguments.h"

namespace distbench {
namespace {

struct BareChannel {
  grpc_channel* channel = nullptr;
  void* method = nullptr;
};

struct Messages {
  ReadyMessage request;
  ReadyMessage response;  // what is expected
};

// One RPC after the other.
class BareCall {
 public:
  BareCall(const BareChannel& channel, grpc_completion_queue* queue, const Messages& messages)
      : channel_(channel),
        queue_(queue),
        messages_(messages),
        request_(grpc_raw_byte_buffer_create(nullptr, 0)),
        status_details_(grpc_empty_slice()) {
    grpc_metadata_array_init(&initial_metadata_);
    grpc_metadata_array_init(&trailing_metadata_);
    for (grpc_op& op : batch_) op = {};
    batch_[0].op = GRPC_OP_SEND_INITIAL_METADATA;
    batch_[1].op = GRPC_OP_SEND_MESSAGE;
    batch_[1].data.send_message.send_message = request_;
    batch_[2].op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
    batch_[3].op = GRPC_OP_RECV_INITIAL_METADATA;
    batch_[3].data.recv_initial_metadata.recv_initial_metadata = &initial_metadata_;
    batch_[4].op = GRPC_OP_RECV_MESSAGE;
    batch_[4].data.recv_message.recv_message = &response_;
    batch_[5].op = GRPC_OP_RECV_STATUS_ON_CLIENT;
    batch_[5].data.recv_status_on_client.trailing_metadata = &trailing_metadata_;
    batch_[5].data.recv_status_on_client.status = &status_;
    batch_[5].data.recv_status_on_client.status_details = &status_details_;
  }
  BareCall(const BareCall&) = delete;
  BareCall& operator=(const BareCall&) = delete;
  ~BareCall() {
    grpc_byte_buffer_destroy(request_);
    grpc_metadata_array_destroy(&initial_metadata_);
    grpc_metadata_array_destroy(&trailing_metadata_);
  }

  void Begin(int64_t now_ns) {
    begin_ns_ = now_ns;
    messages_.request.FillIn(request_);
    call_ = grpc_channel_create_registered_call(channel_.channel, nullptr, GRPC_PROPAGATE_DEFAULTS,
                                                queue_, channel_.method,
                                                gpr_inf_future(GPR_CLOCK_MONOTONIC), nullptr);
    grpc_call_start_batch(call_, batch_, std::size(batch_), this, nullptr);
  }

  // Clears up after the RPC. False if it failed.
  bool End() {
    const bool has_response = messages_.response.HasSizeOf(response_);
    if (response_ != nullptr) grpc_byte_buffer_destroy(std::exchange(response_, nullptr));
    grpc_slice_unref(std::exchange(status_details_, grpc_empty_slice()));
    initial_metadata_.count = 0;
    trailing_metadata_.count = 0;
    grpc_call_unref(call_);
    return has_response && status_ == GRPC_STATUS_OK;
  }

  int64_t begin_ns() const { return begin_ns_; }

 private:
  const BareChannel channel_;
  grpc_completion_queue* const queue_;
  const Messages& messages_;
  grpc_byte_buffer* const request_;
  grpc_op batch_[6];
  grpc_call* call_ = nullptr;
  int64_t begin_ns_ = 0;
  grpc_metadata_array initial_metadata_;
  grpc_metadata_array trailing_metadata_;
  grpc_byte_buffer* response_ = nullptr;
  grpc_status_code status_ = GRPC_STATUS_OK;
  grpc_slice status_details_;
};

// A thread's queue and the calls whose ends it sees.
class BareLoop {
 public:
  BareLoop() : queue_(grpc_completion_queue_create_for_next(nullptr)) {}

  void AddCall(const BareChannel& channel, const Messages& messages) {
    calls_.emplace_back(channel, queue_, messages);
  }

  // Runs the load until the window's last RPC has ended.
  void Run(const LoadWindow& window, bool with_latency, LoadTally* tally) {
    size_t in_flight = calls_.size();
    for (BareCall& call : calls_) call.Begin(clock_.MonotonicNs());
    while (in_flight > 0) {
      const grpc_event event =
          grpc_completion_queue_next(queue_, gpr_inf_future(GPR_CLOCK_MONOTONIC), nullptr);
      auto* call = static_cast<BareCall*>(event.tag);
      const bool has_succeeded = call->End();
      const int64_t now_ns = clock_.MonotonicNs();
      if (!has_succeeded) {
        tally->CountFailure();
      } else if (with_latency) {
        tally->CountWithLatency(call->begin_ns(), now_ns);
      } else {
        tally->Count(call->begin_ns(), now_ns);
      }
      if (has_succeeded && window.MayBegin(now_ns)) {
        call->Begin(now_ns);
      } else {
        --in_flight;
      }
    }
  }

 private:
  const SystemClock clock_;
  grpc_completion_queue* const queue_;
  std::deque<BareCall> calls_;
};

std::vector<BareChannel> MakeChannels(const FloorOptions& options) {
  std::vector<grpc_arg> arguments = ClientChannelArguments();
  const grpc_channel_args args = AsChannelArgs(arguments);
  grpc_channel_credentials* credentials = grpc_insecure_credentials_create();
  std::vector<BareChannel> channels;
  for (int i = 0; i < options.connections; ++i) {
    BareChannel channel;
    channel.channel =
        grpc_channel_create(absl::StrCat("ipv4:", options.address).c_str(), credentials, &args);
    channel.method = grpc_channel_register_call(channel.channel, kFloorMethod, nullptr, nullptr);
    channels.push_back(channel);
  }
  grpc_channel_credentials_release(credentials);
  return channels;
}

}  // namespace

// The process ends with everything in it, so that nothing is torn down.
absl::Status RunGrpcBareClient(const FloorOptions& options) {
  grpc_init();
  const std::vector<BareChannel> channels = MakeChannels(options);
  const Messages messages = {.request = ReadyMessage(options.request_bytes),
                             .response = ReadyMessage(options.response_bytes)};
  std::deque<BareLoop> loops(static_cast<size_t>(options.threads));
  for (size_t i = 0; i < static_cast<size_t>(options.in_flight); ++i) {
    // Consecutive calls go to consecutive loops; each loop uses all channels in turn.
    loops[i % loops.size()].AddCall(channels[i / loops.size() % channels.size()], messages);
  }
  const absl::Status status = ObeyCommands([&](const LoadWindow& window) {
    std::vector<std::unique_ptr<LoadTally>> tallies;
    std::vector<std::thread> threads;
    for (BareLoop& loop : loops) {
      tallies.push_back(std::make_unique<LoadTally>(window));
      threads.emplace_back([&loop, &window, &options, tally = tallies.back().get()] {
        loop.Run(window, options.latency, tally);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return Sum(tallies);
  });
  std::_Exit(status.ok() ? 0 : 1);
}

}  // namespace distbench
