#include "distbench/config/compile_distribution.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/config/reporter.h"
#include "distbench/sampling/distribution.h"
#include "protos/joint_distribution.pb.h"

namespace distbench {
namespace {

// How far from 1 the weights of a distribution may add up.
constexpr double kSumTolerance = 1e-6;

class DistributionCompiler {
 public:
  DistributionCompiler(const DistributionConfig& config, const DistributionUse& use,
                       const std::string& path, Reporter& report)
      : config_(config), use_(use), path_(path), report_(report) {}

  std::shared_ptr<const Distribution> Compile() {
    TakeFieldNames();
    const bool has_pmf = config_.pmf_points_size() > 0;
    if (has_pmf && config_.cdf_points_size() > 0) {
      Report("cdf_points", "pmf_points are given too; a distribution has one or the other");
    } else if (has_pmf) {
      TakePmf();
    } else if (config_.cdf_points_size() > 0) {
      TakeCdf();
    } else {
      Report("pmf_points", "the distribution has no points; give pmf_points or cdf_points");
    }
    if (has_errors_) return nullptr;
    return std::make_shared<Distribution>(dimension_of_.size(), std::move(boxes_));
  }

 private:
  // --- Which dimension is which

  void TakeFieldNames() {
    const std::vector<std::string> given(config_.field_names().begin(),
                                         config_.field_names().end());
    for (const std::vector<std::string>& accepted : use_.field_names) {
      if (given.size() != accepted.size() ||
          !std::is_permutation(given.begin(), given.end(), accepted.begin())) {
        continue;
      }
      for (const std::string& name : given) {
        dimension_of_.push_back(static_cast<size_t>(
            std::distance(accepted.begin(), std::find(accepted.begin(), accepted.end(), name))));
      }
      return;
    }
    std::vector<std::string> choices;
    for (const std::vector<std::string>& accepted : use_.field_names) {
      choices.push_back(absl::StrCat("[", absl::StrJoin(accepted, ", "), "]"));
    }
    Report("field_names",
           absl::StrCat("[", absl::StrJoin(given, ", ", AppendEscaped),
                        "] does not say what is "
                        "drawn; set ",
                        absl::StrJoin(choices, " or "),
                        dimensions() > 1 || choices.size() > 1 ? ", in any order" : ""));
  }

  static void AppendEscaped(std::string* out, const std::string& name) {
    absl::StrAppend(out, Escaped(name));
  }

  // As the config has them, right or wrong.
  size_t dimensions() const { return static_cast<size_t>(config_.field_names_size()); }

  // --- Weighted points

  void TakePmf() {
    double sum = 0;
    for (int i = 0; i < config_.pmf_points_size(); ++i) {
      TakePmfPoint(config_.pmf_points(i), ElementPath("pmf_points", i));
      sum += config_.pmf_points(i).pmf();
    }
    if (!(std::abs(sum - 1) <= kSumTolerance)) {
      Report("pmf_points", absl::StrCat("the probabilities add to ", sum, "; they must add to 1"));
    }
  }

  void TakePmfPoint(const PmfPoint& point, const std::string& field) {
    if (!point.has_pmf()) {
      Report(absl::StrCat(field, ".pmf"), "the point has no probability; set pmf");
    } else if (!IsProbability(point.pmf())) {
      Report(absl::StrCat(field, ".pmf"),
             absl::StrCat(point.pmf(), " is no probability; set 0 to 1"));
    }
    if (static_cast<size_t>(point.data_points_size()) != dimensions()) {
      Report(absl::StrCat(field, ".data_points"),
             absl::StrCat(point.data_points_size(), " given; there must be one for each of the ",
                          dimensions(), " field_names"));
      return;
    }
    Distribution::Box box{.weight = point.pmf(), .ranges = {}};
    for (int i = 0; i < point.data_points_size(); ++i) {
      const std::string element = absl::StrCat(field, ".", ElementPath("data_points", i));
      const std::optional<Distribution::Range> range = RangeOf(point.data_points(i), element);
      if (range.has_value() && static_cast<size_t>(i) < dimension_of_.size()) {
        box.ranges[dimension_of_[static_cast<size_t>(i)]] = *range;
      }
    }
    boxes_.push_back(box);
  }

  std::optional<Distribution::Range> RangeOf(const DataPoint& point, const std::string& field) {
    if (point.has_exact()) {
      if (point.has_lower() || point.has_upper()) {
        Report(field, "has exact, and lower or upper too; set exact, or the other two");
        return std::nullopt;
      }
      CheckValue(point.exact(), absl::StrCat(field, ".exact"));
      return Distribution::Range{.lower = point.exact(), .upper = point.exact()};
    }
    if (!point.has_lower() || !point.has_upper()) {
      Report(field, "has no value; set exact, or lower and upper");
      return std::nullopt;
    }
    CheckValue(point.lower(), absl::StrCat(field, ".lower"));
    CheckValue(point.upper(), absl::StrCat(field, ".upper"));
    if (point.lower() > point.upper()) {
      Report(field, absl::StrCat("lower ", point.lower(), " is above upper ", point.upper(),
                                 "; exchange them"));
      return std::nullopt;
    }
    return Distribution::Range{.lower = point.lower(), .upper = point.upper()};
  }

  // --- Cumulative function

  void TakeCdf() {
    if (dimensions() > 1) {
      Report("cdf_points", absl::StrCat("are for one dimension, but there are ", dimensions(),
                                        " field_names; give pmf_points"));
    }
    for (int i = 0; i < config_.cdf_points_size(); ++i) CheckCdfPoint(i);
    const float last = config_.cdf_points().rbegin()->cdf();
    if (last != 1) {
      Report(absl::StrCat(ElementPath("cdf_points", config_.cdf_points_size() - 1), ".cdf"),
             absl::StrCat(last, " is the last one; it must be 1"));
    }
    if (!has_errors_) AddCdfBoxes();
  }

  void CheckCdfPoint(int i) {
    const CdfPoint& point = config_.cdf_points(i);
    const std::string field = ElementPath("cdf_points", i);
    if (!point.has_cdf() || !point.has_value()) {
      Report(field, "is not complete; set cdf and value");
      return;
    }
    CheckValue(point.value(), absl::StrCat(field, ".value"));
    if (!IsProbability(point.cdf())) {
      Report(absl::StrCat(field, ".cdf"),
             absl::StrCat(point.cdf(), " is no probability; set 0 to 1"));
    }
    if (i == 0) return;
    const CdfPoint& previous = config_.cdf_points(i - 1);
    if (point.value() <= previous.value()) {
      Report(absl::StrCat(field, ".value"),
             absl::StrCat(point.value(), " comes after ", previous.value(),
                          "; values must increase from point to point"));
    }
    if (point.cdf() < previous.cdf()) {
      Report(absl::StrCat(field, ".cdf"), absl::StrCat(point.cdf(), " comes after ", previous.cdf(),
                                                       "; a cumulative probability never falls"));
    }
  }

  // A first cdf of 0 makes it uniform within each interval: the first one from the first value on,
  // each next one from one above the value before.
  void AddCdfBoxes() {
    const bool is_uniform = config_.cdf_points(0).cdf() == 0;
    double below = 0;
    for (int i = 0; i < config_.cdf_points_size(); ++i) {
      const CdfPoint& point = config_.cdf_points(i);
      int64_t lower = point.value();
      if (is_uniform && i > 0) lower = config_.cdf_points(i - 1).value() + (i > 1 ? 1 : 0);
      boxes_.push_back({.weight = double{point.cdf()} - below,
                        .ranges = {{{.lower = lower, .upper = point.value()}}}});
      below = point.cdf();
    }
  }

  // --- Values

  static bool IsProbability(float value) { return value >= 0 && value <= 1; }  // false for NaN

  void CheckValue(int64_t value, const std::string& field) {
    if (value >= 0 && value <= use_.max_value) return;
    Report(field,
           absl::StrCat(value, " is out of range; set 0 to ", use_.max_value, " ", use_.unit));
  }

  void Report(const std::string& field, const std::string& message) {
    has_errors_ = true;
    report_.Error(absl::StrCat(path_, ".", field), message);
  }

  const DistributionConfig& config_;
  const DistributionUse& use_;
  const std::string& path_;
  Reporter& report_;
  bool has_errors_ = false;
  std::vector<size_t> dimension_of_;  // by position in field_names; empty if these are wrong
  std::vector<Distribution::Box> boxes_;
};

}  // namespace

std::shared_ptr<const Distribution> CompileDistribution(const DistributionConfig& config,
                                                        const DistributionUse& use,
                                                        const std::string& path, Reporter& report) {
  return DistributionCompiler(config, use, path, report).Compile();
}

}  // namespace distbench
