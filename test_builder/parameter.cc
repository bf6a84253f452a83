#include "test_builder/parameter.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

std::string Plain(double number) { return absl::StrFormat("%.12g", number); }

bool IsInRange(const Parameter& parameter, double number) {
  return number >= parameter.least && number <= parameter.greatest;
}

bool IsValue(const Parameter& parameter, absl::string_view text) {
  switch (parameter.kind) {
    case Parameter::Kind::kText:
      return parameter.choices.empty() ? !text.empty()
                                       : absl::c_linear_search(parameter.choices, text);
    case Parameter::Kind::kInteger: {
      int64_t number = 0;
      return absl::SimpleAtoi(text, &number) && IsInRange(parameter, static_cast<double>(number));
    }
    case Parameter::Kind::kNumber: {
      const std::optional<double> number = DecimalNumber(text);
      return number.has_value() && IsInRange(parameter, *number);
    }
  }
  return false;
}

std::string Expected(const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::kText:
      return parameter.choices.empty() ? "a value" : absl::StrJoin(parameter.choices, " or ");
    case Parameter::Kind::kInteger:
      return absl::StrCat("an integer, ", AcceptedValues(parameter));
    case Parameter::Kind::kNumber:
      return absl::StrCat("a number, ", AcceptedValues(parameter));
  }
  return "";
}

}  // namespace

absl::Status CheckValue(const Parameter& parameter, absl::string_view text) {
  if (text.empty() && parameter.default_text.empty()) return absl::OkStatus();
  if (IsValue(parameter, text)) return absl::OkStatus();
  const std::string hint = NearestNameHint(text, parameter.choices);
  return absl::InvalidArgumentError(
      absl::StrCat(parameter.name, "=", Escaped(text), ": expected ", Expected(parameter),
                   // Where none is near it would be all of them again.
                   absl::StrContains(hint, "did you mean") ? hint : ""));
}

std::string CanonicalValue(const Parameter& parameter, absl::string_view text) {
  int64_t integer = 0;
  std::optional<double> number;
  switch (parameter.kind) {
    case Parameter::Kind::kText:
      break;
    case Parameter::Kind::kInteger:
      if (absl::SimpleAtoi(text, &integer)) return absl::StrCat(integer);
      break;
    case Parameter::Kind::kNumber:
      number = DecimalNumber(text);
      if (number.has_value()) return PlainNumber(*number);
      break;
  }
  return std::string(text);
}

std::optional<double> DecimalNumber(absl::string_view text) {
  double number = 0;
  const bool is_decimal = text.find_first_of("xX") == absl::string_view::npos;
  if (is_decimal && absl::SimpleAtod(text, &number) && std::isfinite(number)) return number;
  return std::nullopt;
}

std::string PlainNumber(double number) {
  // The longest ones are as long as the exponents of doubles are large.
  std::array<char, 512> text;
  const std::to_chars_result end =
      std::to_chars(text.data(), text.data() + text.size(), number + 0.0, std::chars_format::fixed);
  return std::string(text.data(), end.ptr);
}

std::string AcceptedValues(const Parameter& parameter) {
  if (parameter.kind == Parameter::Kind::kText) return absl::StrJoin(parameter.choices, "|");
  return absl::StrCat(Plain(parameter.least), " to ", Plain(parameter.greatest));
}

bool IsParameterName(absl::string_view text) {
  if (text.empty() || absl::ascii_isdigit(static_cast<unsigned char>(text.front()))) return false;
  return absl::c_all_of(
      text, [](char c) { return c == '_' || absl::ascii_isalnum(static_cast<unsigned char>(c)); });
}

std::vector<std::string> NamesOf(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

}  // namespace distbench
