#include "distbench/results/result_records.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "distbench/results/log_samples.h"
#include "distbench/results/natural_order.h"
#include "distbench/results/result_assembler.h"
#include "distbench/results/sample_columns.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {

ResultRecord HeaderRecord(const Provenance& writer) {
  ResultRecord record;
  record.mutable_header()->set_format_version(kResultFormatVersion);
  *record.mutable_header()->mutable_writer() = writer;
  return record;
}

int64_t VisitTest(TestResult test, VisitRecord visit) {
  ServiceLogs logs;
  logs.Swap(test.mutable_service_logs());
  test.clear_service_logs();
  ResultRecord record;
  *record.mutable_test() = std::move(test);
  visit(std::move(record));

  std::vector<std::string> instances;
  for (const auto& [instance, log] : logs.instance_logs()) instances.push_back(instance);
  std::sort(instances.begin(), instances.end(), NaturalLess);
  // Behind all logs, in columns, which are small.
  std::vector<SampleBlock> blocks;
  for (const std::string& instance : instances) {
    ServicePerformanceLog& log = logs.mutable_instance_logs()->at(instance);
    TakeSamples(instance, log, [&](SampleBlock block) { blocks.push_back(std::move(block)); });
    SplitLog(instance, std::move(log), [&](InstanceLogPart part) {
      ResultRecord log_record;
      *log_record.mutable_instance_log() = std::move(part);
      visit(std::move(log_record));
    });
  }
  int64_t samples = 0;
  for (SampleBlock& block : blocks) {
    samples += SampleCount(block);
    ResultRecord block_record;
    *block_record.mutable_samples() = std::move(block);
    visit(std::move(block_record));
  }
  return samples;
}

ResultRecord TestEndRecord(int64_t samples) {
  ResultRecord record;
  record.mutable_test_end()->set_samples(samples);
  return record;
}

ResultRecord FileEndRecord(int64_t tests) {
  ResultRecord record;
  record.mutable_file_end()->set_tests(tests);
  return record;
}

void VisitResults(TestSequenceResults results, const Provenance& writer, VisitRecord visit) {
  visit(HeaderRecord(writer));
  const int tests = results.test_results_size();
  for (TestResult& test : *results.mutable_test_results()) {
    visit(TestEndRecord(VisitTest(std::move(test), visit)));
  }
  visit(FileEndRecord(tests));
}

}  // namespace distbench
