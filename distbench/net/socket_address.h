// Numeric addresses, and host-and-port pairs as people write them:
//
//   10.0.0.7:10000    [fe80::1%eth0]:10000    worker-3.example:10000
//
// An address is kept as text, without brackets, with its zone where it is link-local
// ("fe80::1%eth0"); a zone means something on the machine only that wrote it. Stateless.
#ifndef DISTBENCH_NET_SOCKET_ADDRESS_H_
#define DISTBENCH_NET_SOCKET_ADDRESS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace distbench {

enum class IpFamily { kV4, kV6 };

// The family of a numeric address, with or without zone; none for anything else, such as a name.
std::optional<IpFamily> FamilyOf(absl::string_view ip);

// All false for what is no numeric address.
bool IsLoopback(absl::string_view ip);
bool IsLinkLocal(absl::string_view ip);
bool IsWildcard(absl::string_view ip);  // "0.0.0.0", "::"

struct HostPort {
  std::string host;  // a name or a numeric address, not empty
  uint16_t port = 0;

  friend bool operator==(const HostPort&, const HostPort&) = default;
};

// Parses "HOST:PORT" or "[V6]:PORT"; port 0 is refused. Brackets are required around colons.
absl::StatusOr<HostPort> ParseHostPort(absl::string_view text);

// The inverse: "10.0.0.7:10000", "[::1]:10000".
std::string FormatHostPort(absl::string_view host, uint16_t port);

}  // namespace distbench

#endif  // DISTBENCH_NET_SOCKET_ADDRESS_H_
