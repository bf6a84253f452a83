// FakeHostNetwork: a machine's network as a test describes it.
#ifndef DISTBENCH_NET_FAKE_HOST_NETWORK_H_
#define DISTBENCH_NET_FAKE_HOST_NETWORK_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/net/host_network.h"

namespace distbench {

struct FakeHostNetwork final : public HostNetwork {
  std::vector<DeviceAddress> addresses;
  std::string host_name = "worker";
  std::map<std::string, std::vector<std::string>> names;  // name to addresses
  std::map<std::string, std::string> sources;             // destination to source address

  absl::StatusOr<std::vector<DeviceAddress>> Addresses() const override { return addresses; }
  std::string HostName() const override { return host_name; }

  absl::StatusOr<std::vector<std::string>> Resolve(absl::string_view host) const override {
    if (FamilyOf(host)) return std::vector<std::string>{std::string(host)};
    const auto known = names.find(std::string(host));
    if (known != names.end()) return known->second;
    return absl::NotFoundError(absl::StrCat("no host ", host));
  }

  absl::StatusOr<std::string> SourceTowards(absl::string_view ip) const override {
    const auto known = sources.find(std::string(ip));
    if (known != sources.end()) return known->second;
    return absl::UnavailableError(absl::StrCat("no route to ", ip));
  }
};

}  // namespace distbench

#endif  // DISTBENCH_NET_FAKE_HOST_NETWORK_H_
