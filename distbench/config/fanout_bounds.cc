#include "distbench/config/fanout_bounds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>

namespace distbench {
namespace {

using Sizes = std::array<size_t, kAxes>;

Sizes SizesOf(const ServicePlan& service) {
  return {service.x_size, service.y_size, service.z_size};
}

class BoundsFinder {
 public:
  BoundsFinder(const ServicePlan& client, const ServicePlan& server, bool is_own)
      : client_(SizesOf(client)),
        server_(SizesOf(server)),
        is_own_(is_own),
        others_(server.count - (is_own && server.count > 0 ? 1 : 0)) {}

  TargetBounds operator()(const FanoutAll&) const { return {.least = others_, .most = others_}; }
  TargetBounds operator()(const FanoutRandom&) const { return AtMostOne(); }
  TargetBounds operator()(const FanoutRoundRobin&) const { return AtMostOne(); }

  TargetBounds operator()(const FanoutStochastic& fanout) const {
    TargetBounds bounds = {.least = others_, .most = 0};
    double below = 0;
    for (const FanoutStochastic::Choice& choice : fanout.choices) {
      if (choice.cumulative_probability > below) {
        bounds.least = std::min(bounds.least, choice.targets);
        bounds.most = std::max(bounds.most, std::min(choice.targets, others_));
      }
      below = choice.cumulative_probability;
    }
    return bounds;
  }

  TargetBounds operator()(const FanoutSame& fanout) const {
    size_t targets = 1;
    bool always = true;  // the server's grid has every client's coordinates
    for (size_t axis = 0; axis < kAxes; ++axis) {
      if (fanout.is_same[axis]) {
        always &= client_[axis] <= server_[axis];
      } else {
        targets *= server_[axis];
      }
    }
    if (is_own_) --targets;
    return {.least = always ? targets : 0, .most = targets};
  }

  TargetBounds operator()(const FanoutRing& fanout) const {
    const size_t ring = static_cast<size_t>(fanout.axis);
    if (is_own_ && server_[ring] < 2) return {};
    bool always = true;
    for (size_t axis = 0; axis < kAxes; ++axis) {
      if (axis != ring) always &= client_[axis] <= server_[axis];
    }
    return {.least = always ? size_t{1} : size_t{0}, .most = 1};
  }

  TargetBounds operator()(const FanoutLinear& fanout) const {
    const size_t line = static_cast<size_t>(fanout.axis);
    const int64_t client = static_cast<int64_t>(client_[line]);
    const int64_t server = static_cast<int64_t>(server_[line]);
    if (is_own_ && fanout.distance == 0) return {};
    // The least and the greatest coordinate that a client comes to.
    if (fanout.distance >= server || fanout.distance <= -client) return {};
    return {.least = 0, .most = 1};
  }

 private:
  TargetBounds AtMostOne() const {
    const size_t targets = std::min<size_t>(others_, 1);
    return {.least = targets, .most = targets};
  }

  const Sizes client_;
  const Sizes server_;
  const bool is_own_;
  const size_t others_;  // that an instance of the client may send to
};

}  // namespace

TargetBounds BoundsOfTargets(const FanoutPlan& fanout, const ServicePlan& client,
                             const ServicePlan& server, bool is_own) {
  // A service whose sizes are wrong has no instances.
  if (client.count == 0 || server.count == 0) return {};
  return std::visit(BoundsFinder(client, server, is_own), fanout);
}

}  // namespace distbench
