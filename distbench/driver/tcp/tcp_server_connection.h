// TcpServerConnection: a connection that a server has accepted: takes requests, sends answers.
//
// Requests come on the loop's thread; answers on any, at any time, after the connection or even the
// driver has gone too. A call object belongs to its connection, which therefore lives until it is
// closed and every request was answered:
//
//               OnFrames                      Answer
//   free list ------------> with the engine -----------> free list
//                            |                 ^
//                            '-- cancelled: ---'  nothing is sent; for one-way requests a credit,
//                                                 by and by
#ifndef DISTBENCH_DRIVER_TCP_TCP_SERVER_CONNECTION_H_
#define DISTBENCH_DRIVER_TCP_TCP_SERVER_CONNECTION_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "distbench/base/indices.h"
#include "distbench/driver/server_call.h"
#include "distbench/driver/tcp/server_context.h"
#include "distbench/driver/tcp/tcp_connection.h"
#include "distbench/driver/tcp/tcp_server_call.h"

namespace distbench {

struct TcpServerConnectionOptions {
  EventLoop* loop = nullptr;
  ShardIndex shard;  // where its requests arrive
  std::string peer_name;
  int64_t max_queued_bytes = 0;
  std::shared_ptr<ServerContext> context;
};

class TcpServerConnection final : public TcpConnection {
 public:
  explicit TcpServerConnection(TcpServerConnectionOptions options);

  // Takes over an accepted socket. The context counts the connection from now on until it is
  // closed. On the loop's thread.
  void Begin(SharedSocket socket);

  // Closes when all answers were written, or at once. On the loop's thread.
  void CloseGracefully();
  void CloseNow();

  // Sends an answer, unless nobody wants it any more. The call may be in use for the next request
  // then. On any thread.
  void Answer(TcpServerCall* call, FrameType type, const OutgoingMessage& body)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void OnGreeted() override {}
  void OnClosed(const absl::Status& reason) override ABSL_LOCKS_EXCLUDED(mutex_);

  absl::Status OnFrames(const FrameBatch& batch) override;
  absl::Status TakeCalls(const FrameBatch& batch, TcpServerCall** calls, size_t* count)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status TakeCall(CallId id, TcpServerCall** call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status TakeOneWay(TcpServerCall** call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  TcpServerCall* NewCall() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool GiveCredit() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CancelCall(CallId id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Deliver(TcpServerCall* call, ReceivedMessage request);

  const ShardIndex shard_;
  const std::shared_ptr<ServerContext> context_;

  // The call of each of the client's slots; null where the client waits for none.
  std::vector<TcpServerCall*> wanted_ ABSL_GUARDED_BY(mutex_);
  std::deque<TcpServerCall> calls_ ABSL_GUARDED_BY(mutex_);  // all; addresses are stable
  TcpServerCall* first_free_ ABSL_GUARDED_BY(mutex_) = nullptr;
  size_t unanswered_ ABSL_GUARDED_BY(mutex_) = 0;
  uint32_t unanswered_one_way_ ABSL_GUARDED_BY(mutex_) = 0;  // of these
  uint32_t owed_credits_ ABSL_GUARDED_BY(mutex_) = 0;        // served, but credit was not given
  // This, while it is closed and requests are unanswered.
  std::shared_ptr<LoopMember> keep_alive_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_SERVER_CONNECTION_H_
