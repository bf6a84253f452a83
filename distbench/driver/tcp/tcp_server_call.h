// TcpServerCall: one request, from its arrival until it is answered. Pooled by its connection.
#ifndef DISTBENCH_DRIVER_TCP_TCP_SERVER_CALL_H_
#define DISTBENCH_DRIVER_TCP_TCP_SERVER_CALL_H_

#include "absl/status/status.h"
#include "distbench/driver/server_call.h"
#include "distbench/driver/tcp/frame.h"

namespace distbench {

class TcpServerConnection;

class TcpServerCall final : public ServerCall {
 public:
  explicit TcpServerCall(TcpServerConnection* connection) : connection_(connection) {}

  void Respond(const OutgoingMessage& response) override;
  void RespondError(const absl::Status& status) override;

 private:
  friend class TcpServerConnection;

  TcpServerConnection* const connection_;
  CallId id_;
  bool is_counted_ = false;             // by the server's gate
  bool is_wanted_ = false;              // guarded by the connection's mutex; false: was cancelled
  TcpServerCall* next_free_ = nullptr;  // guarded likewise
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_SERVER_CALL_H_
