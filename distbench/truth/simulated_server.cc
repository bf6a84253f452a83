#include "distbench/truth/simulated_server.h"

#include <algorithm>
#include <utility>

namespace distbench {

SimulatedServer::SimulatedServer(SimulatedServerOptions options) : options_(std::move(options)) {
  if (options_.others.has_value()) next_other_ns_ = options_.others->NextNs();
}

int64_t SimulatedServer::EndNs(int64_t arrival_ns) {
  if (options_.others.has_value()) {
    while (next_other_ns_ <= arrival_ns) {
      QueueNs(next_other_ns_);
      next_other_ns_ = options_.others->NextNs();
    }
  }
  const int64_t end_ns = options_.one_at_a_time ? QueueNs(arrival_ns) : Serve(arrival_ns);
  times_ns_.push_back(end_ns - arrival_ns);
  return end_ns;
}

int64_t SimulatedServer::QueueNs(int64_t arrival_ns) {
  free_ns_ = Serve(std::max(arrival_ns, free_ns_));
  return free_ns_;
}

// The end of work that begins at `begin_ns`.
int64_t SimulatedServer::Serve(int64_t begin_ns) {
  const int64_t end_ns = begin_ns + options_.service_times();
  if (!options_.standstill.has_value()) return end_ns;
  const Standstill& still = *options_.standstill;
  if (begin_ns >= still.end_ns || end_ns <= still.begin_ns) return end_ns;
  return end_ns + still.end_ns - std::max(begin_ns, still.begin_ns);
}

}  // namespace distbench
