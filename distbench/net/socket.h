// The kernel's view of addresses: sockaddr and file descriptors, wrapped so that nothing leaks.
#ifndef DISTBENCH_NET_SOCKET_H_
#define DISTBENCH_NET_SOCKET_H_

#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace distbench {

// A file descriptor, closed at the end.
class OwnedSocket {
 public:
  explicit OwnedSocket(int fd) : fd_(fd) {}
  OwnedSocket(const OwnedSocket&) = delete;
  OwnedSocket& operator=(const OwnedSocket&) = delete;
  ~OwnedSocket();

  bool valid() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  const int fd_;
};

// An address and port in the form that the kernel takes.
class SocketName {
 public:
  // The error names an address that is not numeric, or a zone that is no device.
  static absl::StatusOr<SocketName> FromNumeric(absl::string_view ip, uint16_t port);

  int family() const { return storage_.ss_family; }
  const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t length() const { return length_; }

 private:
  sockaddr_storage storage_ = {};
  socklen_t length_ = 0;
};

// "10.0.0.7", "fe80::1%eth0". Requires: AF_INET or AF_INET6.
absl::StatusOr<std::string> NumericAddress(const sockaddr& address);

// OK if a TCP server could listen there now; else the kernel's reason, naming the address. Port 0
// asks for the address only. Leaves nothing open, so that somebody else may still come first.
absl::Status CanListen(absl::string_view ip, uint16_t port);

}  // namespace distbench

#endif  // DISTBENCH_NET_SOCKET_H_
