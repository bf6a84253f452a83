#include "test_builder/sweep.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

constexpr char kForms[] =
    "write NAME START STEP END, or NAME VALUE,VALUE,...; a comma follows a single value, as in "
    "NAME 5,";
// More steps or tests than these are a slip.
constexpr size_t kMaxSteps = 1000;
constexpr size_t kMaxPoints = 10000;
// How far beyond END a value may be that rounding moved there, in steps.
constexpr double kRounding = 1e-9;

bool IsInteger(absl::string_view text) {
  int64_t number = 0;
  return absl::SimpleAtoi(text, &number);
}

absl::StatusOr<double> Number(absl::string_view text) {
  if (const std::optional<double> number = DecimalNumber(text)) return *number;
  return absl::InvalidArgumentError(
      absl::StrCat(kSweepWord, ": ", Quoted(text), " is no number; ", kForms));
}

std::string Written(double number, bool as_integer) {
  if (as_integer) return absl::StrCat(static_cast<int64_t>(std::llround(number)));
  return absl::StrFormat("%.10g", number);
}

absl::Status NeverEnds(absl::string_view start, absl::string_view step, absl::string_view end) {
  return absl::InvalidArgumentError(absl::StrCat(
      kSweepWord, " ", start, " ", step, " ", end, ": does not lead from ", start, " to ", end,
      " in 1 to ", kMaxSteps, " values; a step is added, or multiplied if it is like x2"));
}

absl::StatusOr<std::vector<std::string>> Sum(absl::string_view start_text,
                                             absl::string_view step_text,
                                             absl::string_view end_text) {
  ASSIGN_OR_RETURN(const double start, Number(start_text));
  ASSIGN_OR_RETURN(const double step, Number(step_text));
  ASSIGN_OR_RETURN(const double end, Number(end_text));
  const double steps = step == 0 ? -1 : (end - start) / step + kRounding;
  if (!(steps >= 0 && steps < kMaxSteps)) return NeverEnds(start_text, step_text, end_text);
  const bool as_integers = IsInteger(start_text) && IsInteger(step_text);
  std::vector<std::string> values;
  for (int i = 0; i <= static_cast<int>(steps); ++i) {
    values.push_back(Written(start + i * step, as_integers));
  }
  return values;
}

absl::StatusOr<std::vector<std::string>> Product(absl::string_view start_text,
                                                 absl::string_view factor_text,
                                                 absl::string_view end_text) {
  ASSIGN_OR_RETURN(const double start, Number(start_text));
  ASSIGN_OR_RETURN(const double factor, Number(absl::StripPrefix(factor_text, "x")));
  ASSIGN_OR_RETURN(const double end, Number(end_text));
  const bool is_possible = factor > 0 && factor != 1 && start > 0 && end > 0;
  const double steps = is_possible ? std::log(end / start) / std::log(factor) + kRounding : -1;
  if (!(steps >= 0 && steps < kMaxSteps)) return NeverEnds(start_text, factor_text, end_text);
  // A fraction on the way is a value like any other: parameters that are integers refuse it.
  const bool as_integers = IsInteger(start_text) && IsInteger(absl::StripPrefix(factor_text, "x"));
  std::vector<std::string> values;
  for (int i = 0; i <= static_cast<int>(steps); ++i) {
    values.push_back(Written(start * std::pow(factor, i), as_integers));
  }
  return values;
}

bool IsFile(absl::string_view text) { return absl::StartsWith(text, "<"); }

// Puts the parts of a path together again, where there are so many parts too many and only one
// value is a file.
void JoinPath(size_t surplus, std::vector<std::string>* parts) {
  const auto file = absl::c_find_if(*parts, IsFile);
  if (absl::c_count_if(*parts, IsFile) != 1) return;
  if (static_cast<size_t>(parts->end() - file) <= surplus) return;
  const auto behind = file + 1 + static_cast<std::ptrdiff_t>(surplus);
  *file = absl::StrJoin(file, behind, "/");
  parts->erase(file + 1, behind);
}

// One value for each of `count` names: the same one, unless there are several with / between.
absl::StatusOr<std::vector<std::string>> Step(const std::string& text, size_t count) {
  if (count == 1 || !absl::StrContains(text, '/')) return std::vector<std::string>(count, text);
  std::vector<std::string> values = absl::StrSplit(text, '/');
  if (values.size() > count) JoinPath(values.size() - count, &values);
  if (values.size() == count) return values;
  return absl::InvalidArgumentError(absl::StrCat(kSweepWord, ": ", Quoted(text), " has ",
                                                 values.size(), " values for ", count,
                                                 " names; write one for each, with / between"));
}

absl::StatusOr<std::vector<SweptValue>> ReadFiles(
    const std::vector<std::string>& texts,
    absl::FunctionRef<absl::StatusOr<std::string>(const std::string&)> read_file) {
  std::vector<SweptValue> values;
  for (const std::string& text : texts) {
    if (!IsFile(text)) {
      values.push_back({.value = text, .file = ""});
      continue;
    }
    const std::string path = text.substr(1);
    ASSIGN_OR_RETURN(std::string value, read_file(path));
    values.push_back({.value = std::move(value), .file = path});
  }
  return values;
}

absl::StatusOr<std::vector<std::string>> NamesIn(const std::string& text) {
  std::vector<std::string> names = absl::StrSplit(text, ',');
  for (const std::string& name : names) {
    if (IsParameterName(name)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(kSweepWord, ": ", Quoted(name), " is no name of a parameter"));
  }
  return names;
}

// Reads one sweep from the words behind `parameter_sweep`, of which it takes `*taken`.
absl::StatusOr<Sweep> ReadSweep(
    const std::vector<std::string>& words, size_t first, size_t* taken,
    absl::FunctionRef<absl::StatusOr<std::string>(const std::string&)> read_file) {
  const size_t left = words.size() - first;
  const bool is_list = left >= 2 && (absl::StrContains(words[first + 1], ',') ||
                                     absl::StrContains(words[first + 1], '/'));
  *taken = is_list ? 2 : 4;
  if (left < *taken) {
    return absl::InvalidArgumentError(absl::StrCat(kSweepWord, " needs more words; ", kForms));
  }
  Sweep sweep;
  ASSIGN_OR_RETURN(sweep.names, NamesIn(words[first]));
  std::vector<std::string> values;
  if (is_list) {
    values = absl::StrSplit(absl::StripSuffix(words[first + 1], ","), ',');
  } else if (absl::StartsWith(words[first + 2], "x")) {
    ASSIGN_OR_RETURN(values, Product(words[first + 1], words[first + 2], words[first + 3]));
  } else {
    ASSIGN_OR_RETURN(values, Sum(words[first + 1], words[first + 2], words[first + 3]));
  }
  for (const std::string& value : values) {
    ASSIGN_OR_RETURN(const std::vector<std::string> texts, Step(value, sweep.names.size()));
    ASSIGN_OR_RETURN(std::vector<SweptValue> step, ReadFiles(texts, read_file));
    sweep.steps.push_back(std::move(step));
  }
  return sweep;
}

absl::Status CheckTogether(const std::vector<Sweep>& sweeps) {
  std::vector<std::string> names;
  size_t points = 1;
  for (const Sweep& sweep : sweeps) {
    points *= std::min(sweep.steps.size(), kMaxPoints);
    if (points > kMaxPoints) {
      return absl::InvalidArgumentError(
          absl::StrCat(kSweepWord, ": more than ", kMaxPoints, " combinations; sweep less"));
    }
    for (const std::string& name : sweep.names) {
      if (absl::c_linear_search(names, name)) {
        return absl::InvalidArgumentError(
            absl::StrCat(kSweepWord, ": ", name, " is swept twice; leave one out"));
      }
      names.push_back(name);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Sweep>> TakeSweeps(
    std::vector<std::string>* arguments,
    absl::FunctionRef<absl::StatusOr<std::string>(const std::string& path)> read_file) {
  std::vector<Sweep> sweeps;
  std::vector<std::string> rest;
  for (size_t i = 0; i < arguments->size(); ++i) {
    if ((*arguments)[i] != kSweepWord) {
      rest.push_back((*arguments)[i]);
      continue;
    }
    size_t taken = 0;
    ASSIGN_OR_RETURN(Sweep sweep, ReadSweep(*arguments, i + 1, &taken, read_file));
    sweeps.push_back(std::move(sweep));
    i += taken;
  }
  RETURN_IF_ERROR(CheckTogether(sweeps));
  *arguments = std::move(rest);
  return sweeps;
}

size_t CountPoints(const std::vector<Sweep>& sweeps) {
  size_t points = 1;
  for (const Sweep& sweep : sweeps) points *= sweep.steps.size();
  return points;
}

std::vector<NamedValue> SweepPoint(const std::vector<Sweep>& sweeps, size_t index) {
  std::vector<NamedValue> point;
  size_t repeats = CountPoints(sweeps);  // of each step of the sweep, one after the other
  for (const Sweep& sweep : sweeps) {
    repeats /= sweep.steps.size();
    const std::vector<SweptValue>& step = sweep.steps[index / repeats % sweep.steps.size()];
    for (size_t i = 0; i < step.size(); ++i) point.push_back({sweep.names[i], step[i].value});
  }
  return point;
}

}  // namespace distbench
