// What is drawn: delays of actions, sizes of payloads, and sizes of requests with their responses.
// And payloads, whose sizes are fixed or drawn.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/compile_distribution.h"
#include "distbench/config/time_limits.h"

namespace distbench {
namespace {

constexpr int64_t kMaxMessageBytes = INT32_MAX;

using Configs = google::protobuf::RepeatedPtrField<DistributionConfig>;
using Distributions = std::vector<std::shared_ptr<const Distribution>>;

Distributions CompileAll(const Configs& configs, const char* field, const DistributionUse& use,
                         Reporter& report) {
  Distributions distributions;
  for (int i = 0; i < configs.size(); ++i) {
    distributions.push_back(CompileDistribution(configs[i], use, ElementPath(field, i), report));
  }
  return distributions;
}

MessageSizePlan CompilePayload(CompileContext& context, const PayloadSpec& payload,
                               const std::string& path) {
  const bool is_drawn = !payload.size_distribution_name().empty();
  MessageSizePlan size;
  if (is_drawn) {
    const std::string field = absl::StrCat(path, ".size_distribution_name");
    const auto position =
        context.size_distributions.Resolve(payload.size_distribution_name(), field, context.report);
    if (position.has_value()) size.drawn = context.compiled_sizes[*position];
    if (payload.has_size()) {
      context.report.Error(field, absl::StrCat("payload ", Quoted(payload.name()),
                                               " has a size too; remove one of them"));
    }
  } else if (!payload.has_size()) {
    context.report.Error(absl::StrCat(path, ".size"),
                         absl::StrCat("payload ", Quoted(payload.name()),
                                      " has no size; set it, in bytes, or size_distribution_name"));
  } else if (payload.size() < 0 || payload.size() > kMaxMessageBytes) {
    context.report.Error(absl::StrCat(path, ".size"),
                         absl::StrCat(payload.size(), " is no size of a message; set 0 to ",
                                      kMaxMessageBytes, " bytes"));
  } else {
    size.bytes = payload.size();
  }
  return size;
}

}  // namespace

void CompileDistributions(CompileContext& context) {
  const DistributionUse delay = {
      .field_names = {{"action_delay_ns"}}, .max_value = kMaxDurationNs, .unit = "ns"};
  const DistributionUse size = {
      .field_names = {{"payload_size"}}, .max_value = kMaxMessageBytes, .unit = "bytes"};
  const DistributionUse sizes = {
      .field_names = {{"request_payload_size", "response_payload_size"}, {"payload_size"}},
      .max_value = kMaxMessageBytes,
      .unit = "bytes"};
  const auto& config = context.config;
  context.compiled_delays = CompileAll(config.delay_distribution_configs(),
                                       "delay_distribution_configs", delay, context.report);
  context.compiled_sizes = CompileAll(config.size_distribution_configs(),
                                      "size_distribution_configs", size, context.report);
  context.compiled_joint_sizes =
      CompileAll(config.distribution_config(), "distribution_config", sizes, context.report);
  for (int i = 0; i < config.payload_descriptions_size(); ++i) {
    context.payload_sizes.push_back(CompilePayload(context, config.payload_descriptions(i),
                                                   ElementPath("payload_descriptions", i)));
  }
}

}  // namespace distbench
