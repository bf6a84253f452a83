// SimulatedServer: when a server of known speed is done with each request. Arithmetic on times,
// without a clock: whoever asks says when the request arrives.
//
// It works on all its requests at the same time, or on one at a time in the order of their arrival
// (a queue with a single server, G/G/1). A queue may have requests of others too, whose arrivals
// are a Poisson process of their own: the requests that are asked about are then a sample of all,
// so that a queue of many millions of requests is seen by some hundred thousands. Times count from
// an origin of the user's choice. Not thread-safe.
#ifndef DISTBENCH_TRUTH_SIMULATED_SERVER_H_
#define DISTBENCH_TRUTH_SIMULATED_SERVER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "distbench/sampling/poisson_process.h"
#include "distbench/truth/service_times.h"

namespace distbench {

// From `begin_ns` to `end_ns` nothing happens.
struct Standstill {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

struct SimulatedServerOptions {
  ServiceTimes service_times;
  bool one_at_a_time = false;
  std::optional<PoissonProcess> others;  // requires: one at a time, no standstill
  std::optional<Standstill> standstill;
};

class SimulatedServer {
 public:
  explicit SimulatedServer(SimulatedServerOptions options);

  // The end of the next request, which arrives at `arrival_ns`, not before an earlier one.
  int64_t EndNs(int64_t arrival_ns);

  // From arrival to end, of each request that was asked about.
  const std::vector<int64_t>& times_ns() const { return times_ns_; }

 private:
  int64_t Serve(int64_t begin_ns);
  int64_t QueueNs(int64_t arrival_ns);

  SimulatedServerOptions options_;
  int64_t free_ns_ = 0;  // one at a time: when all that have arrived are done
  int64_t next_other_ns_ = 0;
  std::vector<int64_t> times_ns_;
};

}  // namespace distbench

#endif  // DISTBENCH_TRUTH_SIMULATED_SERVER_H_
