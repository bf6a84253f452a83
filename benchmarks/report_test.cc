#include "benchmarks/report.h"

#include <sstream>

#include "absl/strings/match.h"
#include "benchmarks/json_writer.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

BenchmarkReport Report(double ratio) {
  const Benchmark benchmark = {
      .name = "b",
      .figures = {{.name = "rate", .unit = "RPC/s", .required = AtLeast(0.95)},
                  {.name = "latency", .unit = "ns"}}};
  Measurements measurements;
  measurements.floor = {{100, 100}, {5, 5}};
  measurements.ours = {{100 * ratio, 100 * ratio}, {6, 6}};
  return {.name = "b", .findings = Evaluate(benchmark, measurements, Bounds::kRequired)};
}

std::string Printed(const BenchmarkReport& report) {
  std::ostringstream out;
  PrintReport(report, out);
  return out.str();
}

TEST(ReportTest, EveryBoundEndsInItsVerdict) {
  EXPECT_TRUE(absl::StrContains(Printed(Report(0.97)), ">= 0.95   PASS\n"));
  EXPECT_TRUE(absl::StrContains(Printed(Report(0.9)), ">= 0.95   FAIL\n"));
}

TEST(ReportTest, AnIntervalThatIsTooNarrowSaysSo) {
  EXPECT_TRUE(absl::StrContains(Printed(Report(1)), "too few pairs for 95 %"));
}

TEST(ReportTest, OnlyBoundsCountAndWhatCouldNotBeRunFails) {
  const BenchmarkReport broken = {.name = "x", .status = absl::UnavailableError("no daemon")};
  const Score score = ScoreOf({Report(1), Report(0.5), broken});
  EXPECT_EQ(score.passed, 1u);
  EXPECT_EQ(score.failed, 2u);
  EXPECT_TRUE(absl::StrContains(Printed(broken), "no daemon"));
}

TEST(ReportTest, JsonCarriesTheFigures) {
  const std::string json = ToJson({Report(0.5)}, {});
  EXPECT_TRUE(absl::StrContains(json, "\"median\":0.5,")) << json;
  EXPECT_TRUE(absl::StrContains(json, "\"passed\":false")) << json;
}

TEST(JsonWriterTest, SeparatesAndEscapes) {
  JsonWriter json;
  json.BeginObject();
  json.Key("a").Value("say \"x\"\\\n");
  json.Key("b").BeginArray();
  json.Value(1.5);
  json.Value(0.0 / 0.0);
  json.EndArray();
  json.Key("c").Value(true);
  json.EndObject();
  EXPECT_EQ(json.text(), "{\"a\":\"say \\\"x\\\"\\\\\\u000a\",\n\"b\":[1.5,\nnull],\n\"c\":true}");
}

}  // namespace
}  // namespace distbench
