// What drivers count, in results.
#include <map>
#include <string>

#include "distbench/node/node_testbed.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr char kCounted[] = R"(
    protocol_driver_options {
      name: "default_protocol_driver_options"
      protocol_name: "composable_rpc_counter"
      client_settings { name: "driver_under_test" string_value: "fake" }
    })";

DistributedSystemDescription CountedTest() {
  DistributedSystemDescription config = ShortTest();
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(kCounted, &config));
  return config;
}

std::map<std::string, int64_t> StatisticsOf(const ServicePerformanceLog& log) {
  std::map<std::string, int64_t> values;
  for (const DriverStatisticLog& statistic : log.driver_statistics()) {
    values[statistic.name()] += statistic.value();
  }
  return values;
}

// The client sends ten RPCs to each of the two servers.
void ExpectCounts(const ServiceLogs& logs) {
  ASSERT_EQ(logs.instance_logs_size(), 3);
  EXPECT_THAT(StatisticsOf(logs.instance_logs().at("client/0")),
              UnorderedElementsAre(Pair("client_rpc_cnt", 20), Pair("server_rpc_cnt", 0)));
  for (const char* server : {"server/0", "server/1"}) {
    EXPECT_THAT(StatisticsOf(logs.instance_logs().at(server)),
                UnorderedElementsAre(Pair("client_rpc_cnt", 0), Pair("server_rpc_cnt", 10)));
  }
}

TEST(DriverStatisticsTest, CountersAgreeWithTheRpcsOfTheTest) {
  NodeTestbed bed(1);
  bed.Prepare(CountedTest());
  ASSERT_TRUE(bed.Run(0).ok());
  const auto result = bed.Result(0, /*clear=*/true);
  ASSERT_TRUE(result.ok()) << result.status();
  ExpectCounts(result->service_logs());
  const auto& statistics =
      result->service_logs().instance_logs().at("client/0").rpc_statistics().at(0);
  EXPECT_EQ(statistics.measured_success().count(), 20);
}

TEST(DriverStatisticsTest, ResultsInPiecesHaveThemOnce) {
  NodeTestbed bed(1);
  bed.Prepare(CountedTest());
  ASSERT_TRUE(bed.Run(0).ok());
  const absl::StatusOr<ServiceLogs> logs = bed.LogsInPieces(0);
  ASSERT_TRUE(logs.ok()) << logs.status();
  ExpectCounts(*logs);
}

}  // namespace
}  // namespace distbench
