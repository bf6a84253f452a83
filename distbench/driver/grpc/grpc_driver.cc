#include "distbench/driver/grpc/grpc_driver.h"

#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/channel_policy.h"
#include "distbench/net/grpc_target.h"
#include "distbench/net/socket_address.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// The address that a peer's responder info holds.
absl::StatusOr<HostPort> ParseResponderInfo(absl::string_view info) {
  ServerAddress address;
  if (!address.ParseFromArray(info.data(), static_cast<int>(info.size()))) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the peer's responder_info is no ServerAddress: ", absl::CHexEscape(info.substr(0, 100))));
  }
  auto parsed = ParseHostPort(address.socket_address());
  if (parsed.ok() && FamilyOf(parsed->host)) return parsed;
  return absl::InvalidArgumentError(absl::StrCat("the peer's socket_address is \"",
                                                 absl::CHexEscape(address.socket_address()),
                                                 "\"; it must be numeric, a.b.c.d:p or [v6]:p"));
}

absl::StatusOr<std::vector<HostPort>> ParseMembers(
    const std::vector<ChannelTarget::Member>& members) {
  std::vector<HostPort> addresses;
  for (const ChannelTarget::Member& member : members) {
    ASSIGN_OR_RETURN(HostPort address, ParseResponderInfo(member.responder_info));
    addresses.push_back(std::move(address));
  }
  RETURN_IF_ERROR(GrpcTargetOfAll(addresses).status());
  return addresses;
}

}  // namespace

GrpcDriver::GrpcDriver(const GrpcDriverOptions& options)
    : options_(options),
      client_(
          std::make_shared<GrpcClient>(GrpcClientOptions{.settings = options.settings.client,
                                                         .threads = options.client_threads,
                                                         .shards = options.shards,
                                                         .credentials = options.channel_credentials,
                                                         .device = options.address.clients,
                                                         .peer_count = options.peer_count,
                                                         .channel_count = options.channel_count})) {
}

absl::Status GrpcDriver::StartServer(RequestHandler* handler) {
  auto server = GrpcServer::Start({.arguments = options_.settings.server.arguments,
                                   .threads = options_.server_threads,
                                   .pool = options_.pool,
                                   .shards = options_.shards,
                                   .credentials = options_.server_credentials,
                                   .address = &options_.address.server,
                                   .handler = handler});
  if (!server.ok()) return server.status();
  absl::MutexLock lock(&mutex_);
  server_ = *std::move(server);
  return absl::OkStatus();
}

std::shared_ptr<GrpcServer> GrpcDriver::server() const {
  absl::MutexLock lock(&mutex_);
  return server_;
}

absl::StatusOr<std::string> GrpcDriver::AcceptConnection(absl::string_view) {
  const std::string& ip = options_.address.server.advertise_ip;
  const uint16_t port = server()->port();
  ServerAddress address;
  address.set_ip_address(ip);
  address.set_port(port);
  address.set_socket_address(FormatHostPort(ip, port));
  return address.SerializeAsString();
}

void GrpcDriver::Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
                         std::function<void(absl::Status)> done) {
  auto address = ParseResponderInfo(responder_info);
  if (!address.ok()) return done(address.status());
  client_->Connect(peer, *address, deadline, std::move(done));
}

void GrpcDriver::ConnectChannel(ChannelIndex channel, const ChannelTarget& target,
                                absl::Time deadline, std::function<void(absl::Status)> done) {
  const absl::StatusOr<ChannelPolicy> policy = ParseChannelSettings(*target.config);
  if (!policy.ok()) return done(policy.status());
  const absl::StatusOr<std::vector<HostPort>> members = ParseMembers(target.members);
  if (!members.ok()) return done(members.status());
  client_->ConnectChannel(channel, *members, *policy, deadline, std::move(done));
}

int64_t GrpcDriver::Stop(absl::Time deadline) {
  const std::shared_ptr<GrpcServer> server = this->server();
  client_->BeginStop();
  if (server != nullptr) server->BeginStop();
  int64_t abandoned = client_->FinishStop(deadline);
  if (server != nullptr) abandoned += server->FinishStop(deadline);
  return abandoned;
}

}  // namespace distbench
