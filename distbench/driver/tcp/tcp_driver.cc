#include "distbench/driver/tcp/tcp_driver.h"

#include <utility>

#include "distbench/base/status_macros.h"
#include "distbench/driver/channel_policy.h"
#include "distbench/driver/tcp/tcp_client_call.h"

namespace distbench {
namespace {

absl::StatusOr<TcpEndpoint> ParseReachable(absl::string_view responder_info) {
  ASSIGN_OR_RETURN(TcpEndpoint endpoint, ParseEndpoint(responder_info));
  RETURN_IF_ERROR(CheckReachable(endpoint));
  return endpoint;
}

}  // namespace

TcpDriver::TcpDriver(const TcpDriverOptions& options)
    : options_(options),
      client_(std::make_shared<TcpClient>(TcpClientOptions{
          .loops = options.client_loops,
          .timers = options.environment.timers,
          .connections = options.settings.connections.value_or(options.client_loops->size()),
          .settings = options.settings.client,
          .device = options.address.clients,
          .shards = options.shards,
          .peer_count = options.environment.peer_count,
          .channel_count = options.environment.channel_count})) {}

absl::Status TcpDriver::StartServer(RequestHandler* handler) {
  auto server = TcpServer::Start({.loops = options_.server_loops,
                                  .transport = options_.settings.transport,
                                  .settings = options_.settings.server,
                                  .address = options_.address.server,
                                  .next_unix_name = options_.next_unix_name,
                                  .handler = handler,
                                  .shards = options_.shards});
  if (!server.ok()) return server.status();
  absl::MutexLock lock(&mutex_);
  server_ = *std::move(server);
  return absl::OkStatus();
}

TcpServer* TcpDriver::server() const {
  absl::MutexLock lock(&mutex_);
  return server_.get();
}

absl::StatusOr<std::string> TcpDriver::AcceptConnection(absl::string_view) {
  return EncodeEndpoint(server()->endpoint());
}

void TcpDriver::Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
                        std::function<void(absl::Status)> done) {
  const absl::StatusOr<TcpEndpoint> endpoint = ParseReachable(responder_info);
  if (!endpoint.ok()) return done(endpoint.status());
  client_->Connect(peer, *endpoint, deadline, std::move(done));
}

void TcpDriver::ConnectChannel(ChannelIndex channel, const ChannelTarget& target,
                               absl::Time deadline, std::function<void(absl::Status)> done) {
  const absl::StatusOr<ChannelPolicy> policy = ParseChannelSettings(*target.config);
  if (!policy.ok()) return done(policy.status());
  std::vector<TcpEndpoint> members;
  for (const ChannelTarget::Member& member : target.members) {
    absl::StatusOr<TcpEndpoint> endpoint = ParseReachable(member.responder_info);
    if (!endpoint.ok()) return done(endpoint.status());
    members.push_back(*std::move(endpoint));
  }
  client_->ConnectChannel(channel, members, *policy, deadline, std::move(done));
}

std::unique_ptr<DriverCallState> TcpDriver::NewCallState() {
  return std::make_unique<TcpClientCall>();
}

std::vector<DriverStatistic> TcpDriver::Statistics() const {
  TcpCounters client;
  client_->AddCounters(&client);
  TcpCounters server;
  if (const TcpServer* started = this->server()) started->AddCounters(&server);
  std::vector<DriverStatistic> statistics;
  const auto add = [&](const std::string& side, const TcpCounters& sum) {
    statistics.push_back({side + "_connections", sum.connections.value()});
    statistics.push_back({side + "_frames_sent", sum.frames_sent.value()});
    statistics.push_back({side + "_frames_received", sum.frames_received.value()});
    statistics.push_back({side + "_bytes_sent", sum.bytes_sent.value()});
    statistics.push_back({side + "_bytes_received", sum.bytes_received.value()});
    statistics.push_back({side + "_writes", sum.writes.value()});
    statistics.push_back({side + "_reads", sum.reads.value()});
  };
  add("client", client);
  statistics.push_back({"client_one_way_lost", client_->one_way_lost()});
  add("server", server);
  return statistics;
}

int64_t TcpDriver::Stop(absl::Time deadline) {
  TcpServer* server = this->server();
  client_->BeginStop();
  if (server != nullptr) server->BeginStop();
  int64_t abandoned = client_->FinishStop(deadline);
  if (server != nullptr) abandoned += server->FinishStop(deadline);
  return abandoned;
}

}  // namespace distbench
