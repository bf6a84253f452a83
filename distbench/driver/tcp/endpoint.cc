#include "distbench/driver/tcp/endpoint.h"

#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "distbench/base/status_macros.h"
#include "distbench/net/socket.h"

namespace distbench {
namespace {

constexpr absl::string_view kTcpPrefix = "tcp:";
constexpr absl::string_view kUnixPrefix = "unix:@";
constexpr absl::string_view kOn = " on ";

// Without the null byte that marks a name as abstract.
constexpr size_t kMaxUnixName = sizeof(sockaddr_un::sun_path) - 1;

std::string FirstLine(const char* path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

std::string LinkTarget(const char* path) {
  char target[256];
  const ssize_t size = readlink(path, target, sizeof(target));
  return size < 0 ? "" : std::string(target, static_cast<size_t>(size));
}

absl::Status NotAnEndpoint(absl::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat("the peer's responder_info is \"", absl::CHexEscape(text.substr(0, 200)),
                   "\"; expected tcp:ADDRESS:PORT, numeric, or unix:@NAME on HOST"));
}

}  // namespace

std::string TcpEndpoint::ToString() const {
  if (transport == TcpTransport::kUnix) return absl::StrCat("@", unix_name);
  return FormatHostPort(address.host, address.port);
}

std::string UnixScope() {
  // "net:[4026531840]"
  const std::string space = LinkTarget("/proc/self/ns/net");
  return absl::StrCat(FirstLine("/proc/sys/kernel/random/boot_id"), "/",
                      absl::StripSuffix(absl::StripPrefix(space, "net:["), "]"));
}

absl::Status CheckReachable(const TcpEndpoint& endpoint) {
  if (endpoint.transport == TcpTransport::kTcp || endpoint.scope == UnixScope()) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the unix-domain socket ", endpoint.ToString(),
                   " is on another host or in another network "
                   "namespace (",
                   absl::CHexEscape(endpoint.scope), ", this process is on ", UnixScope(),
                   "); use transport tcp, or place both services on one host"));
}

std::string EncodeEndpoint(const TcpEndpoint& endpoint) {
  if (endpoint.transport == TcpTransport::kTcp) {
    return absl::StrCat(kTcpPrefix, endpoint.ToString());
  }
  return absl::StrCat(kUnixPrefix, endpoint.unix_name, kOn, endpoint.scope);
}

absl::StatusOr<TcpEndpoint> ParseEndpoint(absl::string_view text) {
  absl::string_view rest = text;
  if (absl::ConsumePrefix(&rest, kTcpPrefix)) {
    auto address = ParseHostPort(rest);
    if (!address.ok() || !FamilyOf(address->host)) return NotAnEndpoint(text);
    return TcpEndpoint{.transport = TcpTransport::kTcp, .address = *std::move(address)};
  }
  if (absl::ConsumePrefix(&rest, kUnixPrefix)) {
    const std::vector<std::string> parts = absl::StrSplit(rest, absl::MaxSplits(kOn, 1));
    if (parts.size() != 2 || parts[0].empty() || parts[0].size() > kMaxUnixName) {
      return NotAnEndpoint(text);
    }
    return TcpEndpoint{.transport = TcpTransport::kUnix, .unix_name = parts[0], .scope = parts[1]};
  }
  return NotAnEndpoint(text);
}

absl::StatusOr<KernelAddress> ToKernelAddress(const TcpEndpoint& endpoint) {
  KernelAddress result;
  if (endpoint.transport == TcpTransport::kTcp) {
    ASSIGN_OR_RETURN(const SocketName name,
                     SocketName::FromNumeric(endpoint.address.host, endpoint.address.port));
    std::memcpy(&result.storage, name.address(), name.length());
    result.length = name.length();
    return result;
  }
  if (endpoint.unix_name.size() > kMaxUnixName) return NotAnEndpoint(endpoint.unix_name);
  auto* name = reinterpret_cast<sockaddr_un*>(&result.storage);
  name->sun_family = AF_UNIX;
  std::memcpy(name->sun_path + 1, endpoint.unix_name.data(), endpoint.unix_name.size());
  result.length =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + endpoint.unix_name.size());
  return result;
}

}  // namespace distbench
