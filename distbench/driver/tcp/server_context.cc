#include "distbench/driver/tcp/server_context.h"

#include <utility>

#include "distbench/driver/tcp/tcp_server_connection.h"

namespace distbench {

void ServerContext::Add(std::shared_ptr<TcpServerConnection> connection) {
  absl::MutexLock lock(&mutex_);
  TcpServerConnection* key = connection.get();
  connections_.emplace(key, std::move(connection));
}

void ServerContext::Remove(TcpServerConnection* connection) {
  absl::MutexLock lock(&mutex_);
  closed_.Add(connection->counters());
  connections_.erase(connection);
}

std::vector<std::shared_ptr<TcpServerConnection>> ServerContext::connections() const {
  std::vector<std::shared_ptr<TcpServerConnection>> result;
  absl::MutexLock lock(&mutex_);
  for (const auto& [key, connection] : connections_) result.push_back(connection);
  return result;
}

bool ServerContext::AwaitNoConnections(absl::Time deadline) const {
  absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithDeadline(absl::Condition(this, &ServerContext::HasNoConnections),
                                  deadline);
}

void ServerContext::AddCounters(TcpCounters* sum) const {
  absl::MutexLock lock(&mutex_);
  sum->Add(closed_);
  for (const auto& [key, connection] : connections_) sum->Add(connection->counters());
}

}  // namespace distbench
