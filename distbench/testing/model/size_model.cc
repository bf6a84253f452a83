#include "distbench/testing/model/size_model.h"

#include <algorithm>
#include <limits>

namespace distbench::model {
namespace {

// The smallest heads: rpc_index and warmup, warmup alone.
constexpr int64_t kSmallestRequest = 4;
constexpr int64_t kSmallestResponse = 2;
// No head without a trace context is larger, whatever stands in it.
constexpr int64_t kLargestHead = 32;
// One hop of a trace, and as many as configs for this model lead to.
constexpr int64_t kTraceBytes = 20 * 20;

Bounds Together(const Bounds& a, const Bounds& b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

template <typename Elements>
const typename Elements::value_type& Named(const Elements& elements, const std::string& name) {
  return *std::find_if(elements.begin(), elements.end(),
                       [&](const auto& element) { return element.name() == name; });
}

Bounds BoundsOf(const DistributionConfig& distribution, int dimension) {
  if (distribution.cdf_points_size() > 0) {
    return {distribution.cdf_points(0).value(), distribution.cdf_points().rbegin()->value()};
  }
  Bounds bounds = {std::numeric_limits<int64_t>::max(), 0};
  for (const PmfPoint& point : distribution.pmf_points()) {
    const DataPoint& data = point.data_points(dimension);
    const Bounds box =
        data.has_exact() ? Bounds{data.exact(), data.exact()} : Bounds{data.lower(), data.upper()};
    if (point.pmf() > 0) bounds = Together(bounds, box);
  }
  return bounds;
}

Bounds WithHead(const Bounds& asked, int64_t smallest, int64_t largest_head) {
  return {std::max(asked.least, smallest), std::max(asked.most, largest_head)};
}

// What the message says of a payload, and that itself.
int64_t BytesOfPayload(int64_t size) {
  GenericRequestResponse message;
  message.set_payload(std::string(static_cast<size_t>(size), ' '));
  return static_cast<int64_t>(message.ByteSizeLong());
}

bool IsTraced(const DistributedSystemDescription& config) {
  return std::any_of(config.rpc_descriptions().begin(), config.rpc_descriptions().end(),
                     [](const RpcSpec& rpc) { return rpc.tracing_interval() > 0; });
}

}  // namespace

SizeModel::SizeModel(const DistributedSystemDescription& config) : config_(config) {
  const int64_t request_head = kLargestHead + (IsTraced(config) ? kTraceBytes : 0);
  for (const RpcSpec& rpc : config_.rpc_descriptions()) {
    const MessageSizes asked = Asked(rpc);
    sizes_.push_back({.request = WithHead(asked.request, kSmallestRequest, request_head),
                      .response = WithHead(asked.response, kSmallestResponse, kLargestHead)});
    MessageSizes& sizes = sizes_.back();
    if (rpc.one_way()) sizes.response = {0, 0};
    if (rpc.echo_request()) sizes.response = {kSmallestResponse, sizes.request.most};
  }
}

// The request is as large as was asked for, or as its head; its payload is the largest that leaves
// nothing else to fill, or two bytes and more: one alone cannot be.
int64_t SizeModel::EchoOf(const RpcSample& request) const {
  GenericRequestResponse head;
  head.set_rpc_index(1);  // those of configs for this model take a byte
  head.set_warmup(true);
  if (config_.has_seed()) head.set_causal_key(1);
  if (request.has_trace_context()) *head.mutable_trace_context() = request.trace_context();
  const int64_t rest = request.request_size() - static_cast<int64_t>(head.ByteSizeLong());
  int64_t payload = std::max<int64_t>(rest, 0);
  while (payload > 0 && (BytesOfPayload(payload) > rest || BytesOfPayload(payload) == rest - 1)) {
    --payload;
  }
  return kSmallestResponse + BytesOfPayload(payload);
}

MessageSizes SizeModel::Asked(const RpcSpec& rpc) const {
  if (!rpc.distribution_config_name().empty()) {
    return {.request = Drawn(rpc.distribution_config_name(), "request_payload_size"),
            .response = Drawn(rpc.distribution_config_name(), "response_payload_size")};
  }
  const Bounds own = Payload(rpc.request_payload_name(), 16);
  MessageSizes sizes = {.request = own, .response = Payload(rpc.response_payload_name(), 32)};
  for (const Action& action : config_.actions()) {
    if (action.rpc_name() != rpc.name() || action.request_payload_override().empty()) continue;
    sizes.request = Together(sizes.request, Payload(action.request_payload_override(), 0));
  }
  std::set<std::string> seen;
  AddResponseOverrides(rpc.name(), seen, sizes.response);
  return sizes;
}

// `absent`: what an RPC has that names none.
Bounds SizeModel::Payload(const std::string& name, int64_t absent) const {
  if (name.empty()) return {absent, absent};
  const PayloadSpec& payload = Named(config_.payload_descriptions(), name);
  if (payload.size_distribution_name().empty()) return {payload.size(), payload.size()};
  return BoundsOf(Named(config_.size_distribution_configs(), payload.size_distribution_name()), 0);
}

Bounds SizeModel::Drawn(const std::string& distribution, const std::string& field) const {
  const DistributionConfig& config = Named(config_.distribution_config(), distribution);
  for (int i = 0; i < config.field_names_size(); ++i) {
    if (config.field_names(i) == field) return BoundsOf(config, i);
  }
  return BoundsOf(config, 0);  // of one dimension, for both
}

// Of the actions of a list and of those that it runs.
void SizeModel::AddResponseOverrides(const std::string& list, std::set<std::string>& seen,
                                     Bounds& response) const {
  if (!seen.insert(list).second) return;
  for (const std::string& name : Named(config_.action_lists(), list).action_names()) {
    const Action& action = Named(config_.actions(), name);
    if (!action.response_payload_override().empty()) {
      response = Together(response, Payload(action.response_payload_override(), 0));
    }
    if (action.has_action_list_name()) {
      AddResponseOverrides(action.action_list_name(), seen, response);
    }
  }
}

}  // namespace distbench::model
