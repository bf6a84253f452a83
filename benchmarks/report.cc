#include "benchmarks/report.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/json_writer.h"
#include "distbench/results/provenance.h"
#include "protos/provenance.pb.h"

namespace distbench {
namespace {

// Four significant digits; large numbers whole.
std::string Number(double value) {
  if (std::abs(value) >= 1000) return absl::StrFormat("%.0f", value);
  return absl::StrFormat("%.4g", value);
}

const char* Name(Comparison comparison) {
  switch (comparison) {
    case Comparison::kRatio:
      return "ratio";
    case Comparison::kDifference:
      return "difference";
    case Comparison::kValue:
      break;
  }
  return "value";
}

std::string Verdict(const FigureFinding& finding) {
  if (!finding.requirement) return "";
  return finding.passed ? "PASS" : "FAIL";
}

using Row = std::vector<std::string>;

Row RowOf(const FigureFinding& finding) {
  const MedianEstimate& compared = finding.compared;
  const std::string& unit = finding.figure.unit;
  return {absl::StrCat(finding.figure.name, unit.empty() ? "" : ", ", unit),
          finding.floor_median ? Number(*finding.floor_median) : "-",
          Number(finding.ours_median),
          Name(finding.figure.comparison),
          Number(compared.median),
          absl::StrCat("[", Number(compared.lower), ", ", Number(compared.upper), "]"),
          finding.requirement ? ToText(*finding.requirement) : "",
          Verdict(finding)};
}

void PrintRows(const std::vector<Row>& rows, std::ostream& out) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(row.size());
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i) {
      absl::StrAppend(&line, " ", row[i], std::string(widths[i] - row[i].size(), ' '), " ");
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

void WriteRequirement(const Requirement& requirement, JsonWriter* json) {
  json->Key("sense").Value(requirement.sense == Requirement::Sense::kAtLeast ? ">=" : "<=");
  json->Key("median_bound").Value(requirement.median);
  if (requirement.interval_end) json->Key("interval_bound").Value(*requirement.interval_end);
}

void WriteFinding(const FigureFinding& finding, JsonWriter* json) {
  json->BeginObject();
  json->Key("figure").Value(finding.figure.name);
  json->Key("unit").Value(finding.figure.unit);
  json->Key("comparison").Value(Name(finding.figure.comparison));
  if (finding.floor_median) json->Key("floor_median").Value(*finding.floor_median);
  json->Key("ours_median").Value(finding.ours_median);
  json->Key("pairs").Value(static_cast<double>(finding.compared.count));
  json->Key("median").Value(finding.compared.median);
  json->Key("lower").Value(finding.compared.lower);
  json->Key("upper").Value(finding.compared.upper);
  json->Key("coverage").Value(finding.compared.coverage);
  if (finding.requirement) {
    WriteRequirement(*finding.requirement, json);
    json->Key("passed").Value(finding.passed);
  }
  json->EndObject();
}

void WriteReport(const BenchmarkReport& report, JsonWriter* json) {
  json->BeginObject();
  json->Key("name").Value(report.name);
  json->Key("summary").Value(report.summary);
  if (!report.status.ok()) json->Key("error").Value(report.status.ToString());
  json->Key("findings").BeginArray();
  for (const FigureFinding& finding : report.findings) WriteFinding(finding, json);
  json->EndArray();
  json->Key("notes").BeginArray();
  for (const std::string& note : report.notes) json->Value(note);
  json->EndArray();
  json->EndObject();
}

void WriteMachine(JsonWriter* json) {
  const Provenance provenance = ProgramProvenance({});
  json->Key("version").Value(provenance.version());
  json->Key("commit").Value(provenance.commit());
  json->Key("build_flags").Value(provenance.build_flags());
  json->Key("kernel").Value(provenance.kernel());
  json->Key("cpu_model").Value(provenance.cpu_model());
  json->Key("cpu_count").Value(static_cast<double>(provenance.cpu_count()));
}

}  // namespace

void PrintReport(const BenchmarkReport& report, std::ostream& out) {
  out << "\n" << report.name << ": " << report.summary << "\n";
  if (!report.status.ok()) {
    out << "  could not be run: " << report.status << "  FAIL\n";
    return;
  }
  std::vector<Row> rows = {
      {"figure", "floor", "ours", "compared", "median", "interval", "required", ""}};
  double coverage = 1;
  for (const FigureFinding& finding : report.findings) {
    rows.push_back(RowOf(finding));
    coverage = std::min(coverage, finding.compared.coverage);
  }
  PrintRows(rows, out);
  if (coverage > 0 && coverage < kConfidence) {
    out << absl::StrFormat(
        "  too few pairs for %.0f %%: the intervals hold the median with %.0f %%\n",
        100 * kConfidence, 100 * coverage);
  }
  for (const std::string& note : report.notes) out << "  " << note << "\n";
  out << std::flush;
}

Score ScoreOf(const std::vector<BenchmarkReport>& reports) {
  Score score;
  for (const BenchmarkReport& report : reports) {
    if (!report.status.ok()) ++score.failed;
    for (const FigureFinding& finding : report.findings) {
      if (!finding.requirement) continue;
      ++(finding.passed ? score.passed : score.failed);
    }
  }
  return score;
}

std::string ToJson(const std::vector<BenchmarkReport>& reports, const RunOptions& options) {
  JsonWriter json;
  json.BeginObject();
  WriteMachine(&json);
  json.Key("seconds").Value(options.seconds);
  json.Key("benchmarks").BeginArray();
  for (const BenchmarkReport& report : reports) WriteReport(report, &json);
  json.EndArray();
  json.EndObject();
  return json.text() + "\n";
}

}  // namespace distbench
