#include "distbench/net/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/socket_address.h"

namespace distbench {

OwnedSocket::~OwnedSocket() {
  if (valid()) close(fd_);
}

absl::StatusOr<SocketName> SocketName::FromNumeric(absl::string_view ip, uint16_t port) {
  addrinfo hints = {};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* info = nullptr;
  const int error =
      getaddrinfo(std::string(ip).c_str(), std::to_string(port).c_str(), &hints, &info);
  if (error != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", absl::CHexEscape(ip), "' is no numeric address of this machine's network (",
        gai_strerror(error), "); a zone after % must be one of its devices"));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(info, freeaddrinfo);
  SocketName name;
  std::memcpy(&name.storage_, info->ai_addr, info->ai_addrlen);
  name.length_ = info->ai_addrlen;
  return name;
}

absl::StatusOr<std::string> NumericAddress(const sockaddr& address) {
  const socklen_t length =
      address.sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  char text[NI_MAXHOST];
  const int error = getnameinfo(&address, length, text, sizeof(text), nullptr, 0, NI_NUMERICHOST);
  if (error != 0) {
    return absl::InternalError(absl::StrCat("cannot format an address: ", gai_strerror(error)));
  }
  return std::string(text);
}

absl::Status CanListen(absl::string_view ip, uint16_t port) {
  ASSIGN_OR_RETURN(const SocketName name, SocketName::FromNumeric(ip, port));
  const OwnedSocket socket(::socket(name.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return absl::ErrnoToStatus(errno, "cannot open a socket");
  // As servers do: an old connection that lingers on the port is no obstacle, a listener is.
  const int on = 1;
  setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(socket.fd(), name.address(), name.length()) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot listen on ", FormatHostPort(ip, port)));
}

}  // namespace distbench
