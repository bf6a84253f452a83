#include "distbench/export/sample_csv.h"

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

std::vector<std::string> Rows(const std::string& results_text) {
  TestSequenceResults results;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(results_text, &results));
  std::ostringstream out;
  WriteSampleCsv(results, out);
  std::vector<std::string> rows = absl::StrSplit(out.str(), "\r\n");
  EXPECT_THAT(rows.back(), IsEmpty());
  rows.pop_back();
  return rows;
}

TEST(CsvFieldTest, OnlyWhatNeedsQuotesHasThem) {
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("plain"), "plain");
  EXPECT_EQ(CsvField(" spaces stay "), " spaces stay ");
  EXPECT_EQ(CsvField("it's; fine"), "it's; fine");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(CsvField("old\rmac"), "\"old\rmac\"");
  EXPECT_EQ(CsvField("crlf\r\n"), "\"crlf\r\n\"");
}

TEST(CsvFieldTest, QuotesAreDoubled) {
  EXPECT_EQ(CsvField("\""), "\"\"\"\"");
  EXPECT_EQ(CsvField("say \"a\",\"b\""), "\"say \"\"a\"\",\"\"b\"\"\"");
}

TEST(SampleCsvTest, ResultsWithoutSamplesHaveAHeaderOnly) {
  EXPECT_THAT(Rows("test_results { log_summary: 'a line' }"),
              ElementsAre("test,client,server,rpc,start_timestamp_ns,latency_ns,request_bytes,"
                          "response_bytes,warmup,failed,error,latency_weight_ns,server_rank,"
                          "replay_record,trace"));
}

TEST(SampleCsvTest, EachSampleIsARow) {
  const std::vector<std::string> rows = Rows(R"(
    test_results {
      traffic_config { name: "a,b" rpc_descriptions { name: "ask" } }
      service_logs { instance_logs { key: "client/0" value {
        error_dictionary { error_message: "" error_message: "said \"no\"" }
        peer_logs { key: "server/10" value { rpc_logs { key: 0 value {
          successful_rpc_samples {
            request_size: 1 response_size: 2 start_timestamp_ns: 3 latency_ns: 4 server_instance: 9
          }
        } } } }
        peer_logs { key: "server/9" value { rpc_logs { key: 0 value {
          successful_rpc_samples {
            request_size: 5 response_size: 6 start_timestamp_ns: 7 latency_ns: 8
            latency_weight: 9 warmup: true
            trace_context {
              engine_ids: [1, 2] actionlist_indices: [3, 4] actionlist_invocations: [5, 6]
              action_indices: [7, 8] action_iterations: [9, 10] fanout_index: [11, 12]
            }
          }
          failed_rpc_samples { start_timestamp_ns: 10 latency_ns: 11 error_index: 1 }
        } } } }
      } } }
    })");
  EXPECT_THAT(
      rows, ElementsAre(testing::_,
                        "\"a,b\",client/0,server/9,ask,7,8,5,6,1,0,,9,,,1:3:5:7:9:11/2:4:6:8:10:12",
                        "\"a,b\",client/0,server/9,ask,10,11,0,0,0,1,\"said \"\"no\"\"\",,,,",
                        "\"a,b\",client/0,server/10,ask,3,4,1,2,0,0,,,9,,"));
}

TEST(SampleCsvTest, ReplayedRpcsCountFromTheirTrace) {
  const std::vector<std::string> rows = Rows(R"(
    test_results { service_logs { instance_logs { key: "client/0" value {
      error_dictionary { error_message: "" error_message: "lost" }
      replay_trace_logs {
        rpc_replay_trace_name: "monday" timestamp_offset_ns: 1000
        rpc_samples { key: 10 value { start_timestamp_ns: 5 latency_ns: 6 error_index: 1 } }
        rpc_samples { key: 9 value {
          start_timestamp_ns: 9223372036854775807 latency_ns: 3
        } }
      }
    } } } })");
  EXPECT_THAT(rows,
              ElementsAre(testing::_, "test1,client/0,,monday,9223372036854775807,3,0,0,0,0,,,,9,",
                          "test1,client/0,,monday,1005,6,0,0,0,1,lost,,,10,"));
}

}  // namespace
}  // namespace distbench
