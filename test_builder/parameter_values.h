// ParameterValues: a value for each of the parameters of a test. All of them are what their
// parameters accept, so that whoever builds from them need not look again.
//
//   ASSIGN_OR_RETURN(auto values, ParameterValues::Read(parameters, {{"client_count", "2"}}));
//   values.Integer("client_count");  // 2
#ifndef TEST_BUILDER_PARAMETER_VALUES_H_
#define TEST_BUILDER_PARAMETER_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "test_builder/parameter.h"

namespace distbench {

// Immutable. The accessors require that the parameter is declared.
class ParameterValues {
 public:
  // Takes what is given, and the defaults of the rest. An error says all that is wrong with what is
  // given, a line each, with the nearest name where one is unknown.
  static absl::StatusOr<ParameterValues> Read(const std::vector<Parameter>& declared,
                                              const std::vector<NamedValue>& given);

  // Numbers are in their canonical form; empty: none.
  const std::string& Text(absl::string_view name) const;
  bool Has(absl::string_view name) const { return !Text(name).empty(); }
  // Requires: it has a value, which is a number of this kind.
  int64_t Integer(absl::string_view name) const;
  double Number(absl::string_view name) const;

  // In the order of declaration, those without a value too.
  const std::vector<NamedValue>& all() const { return all_; }

 private:
  std::vector<NamedValue> all_;
};

}  // namespace distbench

#endif  // TEST_BUILDER_PARAMETER_VALUES_H_
