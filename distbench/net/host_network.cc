#include "distbench/net/host_network.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/socket.h"

namespace distbench {
namespace {

using AddressInfo = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;
using InterfaceAddresses = std::unique_ptr<ifaddrs, decltype(&freeifaddrs)>;

bool IsIp(const sockaddr* address) {
  return address != nullptr && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

}  // namespace

absl::StatusOr<std::vector<DeviceAddress>> SystemNetwork::Addresses() const {
  ifaddrs* head = nullptr;
  if (getifaddrs(&head) != 0) return absl::ErrnoToStatus(errno, "cannot list network devices");
  const InterfaceAddresses owner(head, freeifaddrs);
  std::vector<DeviceAddress> addresses;
  for (const ifaddrs* entry = head; entry != nullptr; entry = entry->ifa_next) {
    if ((entry->ifa_flags & IFF_UP) == 0 || !IsIp(entry->ifa_addr)) continue;
    ASSIGN_OR_RETURN(std::string ip, NumericAddress(*entry->ifa_addr));
    addresses.push_back({entry->ifa_name, std::move(ip)});
  }
  return addresses;
}

std::string SystemNetwork::HostName() const {
  char name[256] = {};
  if (gethostname(name, sizeof(name) - 1) != 0 || name[0] == '\0') return "localhost";
  return name;
}

absl::StatusOr<std::vector<std::string>> SystemNetwork::Resolve(absl::string_view host) const {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* head = nullptr;
  const int error = getaddrinfo(std::string(host).c_str(), nullptr, &hints, &head);
  if (error != 0) {
    return absl::NotFoundError(absl::StrCat("cannot resolve host '", absl::CHexEscape(host),
                                            "': ", gai_strerror(error),
                                            "; check the name, or give a numeric address"));
  }
  const AddressInfo owner(head, freeaddrinfo);
  std::vector<std::string> ips;
  for (const addrinfo* entry = head; entry != nullptr; entry = entry->ai_next) {
    if (!IsIp(entry->ai_addr)) continue;
    ASSIGN_OR_RETURN(std::string ip, NumericAddress(*entry->ai_addr));
    if (std::find(ips.begin(), ips.end(), ip) == ips.end()) ips.push_back(std::move(ip));
  }
  if (ips.empty()) {
    return absl::NotFoundError(
        absl::StrCat("host '", absl::CHexEscape(host), "' has neither an IPv4 nor IPv6 address"));
  }
  return ips;
}

absl::StatusOr<std::string> SystemNetwork::SourceTowards(absl::string_view ip) const {
  // Any port does: connecting a datagram socket only asks the routing table.
  ASSIGN_OR_RETURN(const SocketName peer, SocketName::FromNumeric(ip, /*port=*/9));
  const OwnedSocket socket(::socket(peer.family(), SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return absl::ErrnoToStatus(errno, "cannot open a datagram socket");
  if (connect(socket.fd(), peer.address(), peer.length()) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("no route to ", ip));
  }
  sockaddr_storage local = {};
  socklen_t length = sizeof(local);
  if (getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&local), &length) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("no source address towards ", ip));
  }
  return NumericAddress(reinterpret_cast<const sockaddr&>(local));
}

}  // namespace distbench
