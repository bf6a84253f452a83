#include "distbench/driver/tcp/tcp_connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "distbench/base/status_macros.h"
#include "glog/logging.h"

namespace distbench {
namespace {

// How long a peer may take to say hello.
constexpr absl::Duration kHelloTimeout = absl::Seconds(10);

// A connection that always has more to read or to write leaves room for the others after so many
// system calls.
constexpr int kReadsPerTurn = 16;
constexpr int kWritesPerFlush = 16;

// Pieces of one write.
constexpr size_t kMaxPieces = 64;

ssize_t Send(int fd, iovec* pieces, size_t count) {
  if (count == 1) return send(fd, pieces->iov_base, pieces->iov_len, MSG_NOSIGNAL);
  msghdr message = {};
  message.msg_iov = pieces;
  message.msg_iovlen = count;
  return sendmsg(fd, &message, MSG_NOSIGNAL);
}

ssize_t Receive(int fd, iovec* room, size_t count) {
  if (count == 1) return recv(fd, room->iov_base, room->iov_len, 0);
  return readv(fd, room, static_cast<int>(count));
}

}  // namespace

struct TcpConnection::Writing {
  SharedSocket socket;  // null before the first write
  iovec pieces[kMaxPieces];
  size_t count = 0;
  ssize_t result = 0;
  int error = 0;
  int writes = 0;

  // What is to be done when the mutex is free again.
  bool resume_reading = false;
  bool flush_later = false;
  bool notify = false;
  absl::Status close_reason;  // not OK: close
};

TcpConnection::TcpConnection(TcpConnectionOptions options)
    : LoopMember(options.group),
      options_(std::move(options)),
      reader_(&options_.loop->chunks(), options_.max_message_bytes) {}

// --- Opening and closing

void TcpConnection::Open(SharedSocket socket) {
  reading_from_ = socket;
  is_greeted_ = false;
  reads_to_end_ = false;
  loop().Arm(&hello_timer_, kHelloTimeout);
  const std::string hello = EncodeHello(options_.role);
  bool flush;
  {
    absl::MutexLock lock(&mutex_);
    socket_ = std::move(socket);
    send_queue_.Clear();  // of what was queued while nobody knew that it was too late
    send_state_ = SendState::kIdle;
    reading_is_paused_.store(false, std::memory_order_relaxed);
    close_reason_ = absl::OkStatus();
    QueueFrame(FrameType::kHello, {}, {.head = hello});
    flush = ClaimFlush();
  }
  if (flush) ScheduleFlush();
}

void TcpConnection::Close(const absl::Status& reason) {
  if (reading_from_ == nullptr) return;
  const SharedSocket socket = std::move(reading_from_);
  {
    absl::MutexLock lock(&mutex_);
    // Closed for good when nobody writes to it any more.
    socket_.reset();
    send_queue_.Clear();
  }
  loop().Disarm(&hello_timer_);
  loop().Remove(socket->fd());
  reader_.Clear();
  OnClosed(reason);
}

void TcpConnection::CloseWhenDrained(const absl::Status& reason) {
  {
    absl::MutexLock lock(&mutex_);
    if (is_open() && send_state_ != SendState::kIdle) {
      close_reason_ = reason;
      return;
    }
  }
  Close(reason);
}

void TcpConnection::SayGoodbye() {
  absl::MutexLock lock(&mutex_);
  // Whoever is writing finds out that it is too late.
  if (send_state_ != SendState::kWriting) send_queue_.Clear();
  shutdown(socket_->fd(), SHUT_WR);
}

void TcpConnection::PostClose(const SharedSocket& socket, const absl::Status& reason) {
  auto self = std::static_pointer_cast<TcpConnection>(shared_from_this());
  loop().Post([self, socket, reason] {
    if (self->reading_from_ == socket) self->Close(reason);
  });
}

void TcpConnection::OnHelloTimeout() {
  Close(absl::UnavailableError(absl::StrCat(peer_name(), " has not said hello within ",
                                            absl::FormatDuration(kHelloTimeout),
                                            "; does a distbench node run there?")));
}

// --- Sending

void TcpConnection::ScheduleFlush() {
  if (EventLoop* current = EventLoop::Current()) {
    current->FlushSoon(this);
  } else if (loop().asleep()) {
    Flush();
  } else {
    loop().PostFlush(shared_from_this());
  }
}

void TcpConnection::LeaveFlushToLoop() {
  if (EventLoop* current = EventLoop::Current()) {
    current->FlushSoon(this);
  } else {
    loop().PostFlush(shared_from_this());
  }
}

void TcpConnection::Flush() {
  Writing writing;
  while (PrepareWrite(&writing)) {
    writing.result = Send(writing.socket->fd(), writing.pieces, writing.count);
    writing.error = errno;
  }
  FollowUp(writing);
}

// Takes note of the write that was made, if any, and gathers what is to be written next. False if
// there is nothing, or nothing to be done about it now.
bool TcpConnection::PrepareWrite(Writing* writing) {
  absl::MutexLock lock(&mutex_);
  if (writing->socket == nullptr) {
    if (!is_open() || send_state_ != SendState::kScheduled) return false;
    send_state_ = SendState::kWriting;
    became_writable_ = false;
    writing->socket = socket_;
  } else {
    // Closed meanwhile, and perhaps opened again.
    if (socket_ != writing->socket) return false;
    if (!AccountFor(writing)) return false;
  }
  writing->count = send_queue_.Gather(absl::MakeSpan(writing->pieces));
  if (writing->count == 0) {
    send_state_ = SendState::kIdle;
    writing->close_reason = close_reason_;
    return false;
  }
  if (writing->writes++ == kWritesPerFlush) {
    send_state_ = SendState::kScheduled;
    writing->flush_later = true;
    return false;
  }
  return true;
}

// False if this flush can write no more.
bool TcpConnection::AccountFor(Writing* writing) {
  counters_.writes.Add(1);
  if (writing->result >= 0) {
    OnWritten(static_cast<size_t>(writing->result), writing);
    return true;
  }
  if (writing->error == EINTR) return true;
  if (writing->error == EAGAIN || writing->error == EWOULDBLOCK) {
    if (std::exchange(became_writable_, false)) return true;
  } else {
    writing->close_reason = absl::ErrnoToStatus(
        writing->error, absl::StrCat("the connection with ", peer_name(), " is broken"));
  }
  send_state_ = SendState::kBlocked;
  return false;
}

void TcpConnection::OnWritten(size_t bytes, Writing* writing) {
  counters_.bytes_sent.Add(static_cast<int64_t>(bytes));
  send_queue_.Consume(bytes);
  if (OnQueueShrunk()) writing->notify = true;
  if (!reading_is_paused_.load(std::memory_order_relaxed)) return;
  if (send_queue_.size_bytes() > options_.max_queued_bytes / 2) return;
  reading_is_paused_.store(false, std::memory_order_relaxed);
  writing->resume_reading = true;
}

void TcpConnection::FollowUp(const Writing& writing) {
  if (writing.flush_later) loop().PostFlush(shared_from_this());
  if (writing.notify) AfterShrinking();
  if (writing.resume_reading) loop().Continue(shared_from_this());
  if (!writing.close_reason.ok()) PostClose(writing.socket, writing.close_reason);
}

void TcpConnection::OnWritable() {
  {
    absl::MutexLock lock(&mutex_);
    if (send_state_ == SendState::kWriting) became_writable_ = true;
    if (send_state_ != SendState::kBlocked) return;
    send_state_ = SendState::kScheduled;
  }
  Flush();
}

// --- Receiving

void TcpConnection::OnReady(uint32_t epoll_events) {
  if (reading_from_ == nullptr) return;
  if ((epoll_events & EPOLLOUT) != 0) OnWritable();
  if ((epoll_events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) reads_to_end_ = true;
  if ((epoll_events & ~uint32_t{EPOLLOUT}) != 0) Receive();
}

void TcpConnection::Receive() {
  // What was left when reading was paused.
  if (!HandleFrames()) return;
  for (int reads = 0; reads < kReadsPerTurn; ++reads) {
    const ReadResult result = ReadOnce();
    if (result == ReadResult::kNothing || !HandleFrames() || result == ReadResult::kAll) return;
  }
  loop().Continue(shared_from_this());
}

// kAll: there is no more, as the read has not filled its room.
TcpConnection::ReadResult TcpConnection::ReadOnce() {
  iovec room[FrameReader::kMaxRoom];
  const size_t count = reader_.PrepareRoom(absl::MakeSpan(room));
  const ssize_t result = distbench::Receive(reading_from_->fd(), room, count);
  counters_.reads.Add(1);
  if (result <= 0) return OnReadFailed(result == 0 ? 0 : errno);
  if (options_.role == HelloRole::kServer) read_ns_ = loop().NowNs();
  const auto bytes = static_cast<size_t>(result);
  counters_.bytes_received.Add(result);
  reader_.Commit(bytes);
  size_t prepared = 0;
  for (size_t i = 0; i < count; ++i) prepared += room[i].iov_len;
  return bytes < prepared && !reads_to_end_ ? ReadResult::kAll : ReadResult::kMore;
}

// Error 0: the stream has ended.
TcpConnection::ReadResult TcpConnection::OnReadFailed(int error) {
  reader_.ReleaseConsumed();
  if (error == EINTR) return ReadResult::kMore;
  if (error == EAGAIN || error == EWOULDBLOCK) return ReadResult::kNothing;
  if (error == 0) {
    Close(absl::UnavailableError(absl::StrCat(peer_name(), " has closed the connection")));
  } else {
    Close(absl::ErrnoToStatus(error,
                              absl::StrCat("the connection with ", peer_name(), " is broken")));
  }
  return ReadResult::kNothing;
}

// False if no more is to be read now.
bool TcpConnection::HandleFrames() {
  if (reading_is_paused_.load(std::memory_order_relaxed)) return false;
  FrameBatch& batch = loop().batch();
  bool goes_on = true;
  while (goes_on) {
    absl::Status status = reader_.NextFrames(&batch);
    if (status.ok() && batch.empty()) break;
    if (status.ok()) status = HandleBatch(&batch);
    if (!status.ok()) {
      LOG(WARNING) << "closing the connection with " << peer_name() << ": " << status.message();
      Close(absl::UnavailableError(
          absl::StrCat(peer_name(), " sent what is not understood: ", status.message())));
    }
    loop().FlushActive();
    goes_on = reading_from_ != nullptr && !PausesReading();
  }
  reader_.ReleaseConsumed();
  return goes_on;
}

absl::Status TcpConnection::HandleBatch(FrameBatch* batch) {
  counters_.frames_received.Add(static_cast<int64_t>(batch->size()));
  if (!is_greeted_) {
    if (batch->header(0).type != FrameType::kHello) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the first frame is of type ", static_cast<int>(batch->header(0).type), ", no hello"));
    }
    const bool is_client = options_.role == HelloRole::kClient;
    RETURN_IF_ERROR(
        CheckHello(is_client ? HelloRole::kServer : HelloRole::kClient, batch->body(0)));
    batch->DropFirst();
    loop().Disarm(&hello_timer_);
    is_greeted_ = true;
    counters_.connections.Add(1);
    OnGreeted();
  }
  return batch->empty() ? absl::OkStatus() : OnFrames(*batch);
}

bool TcpConnection::PausesReading() {
  if (options_.role != HelloRole::kServer) return false;
  absl::MutexLock lock(&mutex_);
  if (!queue_is_full()) return false;
  reading_is_paused_.store(true, std::memory_order_relaxed);
  return true;
}

}  // namespace distbench
