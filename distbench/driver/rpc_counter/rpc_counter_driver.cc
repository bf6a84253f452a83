#include "distbench/driver/rpc_counter/rpc_counter_driver.h"

namespace distbench {

int64_t ShardCounter::Sum() const {
  int64_t sum = 0;
  for (size_t i = 0; i < shards_; ++i) sum += counts_[i].value.load(std::memory_order_relaxed);
  return sum;
}

std::vector<DriverStatistic> RpcCounterDriver::Statistics() const {
  std::vector<DriverStatistic> statistics = {{.name = "client_rpc_cnt", .value = started_.Sum()},
                                             {.name = "server_rpc_cnt", .value = served_.Sum()}};
  for (DriverStatistic& statistic : inner_->Statistics()) {
    statistics.push_back(std::move(statistic));
  }
  return statistics;
}

}  // namespace distbench
