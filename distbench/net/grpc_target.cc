#include "distbench/net/grpc_target.h"

#include <optional>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

// The rest after "SCHEME:", "SCHEME:/" or "SCHEME:///", whichever it is; none for another scheme.
std::optional<absl::string_view> StripScheme(absl::string_view target, absl::string_view scheme) {
  if (!absl::ConsumePrefix(&target, scheme) || !absl::ConsumePrefix(&target, ":")) {
    return std::nullopt;
  }
  if (!absl::ConsumePrefix(&target, "///")) absl::ConsumePrefix(&target, "/");
  return target;
}

// As a part of a URI, where a zone's % has a meaning of its own.
std::string EscapedHostPort(const HostPort& address) {
  return FormatHostPort(absl::StrReplaceAll(address.host, {{"%", "%25"}}), address.port);
}

absl::Status WrongFamily(absl::string_view target, absl::string_view scheme) {
  return absl::InvalidArgumentError(absl::StrCat("target '", absl::CHexEscape(target),
                                                 "' needs a numeric address of the family of its "
                                                 "scheme '",
                                                 scheme, "'; use dns:/// for names"));
}

}  // namespace

std::string GrpcTarget(const HostPort& address) {
  const auto family = FamilyOf(address.host);
  const absl::string_view scheme = !family                    ? "dns:///"
                                   : *family == IpFamily::kV4 ? "ipv4:///"
                                                              : "ipv6:///";
  return absl::StrCat(scheme, EscapedHostPort(address));
}

absl::StatusOr<std::string> GrpcTargetOfAll(const std::vector<HostPort>& addresses) {
  const auto family = FamilyOf(addresses.front().host);
  std::vector<std::string> escaped;
  for (const HostPort& address : addresses) {
    if (!family || FamilyOf(address.host) != family) {
      return absl::InvalidArgumentError(
          absl::StrCat("addresses of one channel must be numeric and of one family, but ",
                       FormatHostPort(addresses.front().host, addresses.front().port), " and ",
                       FormatHostPort(address.host, address.port),
                       " are not; give the instances addresses of one family, or leave some out"));
    }
    escaped.push_back(EscapedHostPort(address));
  }
  return absl::StrCat(*family == IpFamily::kV4 ? "ipv4:" : "ipv6:", absl::StrJoin(escaped, ","));
}

absl::StatusOr<HostPort> ParseGrpcTarget(absl::string_view target) {
  if (auto rest = StripScheme(target, "dns")) return ParseHostPort(*rest);
  if (auto rest = StripScheme(target, "ipv4")) {
    ASSIGN_OR_RETURN(HostPort address, ParseHostPort(*rest));
    if (FamilyOf(address.host) != IpFamily::kV4) return WrongFamily(target, "ipv4");
    return address;
  }
  if (auto rest = StripScheme(target, "ipv6")) {
    ASSIGN_OR_RETURN(HostPort address, ParseHostPort(absl::StrReplaceAll(*rest, {{"%25", "%"}})));
    if (FamilyOf(address.host) != IpFamily::kV6) return WrongFamily(target, "ipv6");
    return address;
  }
  return absl::InvalidArgumentError(absl::StrCat("target '", absl::CHexEscape(target),
                                                 "' has none of the schemes dns:///, ipv4:/// and "
                                                 "ipv6:///"));
}

absl::StatusOr<HostPort> ParseHostPortOrTarget(absl::string_view text) {
  for (absl::string_view scheme : {"dns:", "ipv4:", "ipv6:"}) {
    // "dns:10000" is the host `dns`.
    if (absl::StartsWith(text, scheme) && text.rfind(':') >= scheme.size()) {
      return ParseGrpcTarget(text);
    }
  }
  return ParseHostPort(text);
}

}  // namespace distbench
