// The distributions of message sizes W1 to W5 with which Homa was evaluated:
//
//   B. Montazeri, Y. Li, M. Alizadeh, J. Ousterhout: Homa: A Receiver-Driven Low-Latency Transport
//   Protocol Using Network Priorities, SIGCOMM 2018, figure 1.
//
//   w1  accesses to a collection of memcached servers at Facebook
//   w2  a search application at Google
//   w3  all applications of a datacenter at Google
//   w4  a Hadoop cluster at Facebook
//   w5  the web search workload that was used for DCTCP
//
// The points are some of those that PlatformLab/HomaModule publishes as util/dist.cc, whose program
// cp_node uses them. Between two points sizes are equally likely here. Pure.
#ifndef TEST_BUILDER_PATTERNS_HOMA_WORKLOADS_H_
#define TEST_BUILDER_PATTERNS_HOMA_WORKLOADS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "protos/joint_distribution.pb.h"

namespace distbench {

struct SizePoint {
  int64_t size_bytes;
  double at_most;  // fraction of the messages that are not larger
};

// From 0 to 1, both increasing. Empty if there is no workload of that name.
absl::Span<const SizePoint> HomaWorkload(absl::string_view name);

// The points as the CDF of a config, where larger messages have `max_bytes`. It has no names yet.
DistributionConfig CutAt(int64_t max_bytes, absl::Span<const SizePoint> points);

// The mean of a CDF that CutAt made.
double MeanSizeBytes(const DistributionConfig& sizes);

}  // namespace distbench

#endif  // TEST_BUILDER_PATTERNS_HOMA_WORKLOADS_H_
