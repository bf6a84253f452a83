// TcpConnection: frames over one stream socket, for a client or a server to build on.
//
// Reading happens on the loop's thread only and brings frames in batches (OnFrames). Sending is a
// queue under a mutex, which holds for some instructions only, and a flush that whoever put the
// first frame into an idle queue sees to:
//
//                 frame queued           Flush                     all written
//          kIdle --------------> kScheduled ------------> kWriting -----------> kIdle
//                                   ^                        |
//                                   |  the socket has room   |  the socket is full
//                                   '------- kBlocked <------'
//
//   - within a turn of an event loop the flush comes at the turn's end;
//   - any other thread flushes at once if the loop sleeps, and leaves it to the loop otherwise.
//
// Nobody holds the mutex during a system call or a callback, so that frames may be queued at all
// times. The first frame both ways is a hello. What is no legal frame closes the connection.
//
// A server stops reading while its queue is full, so that a peer which sends requests and takes no
// answers is held up instead of filling the memory. A client always reads.
//
// A connection object may be opened again after it was closed.
#ifndef DISTBENCH_DRIVER_TCP_TCP_CONNECTION_H_
#define DISTBENCH_DRIVER_TCP_TCP_CONNECTION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/member_timer.h"
#include "distbench/driver/tcp/event_loop.h"
#include "distbench/driver/tcp/frame.h"
#include "distbench/driver/tcp/frame_batch.h"
#include "distbench/driver/tcp/frame_reader.h"
#include "distbench/driver/tcp/send_queue.h"
#include "distbench/driver/tcp/stream_socket.h"
#include "distbench/driver/tcp/tcp_counters.h"

namespace distbench {

struct TcpConnectionOptions {
  EventLoop* loop = nullptr;            // outlives the connection
  HelloRole role = HelloRole::kClient;  // of this end
  std::string peer_name;                // for messages
  const void* group = nullptr;          // see LoopMember
  int64_t max_queued_bytes = 0;
  int64_t max_message_bytes = kMaxTcpMessageBytes;
};

class TcpConnection : public LoopMember {
 public:
  void OnReady(uint32_t epoll_events) override;
  void Flush() override;

  const TcpCounters& counters() const { return counters_; }
  EventLoop& loop() const { return *options_.loop; }

 protected:
  explicit TcpConnection(TcpConnectionOptions options);

  // --- What a derived class makes of it, all on the loop's thread

  // The peer's hello has come: other frames may be sent.
  virtual void OnGreeted() = 0;
  // Frames have come, no hello among them. Not OK: the peer breaks the rules; the connection
  // closes.
  virtual absl::Status OnFrames(const FrameBatch& batch) = 0;
  // The connection was closed. Nothing comes any more.
  virtual void OnClosed(const absl::Status& reason) = 0;
  // Some of the queue was written. True if AfterShrinking() is to be called without the mutex, by
  // and by. Both on any thread.
  virtual bool OnQueueShrunk() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return false; }
  virtual void AfterShrinking() ABSL_LOCKS_EXCLUDED(mutex_) {}

  // --- On the loop's thread

  bool is_open_here() const { return reading_from_ != nullptr; }

  // When the frames that a server's OnFrames gets were read: the last read before it. Monotonic.
  int64_t read_ns() const { return read_ns_; }

  // Takes over a connected socket that was added to the loop, and says hello.
  // Requires: not open.
  void Open(SharedSocket socket) ABSL_LOCKS_EXCLUDED(mutex_);

  // Closes the connection unless it is closed. `reason` is for those whom it concerns.
  void Close(const absl::Status& reason) ABSL_LOCKS_EXCLUDED(mutex_);

  // Tells the peer that nothing more is to come, and drops what was queued. Closes when the peer
  // has closed its end too, as it does when it has handled what came before. Requires: open.
  void SayGoodbye() ABSL_LOCKS_EXCLUDED(mutex_);

  // Closes the connection as soon as the queue has been written.
  void CloseWhenDrained(const absl::Status& reason) ABSL_LOCKS_EXCLUDED(mutex_);

  // --- On any thread

  bool is_open() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return socket_ != nullptr; }

  bool queue_is_full() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return send_queue_.size_bytes() >= options_.max_queued_bytes;
  }

  // Requires: open.
  void QueueFrame(FrameType type, CallId id, const OutgoingMessage& body)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    send_queue_.AppendFrame(type, id, body);
    counters_.frames_sent.Add(1);
  }

  // After frames were queued: true if the caller has to call ScheduleFlush(), without the mutex.
  bool ClaimFlush() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (send_state_ != SendState::kIdle) return false;
    send_state_ = SendState::kScheduled;
    return true;
  }
  void ScheduleFlush() ABSL_LOCKS_EXCLUDED(mutex_);
  // The same for frames that nobody waits for: the loop writes them, with others if more come.
  void LeaveFlushToLoop() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string& peer_name() const { return options_.peer_name; }

  mutable absl::Mutex mutex_;

 private:
  enum class SendState { kIdle, kScheduled, kWriting, kBlocked };

  // One flush, as it goes on.
  struct Writing;

  // Sending.
  bool PrepareWrite(Writing* writing) ABSL_LOCKS_EXCLUDED(mutex_);
  bool AccountFor(Writing* writing) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnWritten(size_t bytes, Writing* writing) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FollowUp(const Writing& writing) ABSL_LOCKS_EXCLUDED(mutex_);
  void PostClose(const SharedSocket& socket, const absl::Status& reason);
  void OnWritable() ABSL_LOCKS_EXCLUDED(mutex_);

  // Receiving.
  void OnHelloTimeout();
  enum class ReadResult { kNothing, kAll, kMore };
  void Receive();
  ReadResult ReadOnce();
  ReadResult OnReadFailed(int error);
  bool HandleFrames();
  absl::Status HandleBatch(FrameBatch* batch);
  bool PausesReading() ABSL_LOCKS_EXCLUDED(mutex_);

  const TcpConnectionOptions options_;

  // The loop's thread's.
  SharedSocket reading_from_;  // null when closed
  FrameReader reader_;
  int64_t read_ns_ = 0;  // a server's
  bool is_greeted_ = false;
  bool reads_to_end_ = false;  // the stream has ended, or failed: read until that comes up
  MemberTimer<TcpConnection, &TcpConnection::OnHelloTimeout> hello_timer_{this};

  TcpCounters counters_;

  // A server that cannot get rid of its answers takes no more requests. Set on the loop's thread,
  // reset by whoever writes, both with the mutex held; read without.
  std::atomic<bool> reading_is_paused_{false};

  SharedSocket socket_ ABSL_GUARDED_BY(mutex_);  // null when closed
  SendQueue send_queue_ ABSL_GUARDED_BY(mutex_);
  SendState send_state_ ABSL_GUARDED_BY(mutex_) = SendState::kIdle;
  bool became_writable_ ABSL_GUARDED_BY(mutex_) = false;  // while kWriting
  absl::Status close_reason_ ABSL_GUARDED_BY(mutex_);     // not OK: close when drained
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_CONNECTION_H_
