#include "distbench/config/fanout.h"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

// How far from 1 the probabilities of a stochastic fanout may add up.
constexpr double kProbabilityTolerance = 1e-6;

constexpr const char* kKnownFilters[] = {"all",
                                         "random",
                                         "random_single",
                                         "round_robin",
                                         "stochastic",
                                         "same_x",
                                         "same_y",
                                         "same_z",
                                         "same_xy",
                                         "same_xz",
                                         "same_yz",
                                         "same_xyz",
                                         "ring_x",
                                         "ring_y",
                                         "ring_z",
                                         "alternating_ring_x",
                                         "alternating_ring_y",
                                         "alternating_ring_z",
                                         "linear_x",
                                         "linear_y",
                                         "linear_z"};

absl::Status UnknownFilter(absl::string_view filter) {
  const absl::string_view name = filter.substr(0, filter.find('{'));
  return absl::InvalidArgumentError(
      absl::StrCat("there is no fanout filter ", Quoted(filter),
                   NearestNameHint(name, {std::begin(kKnownFilters), std::end(kKnownFilters)})));
}

absl::StatusOr<FanoutStochastic::Choice> ParseChoice(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  double probability = 0;
  if (!absl::SimpleAtod(parts.first, &probability) || !(probability >= 0 && probability <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(parts.first), " in ", Quoted(text),
                     " is no probability; write P:N with P in [0, 1]"));
  }
  int32_t targets = 0;
  if (!absl::SimpleAtoi(parts.second, &targets) || targets < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(parts.second), " in ", Quoted(text),
                     " is no number of targets; write P:N with an integer N of at least 0"));
  }
  return FanoutStochastic::Choice{.cumulative_probability = probability,
                                  .targets = static_cast<size_t>(targets)};
}

// `choices`: "0.7:1,0.3:4".
absl::StatusOr<FanoutPlan> ParseStochastic(absl::string_view choices) {
  FanoutStochastic fanout;
  double sum = 0;
  for (absl::string_view text : absl::StrSplit(choices, ',')) {
    ASSIGN_OR_RETURN(FanoutStochastic::Choice choice, ParseChoice(text));
    sum += choice.cumulative_probability;
    choice.cumulative_probability = sum;
    fanout.choices.push_back(choice);
  }
  if (std::abs(sum - 1) > kProbabilityTolerance) {
    return absl::InvalidArgumentError(absl::StrCat("the probabilities of ", Quoted(choices),
                                                   " add to ", sum, "; they must add to 1"));
  }
  // Exactly 1 at the end, and nowhere above it, so that each draw from [0, 1) falls to a choice.
  for (auto& choice : fanout.choices) choice.cumulative_probability /= sum;
  fanout.choices.back().cumulative_probability = 1;
  return fanout;
}

std::optional<Axis> AxisOf(char letter) {
  if (letter < 'x' || letter > 'z') return std::nullopt;
  return static_cast<Axis>(letter - 'x');
}

// "x" after "ring_": the axis and nothing else.
std::optional<Axis> OnlyAxis(absl::string_view letters) {
  return letters.size() == 1 ? AxisOf(letters[0]) : std::nullopt;
}

// `axes`: "xz", in alphabetical order.
std::optional<FanoutSame> ParseSame(absl::string_view axes) {
  FanoutSame fanout;
  char last = 0;
  for (const char letter : axes) {
    const std::optional<Axis> axis = AxisOf(letter);
    if (!axis || letter <= last) return std::nullopt;
    fanout.is_same[static_cast<size_t>(*axis)] = true;
    last = letter;
  }
  if (axes.empty()) return std::nullopt;
  return fanout;
}

// `text`: "x{-2}" of the filter "linear_x{-2}".
absl::StatusOr<FanoutPlan> ParseLinear(absl::string_view filter, absl::string_view text) {
  const std::optional<Axis> axis = OnlyAxis(text.substr(0, text.find('{')));
  if (!axis) return UnknownFilter(filter);
  absl::string_view distance = text.substr(1);
  int64_t steps = 0;
  if (!absl::ConsumePrefix(&distance, "{") || !absl::ConsumeSuffix(&distance, "}") ||
      !absl::SimpleAtoi(distance, &steps)) {
    return absl::InvalidArgumentError(absl::StrCat(Quoted(filter), " does not say how far; write ",
                                                   "linear_", text.substr(0, 1),
                                                   "{D} with an integer D, the number of steps"));
  }
  return FanoutLinear{.axis = *axis, .distance = steps};
}

// None if the filter does not go by coordinates.
std::optional<absl::StatusOr<FanoutPlan>> ParseGridFilter(absl::string_view filter) {
  absl::string_view rest = filter;
  if (absl::ConsumePrefix(&rest, "same_")) {
    if (const auto same = ParseSame(rest)) return absl::StatusOr<FanoutPlan>(*same);
  } else if (absl::ConsumePrefix(&rest, "ring_")) {
    if (const auto axis = OnlyAxis(rest)) {
      return absl::StatusOr<FanoutPlan>(FanoutRing{.axis = *axis, .alternates = false});
    }
  } else if (absl::ConsumePrefix(&rest, "alternating_ring_")) {
    if (const auto axis = OnlyAxis(rest)) {
      return absl::StatusOr<FanoutPlan>(FanoutRing{.axis = *axis, .alternates = true});
    }
  } else if (absl::ConsumePrefix(&rest, "linear_")) {
    return ParseLinear(filter, rest);
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<FanoutPlan> ParseFanout(absl::string_view filter) {
  if (filter.empty() || filter == "all") return FanoutAll{};
  if (filter == "random" || filter == "random_single") return FanoutRandom{};
  if (filter == "round_robin") return FanoutRoundRobin{};
  absl::string_view choices = filter;
  if (absl::ConsumePrefix(&choices, "stochastic")) {
    if (absl::ConsumePrefix(&choices, "{") && absl::ConsumeSuffix(&choices, "}")) {
      return ParseStochastic(choices);
    }
    if (choices.empty() || !absl::StartsWith(filter, "stochastic{")) return UnknownFilter(filter);
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(filter), " has no end; write stochastic{P:N,P:N}"));
  }
  if (auto grid = ParseGridFilter(filter)) return *std::move(grid);
  return UnknownFilter(filter);
}

}  // namespace distbench
