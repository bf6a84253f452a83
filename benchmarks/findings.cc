#include "benchmarks/findings.h"

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

double Compare(Comparison comparison, double floor, double ours) {
  switch (comparison) {
    case Comparison::kRatio:
      return ours / floor;
    case Comparison::kDifference:
      return ours - floor;
    case Comparison::kValue:
      break;
  }
  return ours;
}

// Written so that a value which is no number fails.
bool Holds(const Requirement& requirement, const MedianEstimate& estimate) {
  if (requirement.sense == Requirement::Sense::kAtLeast) {
    return estimate.median >= requirement.median &&
           estimate.lower >= requirement.interval_end.value_or(estimate.lower);
  }
  return estimate.median <= requirement.median &&
         estimate.upper <= requirement.interval_end.value_or(estimate.upper);
}

}  // namespace

std::vector<FigureFinding> Evaluate(const Benchmark& benchmark, const Measurements& measurements,
                                    Bounds bounds) {
  std::vector<FigureFinding> findings;
  for (size_t i = 0; i < benchmark.figures.size(); ++i) {
    const FigureSpec& figure = benchmark.figures[i];
    FigureFinding finding = {.figure = figure};
    std::vector<double> compared;
    for (size_t pair = 0; pair < measurements.ours[i].size(); ++pair) {
      compared.push_back(
          Compare(figure.comparison, measurements.floor[i][pair], measurements.ours[i][pair]));
    }
    finding.compared = EstimateMedian(compared);
    finding.ours_median = Median(measurements.ours[i]);
    if (figure.comparison != Comparison::kValue) {
      finding.floor_median = Median(measurements.floor[i]);
    }
    finding.requirement = bounds == Bounds::kRequired ? figure.required : figure.smoke;
    finding.passed = !finding.requirement || Holds(*finding.requirement, finding.compared);
    findings.push_back(finding);
  }
  return findings;
}

std::string ToText(const Requirement& requirement) {
  const char* relation = requirement.sense == Requirement::Sense::kAtLeast ? ">= " : "<= ";
  std::string text = absl::StrCat(relation, requirement.median);
  if (requirement.interval_end) {
    absl::StrAppend(&text, ", interval ", relation, *requirement.interval_end);
  }
  return text;
}

}  // namespace distbench
