#include "distbench/net/device_address.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/net/socket_address.h"

namespace distbench {
namespace {

IpFamily Preferred(bool prefer_ipv4) { return prefer_ipv4 ? IpFamily::kV4 : IpFamily::kV6; }

// The address with the lowest rank, the first of several; none if no address has a rank.
std::optional<std::string> LowestRank(
    const std::vector<DeviceAddress>& addresses,
    const std::function<std::optional<int>(const DeviceAddress&)>& rank) {
  std::optional<int> best_rank;
  std::optional<std::string> best;
  for (const DeviceAddress& address : addresses) {
    const std::optional<int> candidate = rank(address);
    if (!candidate || (best_rank && *candidate >= *best_rank)) continue;
    best_rank = candidate;
    best = address.ip;
  }
  return best;
}

int FamilyRank(const std::string& ip, bool prefer_ipv4) {
  return FamilyOf(ip) == Preferred(prefer_ipv4) ? 0 : 1;
}

}  // namespace

absl::StatusOr<std::string> AddressOfDevice(const std::vector<DeviceAddress>& addresses,
                                            absl::string_view device, bool prefer_ipv4) {
  auto best = LowestRank(addresses, [&](const DeviceAddress& address) -> std::optional<int> {
    if (address.device != device) return std::nullopt;
    return FamilyRank(address.ip, prefer_ipv4) + (IsLinkLocal(address.ip) ? 2 : 0);
  });
  if (best) return *best;
  return absl::NotFoundError(
      absl::StrCat("network device '", absl::CHexEscape(device),
                   "' is not up or has no address; there are: ", DescribeAddresses(addresses)));
}

absl::StatusOr<std::string> DefaultAddress(const std::vector<DeviceAddress>& addresses,
                                           bool prefer_ipv4) {
  auto best = LowestRank(addresses, [&](const DeviceAddress& address) -> std::optional<int> {
    if (IsLinkLocal(address.ip)) return std::nullopt;
    return FamilyRank(address.ip, prefer_ipv4) + (IsLoopback(address.ip) ? 2 : 0);
  });
  if (best) return *best;
  return absl::NotFoundError(
      absl::StrCat("no network device is up with an address that others could use; there are: ",
                   DescribeAddresses(addresses)));
}

std::string PreferFamily(const std::vector<std::string>& ips, bool prefer_ipv4) {
  auto preferred = std::find_if(ips.begin(), ips.end(), [&](const std::string& ip) {
    return FamilyOf(ip) == Preferred(prefer_ipv4);
  });
  return preferred == ips.end() ? ips.front() : *preferred;
}

std::string WildcardAddress(const std::vector<DeviceAddress>& addresses, bool prefer_ipv4) {
  const bool has_ipv6 = std::any_of(
      addresses.begin(), addresses.end(),
      [](const DeviceAddress& address) { return FamilyOf(address.ip) == IpFamily::kV6; });
  return has_ipv6 && !prefer_ipv4 ? "::" : "0.0.0.0";
}

bool IsOwnAddress(const std::vector<DeviceAddress>& addresses, absl::string_view ip) {
  return std::any_of(addresses.begin(), addresses.end(),
                     [&](const DeviceAddress& address) { return address.ip == ip; });
}

std::string DescribeAddresses(const std::vector<DeviceAddress>& addresses) {
  std::vector<std::string> devices;
  std::vector<std::string> ips;  // of each device, in the same order
  for (const DeviceAddress& address : addresses) {
    const auto known = std::find(devices.begin(), devices.end(), address.device);
    if (known == devices.end()) {
      devices.push_back(address.device);
      ips.push_back(address.ip);
    } else {
      absl::StrAppend(&ips[known - devices.begin()], ", ", address.ip);
    }
  }
  if (devices.empty()) return "none";
  for (size_t i = 0; i < devices.size(); ++i) absl::StrAppend(&devices[i], " (", ips[i], ")");
  return absl::StrJoin(devices, ", ");
}

}  // namespace distbench
