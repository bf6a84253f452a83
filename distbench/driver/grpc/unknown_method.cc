#include "distbench/driver/grpc/unknown_method.h"

#include <grpc/slice.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/driver/grpc/generic_rpc_method.h"
#include "distbench/driver/grpc/grpc_server.h"
#include "distbench/driver/grpc/slice_text.h"
#include "glog/logging.h"

namespace distbench {

UnknownMethod::UnknownMethod(GrpcServer* server) : server_(server) {
  grpc_call_details_init(&details_);
  grpc_metadata_array_init(&metadata_);
}

UnknownMethod::~UnknownMethod() {
  grpc_metadata_array_destroy(&metadata_);
  grpc_call_details_destroy(&details_);
}

void UnknownMethod::AskForRequest() {
  grpc_completion_queue* queue = server_->threads_.queue(kQueue);
  const grpc_call_error error = grpc_server_request_call(server_->server_, &call_, &details_,
                                                         &metadata_, queue, queue, tag());
  CHECK_EQ(error, GRPC_CALL_OK);
}

void UnknownMethod::OnEvent(bool ok) {
  if (is_refusing_) {
    is_refusing_ = false;
    grpc_call_unref(std::exchange(call_, nullptr));
    metadata_.count = 0;
    AskForRequest();
  } else if (ok) {
    is_refusing_ = true;
    Refuse();
  } else {
    server_->OnPartEnded();
  }
}

void UnknownMethod::Refuse() {
  grpc_slice text = ToSlice(absl::StrCat("no method ", ToText(details_.method),
                                         " here; there is only ", kGenericRpcMethod));
  grpc_slice_unref(std::exchange(details_.method, grpc_empty_slice()));
  grpc_slice_unref(std::exchange(details_.host, grpc_empty_slice()));
  grpc_op batch[3] = {};
  batch[0].op = GRPC_OP_SEND_INITIAL_METADATA;
  batch[1].op = GRPC_OP_SEND_STATUS_FROM_SERVER;
  batch[1].data.send_status_from_server.status = GRPC_STATUS_UNIMPLEMENTED;
  batch[1].data.send_status_from_server.status_details = &text;
  batch[2].op = GRPC_OP_RECV_CLOSE_ON_SERVER;
  batch[2].data.recv_close_on_server.cancelled = &was_cancelled_;
  const grpc_call_error error = grpc_call_start_batch(call_, batch, 3, tag(), nullptr);
  CHECK_EQ(error, GRPC_CALL_OK);
  grpc_slice_unref(text);
}

}  // namespace distbench
