#include "distbench/net/device_binding.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/socket.h"

namespace distbench {
namespace {

// AF_INET or AF_INET6; a socket of the latter may connect to either.
int FamilyOfSocket(int fd) {
  int family = 0;
  socklen_t length = sizeof(family);
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &length) == 0 ? family : 0;
}

}  // namespace

absl::Status BindToDevice(int fd, const DeviceBinding& binding, IpFamily family) {
  const auto size = static_cast<socklen_t>(binding.device.size());
  if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, binding.device.data(), size) == 0) {
    return absl::OkStatus();
  }
  if (errno == EPERM) return BindToAddressOf(fd, binding, family);
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot bind a socket to network device '",
                                                 absl::CHexEscape(binding.device), "'"));
}

absl::Status BindToAddressOf(int fd, const DeviceBinding& binding, IpFamily family) {
  const auto ip = std::find_if(
      binding.ips.begin(), binding.ips.end(),
      [family](const std::string& candidate) { return FamilyOf(candidate) == family; });
  if (ip == binding.ips.end()) {
    return absl::NotFoundError(absl::StrCat("network device '", absl::CHexEscape(binding.device),
                                            "' has no ", family == IpFamily::kV4 ? "IPv4" : "IPv6",
                                            " address to send from"));
  }
  const bool is_mapped = family == IpFamily::kV4 && FamilyOfSocket(fd) == AF_INET6;
  ASSIGN_OR_RETURN(const SocketName name,
                   SocketName::FromNumeric(is_mapped ? absl::StrCat("::ffff:", *ip) : *ip, 0));
  if (bind(fd, name.address(), name.length()) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot bind a socket to ", *ip));
}

}  // namespace distbench
