// Parameter: one thing that may be said of a test, such as how many clients it has. Declared once,
// where it is used; the check of values, their defaults and the help come from the declaration.
// Stateless.
#ifndef TEST_BUILDER_PARAMETER_H_
#define TEST_BUILDER_PARAMETER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace distbench {

struct Parameter {
  enum class Kind { kText, kInteger, kNumber };

  std::string name;
  std::string default_text;  // empty: none, and none need be given
  std::string unit;          // "bytes"; empty: none
  std::string help;          // a sentence
  Kind kind = Kind::kText;
  // Of numbers: the range, both ends included.
  double least = 0;
  double greatest = 0;
  // Of texts: what is accepted. Empty: anything.
  std::vector<std::string> choices;
  // Parameters that have no value where this one is given, and are not given with it.
  std::vector<std::string> in_place_of;
};

struct NamedValue {
  std::string name;
  std::string value;

  friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

// Whether `text` is a value of the parameter; the error names both and says what is accepted. No
// text at all will do if there is no default.
absl::Status CheckValue(const Parameter& parameter, absl::string_view text);

// A value, which the parameter accepts, in the one way in which it is written: numbers without
// signs, zeros and exponents that they do not need. So one test has one name.
std::string CanonicalValue(const Parameter& parameter, absl::string_view text);

// The finite number that a text of decimal digits means: 2.5, 1e9, not 0x10.
std::optional<double> DecimalNumber(absl::string_view text);

// 0.000001, 2.5, 1000000000: the fewest digits that mean this number, which is finite.
std::string PlainNumber(double number);

// What is accepted, for people: "1 to 1000", "grpc|tcp", or nothing where everything is.
std::string AcceptedValues(const Parameter& parameter);

// Whether a parameter may be called so: letters, digits and underscores, no digit first.
bool IsParameterName(absl::string_view text);

std::vector<std::string> NamesOf(const std::vector<Parameter>& parameters);

}  // namespace distbench

#endif  // TEST_BUILDER_PARAMETER_H_
