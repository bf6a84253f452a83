#include "distbench/export/time_series_csv.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TestSequenceResults Parse(const std::string& text) {
  TestSequenceResults results;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &results));
  return results;
}

// Without the header.
std::vector<std::string> Rows(const TestSequenceResults& results) {
  std::ostringstream out;
  EXPECT_TRUE(WriteTimeSeriesCsv(results, out).ok());
  std::vector<std::string> rows = absl::StrSplit(out.str(), "\r\n");
  EXPECT_THAT(rows.back(), IsEmpty());
  rows.pop_back();
  EXPECT_EQ(rows.front(),
            "test,time_s,row_s,rpc,successes,failures,warmup_successes,kqps,request_mib_s,"
            "response_mib_s,p50_us,p90_us,p99_us,max_us");
  rows.erase(rows.begin());
  return rows;
}

TEST(TimeSeriesCsvTest, ResultsWithoutTimeSeriesHaveAHeaderOnly) {
  EXPECT_THAT(Rows(Parse("test_results { log_summary: 'a line' }")), IsEmpty());
}

TEST(TimeSeriesCsvTest, EachRpcOfARowIsALine) {
  EXPECT_THAT(Rows(Parse(R"(
    test_results {
      traffic_config {
        name: "a,b" rpc_descriptions { name: "ask" } rpc_descriptions { name: "tell" }
      }
      time_series {
        row_duration_ns: 2000000000
        rows { index: -1 rpcs { rpc_index: 1 failures: 3 warmup_successes: 4 } }
        rows {
          index: 2
          rpcs {
            rpc_index: 0 measured_successes: 4000 request_bytes: 2097152 response_bytes: 1048576
            service_time_ns {
              sub_bucket_bits: 7 count: 4000 min: 100 max: 127 sum_low: 426050
              bucket_index_deltas: [100, 2, 20, 5] bucket_counts: [1000, 2000, 990, 10]
            }
          }
          rpcs { rpc_index: 7 failures: 1 }
        }
      }
    })")),
              ElementsAre("\"a,b\",-2,2,tell,0,3,4,0.000,0.000,0.000,,,,",
                          "\"a,b\",4,2,ask,4000,0,0,2.000,1.000,0.500,0.102,0.122,0.122,0.127",
                          "\"a,b\",4,2,unknown RPC 7,0,1,0,0.000,0.000,0.000,,,,"));
}

TEST(TimeSeriesCsvTest, RpcsOfWhichNobodyKnowsWhenTheyEndedAreCounted) {
  TestSequenceResults results = Parse(R"(
    test_results { service_logs { instance_logs { key: "client/0" value {
      rpc_statistics { key: 0 value {
        measured_success { count: 10 } measured_failure { count: 3 }
        warmup_success { count: 2 } warmup_failure { count: 1 }
      } }
    } } } })");
  EXPECT_EQ(CountRpcsWithoutTime(results), 16);
  TimeSeriesRow& row = *results.mutable_test_results(0)->mutable_time_series()->add_rows();
  RpcCounts& counts = *row.add_rpcs();
  counts.set_measured_successes(9);
  EXPECT_EQ(CountRpcsWithoutTime(results), 7);
  counts.set_measured_successes(10);
  counts.set_failures(4);
  counts.set_warmup_successes(2);
  EXPECT_EQ(CountRpcsWithoutTime(results), 0);
  results.mutable_test_results(0)->clear_service_logs();
  EXPECT_EQ(CountRpcsWithoutTime(results), 0) << "logs were left out of the result";
}

}  // namespace
}  // namespace distbench
