#include "benchmarks/floors/framed_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace distbench {
namespace {

// Room for several thousand small frames: one read takes all that is there.
constexpr size_t kInputBytes = 256 << 10;

bool IsTransient(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

FramedSocket::FramedSocket(int descriptor) : descriptor_(descriptor), input_(kInputBytes) {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

FramedSocket::~FramedSocket() { close(descriptor_); }

bool FramedSocket::Receive() {
  const ssize_t n = recv(descriptor_, &input_[received_], input_.size() - received_, 0);
  if (n < 0) return IsTransient(errno);
  received_ += static_cast<size_t>(n);
  return n > 0;
}

void FramedSocket::Discard(size_t bytes) {
  received_ -= bytes;
  if (bytes > 0 && received_ > 0) std::memmove(input_.data(), &input_[bytes], received_);
}

bool FramedSocket::Flush() {
  while (has_unsent()) {
    const ssize_t n = send(descriptor_, &output_[sent_], output_.size() - sent_, MSG_NOSIGNAL);
    if (n < 0) return IsTransient(errno);
    sent_ += static_cast<size_t>(n);
  }
  output_.clear();
  sent_ = 0;
  return true;
}

}  // namespace distbench
