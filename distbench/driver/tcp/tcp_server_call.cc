#include "distbench/driver/tcp/tcp_server_call.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/driver/tcp/tcp_server_connection.h"

namespace distbench {

void TcpServerCall::Respond(const OutgoingMessage& response) {
  if (response.size() > kMaxTcpMessageBytes) {
    return RespondError(absl::ResourceExhaustedError(
        absl::StrCat("a response of ", response.size(), " bytes; the driver tcp takes at most ",
                     kMaxTcpMessageBytes)));
  }
  connection_->Answer(this, FrameType::kResponse, response);
}

void TcpServerCall::RespondError(const absl::Status& status) {
  const std::string error = EncodeError(status);
  connection_->Answer(this, FrameType::kError, {.head = error});
}

}  // namespace distbench
