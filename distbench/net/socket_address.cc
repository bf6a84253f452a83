#include "distbench/net/socket_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

std::optional<in_addr> ParseV4(absl::string_view ip) {
  in_addr address;
  if (inet_pton(AF_INET, std::string(ip).c_str(), &address) != 1) return std::nullopt;
  return address;
}

std::optional<in6_addr> ParseV6(absl::string_view ip) {
  const size_t zone = ip.find('%');
  if (zone != absl::string_view::npos) {
    if (zone + 1 == ip.size()) return std::nullopt;
    ip = ip.substr(0, zone);
  }
  in6_addr address;
  if (inet_pton(AF_INET6, std::string(ip).c_str(), &address) != 1) return std::nullopt;
  return address;
}

absl::Status Malformed(absl::string_view text, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("address '", absl::CHexEscape(text), "' ", problem,
                                                 "; write HOST:PORT, or [ADDRESS]:PORT for IPv6"));
}

absl::StatusOr<uint16_t> ParsePort(absl::string_view text, absl::string_view port) {
  int value = 0;
  const bool digits_only =
      !port.empty() && port.find_first_not_of("0123456789") == absl::string_view::npos;
  if (!digits_only || !absl::SimpleAtoi(port, &value) || value < 1 || value > 65535) {
    return Malformed(text, "needs a port from 1 to 65535");
  }
  return static_cast<uint16_t>(value);
}

// A host that could be a name or a numeric IPv4 address.
bool IsPlainHost(absl::string_view host) {
  return host.find_first_of(":[]/%@ \t\r\n") == absl::string_view::npos;
}

}  // namespace

std::optional<IpFamily> FamilyOf(absl::string_view ip) {
  if (ParseV4(ip)) return IpFamily::kV4;
  if (ParseV6(ip)) return IpFamily::kV6;
  return std::nullopt;
}

bool IsLoopback(absl::string_view ip) {
  if (auto v4 = ParseV4(ip)) return ntohl(v4->s_addr) >> 24 == 127;
  auto v6 = ParseV6(ip);
  if (!v6) return false;
  if (IN6_IS_ADDR_V4MAPPED(&*v6)) return v6->s6_addr[12] == 127;
  return IN6_IS_ADDR_LOOPBACK(&*v6);
}

bool IsLinkLocal(absl::string_view ip) {
  if (auto v4 = ParseV4(ip)) return ntohl(v4->s_addr) >> 16 == 0xa9fe;
  auto v6 = ParseV6(ip);
  return v6 && IN6_IS_ADDR_LINKLOCAL(&*v6);
}

bool IsWildcard(absl::string_view ip) {
  if (auto v4 = ParseV4(ip)) return v4->s_addr == htonl(INADDR_ANY);
  auto v6 = ParseV6(ip);
  return v6 && IN6_IS_ADDR_UNSPECIFIED(&*v6);
}

absl::StatusOr<HostPort> ParseHostPort(absl::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == absl::string_view::npos) return Malformed(text, "has no port");
  absl::string_view host = text.substr(0, colon);
  if (!host.empty() && host.front() == '[') {
    if (host.back() != ']') return Malformed(text, "has a bracket that is not closed");
    host = host.substr(1, host.size() - 2);
    if (FamilyOf(host) != IpFamily::kV6) return Malformed(text, "has no IPv6 address in brackets");
  } else if (!IsPlainHost(host)) {
    return Malformed(text, "has no valid host");
  }
  if (host.empty()) return Malformed(text, "has no host");
  ASSIGN_OR_RETURN(const uint16_t port, ParsePort(text, text.substr(colon + 1)));
  return HostPort{std::string(host), port};
}

std::string FormatHostPort(absl::string_view host, uint16_t port) {
  if (host.find(':') != absl::string_view::npos) return absl::StrCat("[", host, "]:", port);
  return absl::StrCat(host, ":", port);
}

}  // namespace distbench
