#include "distbench/results/made_up_samples.h"

#include <utility>

#include "distbench/results/result_records.h"

namespace distbench {

TestResult TestWithSamples(int samples) {
  TestResult test;
  test.mutable_traffic_config()->set_name("test");
  test.add_log_summary("figures");
  ServicePerformanceLog& log = (*test.mutable_service_logs()->mutable_instance_logs())["c/0"];
  RpcPerformanceLog& rpc_log = (*(*log.mutable_peer_logs())["s/0"].mutable_rpc_logs())[3];
  for (int i = 0; i < samples; ++i) {
    RpcSample& sample = *rpc_log.add_successful_rpc_samples();
    sample.set_request_size(16);
    sample.set_response_size(32);
    sample.set_start_timestamp_ns(i);
    sample.set_latency_ns(1);
  }
  rpc_log.mutable_statistics()->mutable_measured_success()->set_count(samples);
  (*log.mutable_rpc_statistics())[3].mutable_measured_success()->set_count(samples);
  return test;
}

std::vector<ResultRecord> RecordsOf(const TestSequenceResults& results) {
  std::vector<ResultRecord> records;
  VisitResults(results, Provenance(),
               [&](ResultRecord record) { records.push_back(std::move(record)); });
  return records;
}

}  // namespace distbench
