#include "distbench/engine/grid_targets.h"

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

namespace distbench {
namespace {

using Coordinates = std::array<int64_t, kAxes>;

Coordinates SizesOf(const ServicePlan& service) {
  return {static_cast<int64_t>(service.x_size), static_cast<int64_t>(service.y_size),
          static_cast<int64_t>(service.z_size)};
}

Coordinates CoordinatesOf(size_t rank, const Coordinates& sizes) {
  const int64_t position = static_cast<int64_t>(rank);
  return {position % sizes[0], position / sizes[0] % sizes[1], position / (sizes[0] * sizes[1])};
}

// None outside of the grid.
std::optional<size_t> RankAt(const Coordinates& at, const Coordinates& sizes) {
  for (size_t axis = 0; axis < kAxes; ++axis) {
    if (at[axis] < 0 || at[axis] >= sizes[axis]) return std::nullopt;
  }
  return static_cast<size_t>(at[0] + at[1] * sizes[0] + at[2] * sizes[0] * sizes[1]);
}

// The axis whose coordinate tells which way an alternating ring runs.
constexpr Axis OtherAxis(Axis axis) { return axis == Axis::kX ? Axis::kY : Axis::kX; }

class RankFinder {
 public:
  RankFinder(const Coordinates& caller, const Coordinates& server_sizes)
      : caller_(caller), sizes_(server_sizes) {}

  std::vector<size_t> operator()(const FanoutSame& fanout) const {
    std::vector<size_t> ranks;
    const size_t count = static_cast<size_t>(sizes_[0] * sizes_[1] * sizes_[2]);
    for (size_t rank = 0; rank < count; ++rank) {
      if (IsSame(fanout, CoordinatesOf(rank, sizes_))) ranks.push_back(rank);
    }
    return ranks;
  }

  std::vector<size_t> operator()(const FanoutRing& fanout) const {
    const size_t axis = static_cast<size_t>(fanout.axis);
    const bool is_up =
        !fanout.alternates || caller_[static_cast<size_t>(OtherAxis(fanout.axis))] % 2 == 0;
    Coordinates target = caller_;
    target[axis] = (caller_[axis] + (is_up ? 1 : sizes_[axis] - 1)) % sizes_[axis];
    return At(target);
  }

  std::vector<size_t> operator()(const FanoutLinear& fanout) const {
    const size_t axis = static_cast<size_t>(fanout.axis);
    Coordinates target = caller_;
    // Farther than any grid is large: no need to add, which might overflow.
    if (fanout.distance >= sizes_[axis] || fanout.distance < -caller_[axis]) return {};
    target[axis] += fanout.distance;
    return At(target);
  }

  // The others do not go by coordinates.
  template <typename Other>
  std::vector<size_t> operator()(const Other&) const {
    return {};
  }

 private:
  bool IsSame(const FanoutSame& fanout, const Coordinates& at) const {
    for (size_t axis = 0; axis < kAxes; ++axis) {
      if (fanout.is_same[axis] && at[axis] != caller_[axis]) return false;
    }
    return true;
  }

  std::vector<size_t> At(const Coordinates& target) const {
    const std::optional<size_t> rank = RankAt(target, sizes_);
    if (!rank.has_value()) return {};
    return {*rank};
  }

  const Coordinates caller_;
  const Coordinates sizes_;  // of the server's grid
};

}  // namespace

bool GoesByGrid(const FanoutPlan& fanout) {
  return std::holds_alternative<FanoutSame>(fanout) || std::holds_alternative<FanoutRing>(fanout) ||
         std::holds_alternative<FanoutLinear>(fanout);
}

std::vector<InstanceIndex> GridTargets(const Plan& plan, const FanoutPlan& fanout,
                                       ServiceIndex server, InstanceIndex caller) {
  const InstancePlan& instance = plan.instances[caller];
  const ServicePlan& server_plan = plan.services[server];
  const Coordinates at = CoordinatesOf(instance.rank, SizesOf(plan.services[instance.service]));
  std::vector<InstanceIndex> targets;
  for (const size_t rank : std::visit(RankFinder(at, SizesOf(server_plan)), fanout)) {
    const InstanceIndex target(server_plan.first.value() + rank);
    if (target != caller) targets.push_back(target);
  }
  return targets;
}

}  // namespace distbench
