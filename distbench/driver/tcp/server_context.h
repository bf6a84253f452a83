// ServerContext: what a server and its connections share, and what is left of the server while a
// connection outlives it. Thread-safe.
#ifndef DISTBENCH_DRIVER_TCP_SERVER_CONTEXT_H_
#define DISTBENCH_DRIVER_TCP_SERVER_CONTEXT_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/driver/call_gate.h"
#include "distbench/driver/server_call.h"
#include "distbench/driver/tcp/tcp_counters.h"

namespace distbench {

class TcpServerConnection;

class ServerContext {
 public:
  ServerContext(RequestHandler* handler, size_t shards) : handler_(handler), gate_(shards) {}

  // Not to be used once the gate is detached.
  RequestHandler& handler() const { return *handler_; }

  // Counts requests that the engine has not answered.
  CallGate& gate() { return gate_; }

  // --- The connections that are open

  void Add(std::shared_ptr<TcpServerConnection> connection);
  // Keeps its counters.
  void Remove(TcpServerConnection* connection);
  std::vector<std::shared_ptr<TcpServerConnection>> connections() const;
  bool AwaitNoConnections(absl::Time deadline) const;

  // Adds what has gone over all connections, closed ones too.
  void AddCounters(TcpCounters* sum) const;

 private:
  bool HasNoConnections() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return connections_.empty(); }

  RequestHandler* const handler_;
  CallGate gate_;

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<TcpServerConnection*, std::shared_ptr<TcpServerConnection>> connections_
      ABSL_GUARDED_BY(mutex_);
  TcpCounters closed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_SERVER_CONTEXT_H_
