#include "distbench/driver/tcp/tcp_client_call.h"

#include "distbench/driver/tcp/tcp_client_connection.h"

namespace distbench {

void TcpClientCall::Deadline::OnTimer() { call_->connection->OnDeadline(call_); }

void WaitingCalls::Append(TcpClientCall* call) {
  call->next_waiting_ = nullptr;
  call->previous_waiting_ = last_;
  (last_ == nullptr ? first_ : last_->next_waiting_) = call;
  last_ = call;
}

void WaitingCalls::Remove(TcpClientCall* call) {
  TcpClientCall* next = call->next_waiting_;
  TcpClientCall* previous = call->previous_waiting_;
  (previous == nullptr ? first_ : previous->next_waiting_) = next;
  (next == nullptr ? last_ : next->previous_waiting_) = previous;
}

}  // namespace distbench
