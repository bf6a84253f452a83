#include <grpc/byte_buffer.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/slice.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/floors/client_commands.h"
#include "benchmarks/floors/grpc_ready_message.h"
#include "benchmarks/floors/roles.h"
#include "distbench/driver/grpc/channel_arguments.h"

namespace distbench {
namespace {

// Requests asked for in advance, at least.
constexpr int kRequestsAskedFor = 128;

// Serves one RPC after the other: asked -> answering -> asked.
class ServedCall {
 public:
  struct Server {
    grpc_server* server = nullptr;
    void* method = nullptr;
    const ReadyMessage* request = nullptr;  // what is expected
    const ReadyMessage* response = nullptr;
  };

  ServedCall(const Server& server, grpc_completion_queue* queue)
      : server_(server), queue_(queue), response_(grpc_raw_byte_buffer_create(nullptr, 0)) {
    grpc_metadata_array_init(&metadata_);
    for (grpc_op& op : batch_) op = {};
    batch_[0].op = GRPC_OP_SEND_INITIAL_METADATA;
    batch_[1].op = GRPC_OP_SEND_MESSAGE;
    batch_[1].data.send_message.send_message = response_;
    batch_[2].op = GRPC_OP_SEND_STATUS_FROM_SERVER;
    batch_[3].op = GRPC_OP_RECV_CLOSE_ON_SERVER;
    batch_[3].data.recv_close_on_server.cancelled = &cancelled_;
  }
  ServedCall(const ServedCall&) = delete;
  ServedCall& operator=(const ServedCall&) = delete;
  ~ServedCall() {
    grpc_byte_buffer_destroy(response_);
    grpc_metadata_array_destroy(&metadata_);
  }

  void AskForRequest() {
    is_answering_ = false;
    grpc_server_request_registered_call(server_.server, server_.method, &call_, &deadline_,
                                        &metadata_, &request_, queue_, queue_, this);
  }

  void OnEvent() {
    if (is_answering_) {
      grpc_call_unref(call_);
      metadata_.count = 0;
      AskForRequest();
      return;
    }
    is_answering_ = true;
    batch_[2].data.send_status_from_server.status =
        server_.request->HasSizeOf(request_) ? GRPC_STATUS_OK : GRPC_STATUS_INVALID_ARGUMENT;
    grpc_byte_buffer_destroy(std::exchange(request_, nullptr));
    server_.response->FillIn(response_);
    grpc_call_start_batch(call_, batch_, std::size(batch_), this, nullptr);
  }

 private:
  const Server server_;
  grpc_completion_queue* const queue_;
  grpc_byte_buffer* const response_;
  grpc_op batch_[4];
  bool is_answering_ = false;
  grpc_call* call_ = nullptr;
  gpr_timespec deadline_ = {};
  grpc_metadata_array metadata_;
  grpc_byte_buffer* request_ = nullptr;
  int cancelled_ = 0;
};

void Serve(grpc_completion_queue* queue) {
  while (true) {
    const grpc_event event =
        grpc_completion_queue_next(queue, gpr_inf_future(GPR_CLOCK_MONOTONIC), nullptr);
    if (event.type != GRPC_OP_COMPLETE) return;
    if (event.success != 0) static_cast<ServedCall*>(event.tag)->OnEvent();
  }
}

}  // namespace

// The process ends with its threads, so that nothing is torn down.
absl::Status RunGrpcBareServer(const FloorOptions& options) {
  grpc_init();
  std::vector<grpc_arg> arguments = ServerChannelArguments();
  const grpc_channel_args args = AsChannelArgs(arguments);
  grpc_server* server = grpc_server_create(&args, nullptr);
  void* method = grpc_server_register_method(server, kFloorMethod, nullptr,
                                             GRPC_SRM_PAYLOAD_READ_INITIAL_BYTE_BUFFER, 0);
  std::vector<grpc_completion_queue*> queues;
  for (int i = 0; i < options.threads; ++i) {
    queues.push_back(grpc_completion_queue_create_for_next(nullptr));
    grpc_server_register_completion_queue(server, queues.back(), nullptr);
  }
  grpc_server_credentials* credentials = grpc_insecure_server_credentials_create();
  const int port = grpc_server_add_http2_port(server, "127.0.0.1:0", credentials);
  grpc_server_credentials_release(credentials);
  if (port == 0) return absl::UnavailableError("no port to listen on");
  grpc_server_start(server);

  const ReadyMessage request(options.request_bytes);
  const ReadyMessage response(options.response_bytes);
  const ServedCall::Server served = {
      .server = server, .method = method, .request = &request, .response = &response};
  std::deque<ServedCall> calls;
  for (grpc_completion_queue* queue : queues) {
    for (int i = 0; i < std::max(options.in_flight, kRequestsAskedFor); ++i) {
      calls.emplace_back(served, queue).AskForRequest();
    }
  }
  for (grpc_completion_queue* queue : queues) std::thread(Serve, queue).detach();
  const absl::Status status = ServeUntilInputEnds(absl::StrCat("127.0.0.1:", port));
  std::_Exit(status.ok() ? 0 : 1);
}

}  // namespace distbench
