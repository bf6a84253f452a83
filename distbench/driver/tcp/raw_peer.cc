#include "distbench/driver/tcp/raw_peer.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "glog/logging.h"

namespace distbench {
namespace {

void SetBlocking(const OwnedSocket& socket) {
  PCHECK(fcntl(socket.fd(), F_SETFL, fcntl(socket.fd(), F_GETFL) & ~O_NONBLOCK) == 0);
}

}  // namespace

std::string EncodeRaw(FrameType type, CallId id, const std::string& body) {
  std::string bytes(kFrameHeaderBytes, '\0');
  EncodeFrameHeader({.type = type, .body_bytes = body.size(), .id = id}, bytes.data());
  return bytes + body;
}

RawPeer RawPeer::ConnectTo(const TcpEndpoint& endpoint) {
  const auto address = ToKernelAddress(endpoint);
  CHECK(address.ok()) << address.status();
  auto socket = std::make_shared<const OwnedSocket>(
      ::socket(address->family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
  PCHECK(connect(socket->fd(), address->get(), address->length) == 0);
  return RawPeer(std::move(socket));
}

RawPeer::RawPeer(SharedSocket socket) : socket_(std::move(socket)) { SetBlocking(*socket_); }

bool RawPeer::Send(const std::string& bytes) {
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = send(socket_->fd(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<size_t>(n);
  }
  return true;
}

bool RawPeer::TakesBytes() const {
  constexpr int kWhileMs = 300;
  pollfd entry = {.fd = socket_->fd(), .events = POLLOUT, .revents = 0};
  return poll(&entry, 1, kWhileMs) == 1;
}

bool RawPeer::ReceiveBytes(size_t size, std::string* bytes) {
  bytes->resize(size);
  for (size_t received = 0; received < size;) {
    const ssize_t n = recv(socket_->fd(), bytes->data() + received, size - received, 0);
    if (n <= 0) return false;
    received += static_cast<size_t>(n);
  }
  return true;
}

std::optional<RawFrame> RawPeer::Receive() {
  std::string bytes;
  if (!ReceiveBytes(kFrameHeaderBytes, &bytes)) return std::nullopt;
  RawFrame frame = {.header = DecodeFrameHeader(bytes.data()), .body = ""};
  if (!ReceiveBytes(frame.header.body_bytes, &frame.body)) return std::nullopt;
  return frame;
}

void RawPeer::AwaitEnd() {
  char bytes[4096];
  while (recv(socket_->fd(), bytes, sizeof(bytes), 0) > 0) continue;
}

void RawPeer::Reset() {
  const linger at_once = {.l_onoff = 1, .l_linger = 0};
  setsockopt(socket_->fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  socket_.reset();
}

RawListener::RawListener() {
  auto socket = Listen({.address = {.host = "127.0.0.1", .port = 0}}, {});
  CHECK(socket.ok()) << socket.status();
  socket_ = *std::move(socket);
  SetBlocking(*socket_);
  endpoint_ = {.address = {.host = "127.0.0.1", .port = ListeningPort(*socket_)}};
}

RawPeer RawListener::Accept() {
  SharedSocket socket = distbench::Accept(*socket_);
  PCHECK(socket->valid());
  return RawPeer(std::move(socket));
}

RawPeer RawListener::AcceptAndGreet() {
  RawPeer peer = Accept();
  peer.SendHello(HelloRole::kServer);
  const auto hello = peer.Receive();
  CHECK(hello && hello->header.type == FrameType::kHello);
  return peer;
}

}  // namespace distbench
