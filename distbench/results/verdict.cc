#include "distbench/results/verdict.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "distbench/results/verdict_evidence.h"
#include "distbench/results/verdict_rules.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using Findings = google::protobuf::RepeatedPtrField<Finding>;

// The first few of each kind, and how many more of the kind there are.
std::vector<std::string> Texts(const Findings& findings) {
  constexpr int kShown = 3;
  std::vector<std::string> texts;
  for (int i = 0; i < findings.size();) {
    int end = i;
    while (end < findings.size() && findings[end].kind() == findings[i].kind()) ++end;
    // "1 more" takes as much room as the one.
    const int shown = end - i <= kShown + 1 ? end : i + kShown;
    for (int k = i; k < shown; ++k) texts.push_back(findings[k].text());
    if (shown < end) texts.push_back(absl::StrCat("and ", end - shown, " more of this kind"));
    i = end;
  }
  return texts;
}

}  // namespace

Finding MakeFinding(Finding::Kind kind, double measured, const std::string& text) {
  Finding finding;
  finding.set_kind(kind);
  finding.set_measured(measured);
  finding.set_text(text);
  return finding;
}

std::string TimeText(double time_ns) {
  struct Unit {
    double ns;
    const char* name;
  };
  constexpr std::array<Unit, 3> kUnits = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}}};
  for (const Unit& unit : kUnits) {
    const double time = time_ns / unit.ns;
    if (std::abs(time) >= 1000) return absl::StrFormat("%.0f%s", time, unit.name);
    if (std::abs(time) >= 1) return absl::StrFormat("%.4g%s", time, unit.name);
  }
  return absl::StrFormat("%.0fns", time_ns);
}

std::string PercentText(double fraction) { return absl::StrFormat("%.1f %%", 100 * fraction); }

Verdict JudgeTest(const Plan& plan, const TestResult& result, const VerdictThresholds& thresholds) {
  const TestEvidence evidence(plan, result);
  Verdict verdict;
  JudgeEnd(evidence, verdict);
  JudgeMeasured(evidence, verdict);
  JudgeServed(evidence, thresholds, verdict);
  JudgeOfferedLoad(evidence, thresholds, verdict);
  JudgeLateness(evidence, thresholds, verdict);
  JudgeCpu(evidence, thresholds, verdict);
  JudgeStarts(evidence, thresholds, verdict);
  JudgeClocks(evidence, thresholds, verdict);
  NoteSamplesLeftOut(evidence, verdict);
  NoteLoweredPrecision(evidence, verdict);
  NoteTooFewRpcs(evidence, thresholds, verdict);
  NoteCalibration(evidence, verdict);
  verdict.set_valid(verdict.reasons().empty());
  return verdict;
}

std::vector<std::string> DescribeVerdict(const Verdict& verdict) {
  std::vector<std::string> lines;
  lines.push_back(verdict.valid() ? "Verdict: valid"
                                  : absl::StrCat("Verdict: INVALID: ",
                                                 absl::StrJoin(Texts(verdict.reasons()), "; ")));
  if (verdict.notes().empty()) return lines;
  lines.push_back("Notes:");
  for (const std::string& text : Texts(verdict.notes())) lines.push_back(absl::StrCat("  ", text));
  return lines;
}

}  // namespace distbench
