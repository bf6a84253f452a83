// variable_response_multi_level_rpc: a search tree whose leaves have more or less to say.
#include <memory>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/search_tree.h"

namespace distbench {
namespace {

constexpr char kSizes[] = "leaf_response_sizes";
constexpr char kLeafResponse[] = "leaf_query_response";

// Every size of the range is as likely.
DistributionConfig UniformSizes(int64_t lower, int64_t upper) {
  DistributionConfig sizes;
  sizes.set_name(kSizes);
  sizes.add_field_names("payload_size");
  PmfPoint* const point = sizes.add_pmf_points();
  point->set_pmf(1);
  point->add_data_points()->set_lower(lower);
  point->mutable_data_points(0)->set_upper(upper);
  return sizes;
}

PayloadSpec* LeafResponse(DistributedSystemDescription* test) {
  for (PayloadSpec& payload : *test->mutable_payload_descriptions()) {
    if (payload.name() == kLeafResponse) return &payload;
  }
  return nullptr;
}

class VariableResponseMultiLevelRpcPattern final : public Pattern {
 public:
  std::string name() const override { return "variable_response_multi_level_rpc"; }
  std::string summary() const override {
    return "As multi_level_rpc, with answers of the leaves that differ in size.";
  }
  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> parameters = SearchTreeParameters("exponential");
    parameters.push_back(MessageSize("lower_size", 1024, "Least size of a leaf's answer."));
    parameters.push_back(MessageSize("upper_size", 64000, "Greatest size of it."));
    Parameter exact =
        MessageSize("exact_size", 0, "Its size, in place of lower_size and upper_size.");
    exact.default_text.clear();
    exact.in_place_of = {"lower_size", "upper_size"};
    parameters.push_back(std::move(exact));
    return parameters;
  }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("variable_response_multi_level_rpc_", SearchTreeAlias(values));
  }
  std::string NameEnding(const ParameterValues& values) const override {
    if (values.Has("exact_size")) return absl::StrCat("-", values.Text("exact_size"));
    return absl::StrCat("-", values.Text("lower_size"), "-", values.Text("upper_size"));
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    ASSIGN_OR_RETURN(DistributedSystemDescription test, SearchTree(values, duration));
    PayloadSpec* const response = LeafResponse(&test);
    if (values.Has("exact_size")) {
      response->set_size(values.Integer("exact_size"));
      return test;
    }
    const int64_t lower = values.Integer("lower_size");
    const int64_t upper = values.Integer("upper_size");
    if (lower > upper) {
      return absl::InvalidArgumentError(
          absl::StrCat("lower_size=", lower, " is above upper_size=", upper, "; exchange them"));
    }
    response->clear_size();
    response->set_size_distribution_name(kSizes);
    *test.add_size_distribution_configs() = UniformSizes(lower, upper);
    return test;
  }
};

}  // namespace

std::unique_ptr<Pattern> NewVariableResponseMultiLevelRpcPattern() {
  return std::make_unique<VariableResponseMultiLevelRpcPattern>();
}

}  // namespace distbench
