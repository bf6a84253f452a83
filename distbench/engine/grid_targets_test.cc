#include "distbench/engine/grid_targets.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/fanout_bounds.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

struct Shape {
  int64_t x, y, z;
};

std::vector<Shape> AllShapes() {
  std::vector<Shape> shapes;
  for (int64_t x = 1; x <= 4; ++x) {
    for (int64_t y = 1; y <= 4; ++y) {
      for (int64_t z = 1; z <= 4; ++z) shapes.push_back({x, y, z});
    }
  }
  return shapes;
}

std::string ToText(const Shape& shape) { return absl::StrCat(shape.x, "x", shape.y, "x", shape.z); }

void AddService(const Shape& shape, Plan* plan) {
  const ServiceIndex index(plan->services.size());
  ServicePlan service{.count = static_cast<size_t>(shape.x * shape.y * shape.z),
                      .first = InstanceIndex(plan->instances.size()),
                      .dimensions = 3,
                      .x_size = static_cast<size_t>(shape.x),
                      .y_size = static_cast<size_t>(shape.y),
                      .z_size = static_cast<size_t>(shape.z)};
  for (size_t rank = 0; rank < service.count; ++rank) {
    plan->instances.push_back({.service = index, .rank = rank});
  }
  plan->services.push_back(service);
}

// An instance by its coordinates.
struct At {
  int64_t x, y, z;
};

std::vector<At> AllOf(const Shape& shape) {
  std::vector<At> all;
  for (int64_t z = 0; z < shape.z; ++z) {
    for (int64_t y = 0; y < shape.y; ++y) {
      for (int64_t x = 0; x < shape.x; ++x) all.push_back({x, y, z});
    }
  }
  return all;  // by rank
}

// What each filter says, in words of coordinates.
bool IsTarget(const std::string& filter, int64_t distance, const At& from, const At& to,
              const Shape& server) {
  const bool same_x = from.x == to.x, same_y = from.y == to.y, same_z = from.z == to.z;
  const auto after = [](int64_t a, int64_t b, int64_t size) { return b == (a + 1) % size; };
  const auto before = [](int64_t a, int64_t b, int64_t size) { return b == (a + size - 1) % size; };
  if (filter == "same_x") return same_x;
  if (filter == "same_y") return same_y;
  if (filter == "same_z") return same_z;
  if (filter == "same_xy") return same_x && same_y;
  if (filter == "same_xz") return same_x && same_z;
  if (filter == "same_yz") return same_y && same_z;
  if (filter == "same_xyz") return same_x && same_y && same_z;
  if (filter == "ring_x") return same_y && same_z && after(from.x, to.x, server.x);
  if (filter == "ring_y") return same_x && same_z && after(from.y, to.y, server.y);
  if (filter == "ring_z") return same_x && same_y && after(from.z, to.z, server.z);
  if (filter == "alternating_ring_x") {
    return same_y && same_z &&
           (from.y % 2 == 0 ? after(from.x, to.x, server.x) : before(from.x, to.x, server.x));
  }
  if (filter == "alternating_ring_y") {
    return same_x && same_z &&
           (from.x % 2 == 0 ? after(from.y, to.y, server.y) : before(from.y, to.y, server.y));
  }
  if (filter == "alternating_ring_z") {
    return same_x && same_y &&
           (from.x % 2 == 0 ? after(from.z, to.z, server.z) : before(from.z, to.z, server.z));
  }
  if (filter == "linear_x") return same_y && same_z && to.x == from.x + distance;
  if (filter == "linear_y") return same_x && same_z && to.y == from.y + distance;
  if (filter == "linear_z") return same_x && same_y && to.z == from.z + distance;
  ADD_FAILURE() << filter;
  return false;
}

struct Filter {
  std::string name;
  FanoutPlan plan;
  int64_t distance = 0;
};

std::vector<Filter> AllFilters() {
  std::vector<Filter> filters = {
      {"same_x", FanoutSame{{true, false, false}}}, {"same_y", FanoutSame{{false, true, false}}},
      {"same_z", FanoutSame{{false, false, true}}}, {"same_xy", FanoutSame{{true, true, false}}},
      {"same_xz", FanoutSame{{true, false, true}}}, {"same_yz", FanoutSame{{false, true, true}}},
      {"same_xyz", FanoutSame{{true, true, true}}}};
  const std::string letters = "xyz";
  for (size_t i = 0; i < kAxes; ++i) {
    const Axis axis = static_cast<Axis>(i);
    const std::string letter = letters.substr(i, 1);
    filters.push_back({"ring_" + letter, FanoutRing{.axis = axis}});
    filters.push_back({"alternating_ring_" + letter, FanoutRing{.axis = axis, .alternates = true}});
    for (const int64_t distance : {-4, -3, -1, 0, 1, 2, 3, 4}) {
      filters.push_back(
          {"linear_" + letter, FanoutLinear{.axis = axis, .distance = distance}, distance});
    }
  }
  return filters;
}

// Holds the targets of every instance against the filter's meaning. The server's grid is service 1
// of the plan, unless it is the client's own.
void ExpectTargets(const Filter& filter, const Shape& client, const Shape& server, bool is_own) {
  Plan plan;
  AddService(client, &plan);
  if (!is_own) AddService(server, &plan);
  const ServiceIndex server_index(is_own ? 0 : 1);
  const uint32_t first = plan.services[server_index].first.value();
  const TargetBounds bounds = BoundsOfTargets(filter.plan, plan.services[ServiceIndex(0)],
                                              plan.services[server_index], is_own);
  const std::vector<At> servers = AllOf(server);
  const std::vector<At> clients = AllOf(client);
  size_t most = 0;
  for (uint32_t rank = 0; rank < clients.size(); ++rank) {
    std::vector<InstanceIndex> expected;
    for (uint32_t other = 0; other < servers.size(); ++other) {
      if (is_own && other == rank) continue;
      if (IsTarget(filter.name, filter.distance, clients[rank], servers[other], server)) {
        expected.push_back(InstanceIndex(first + other));
      }
    }
    const std::string where =
        absl::StrCat(filter.name, "{", filter.distance, "} from rank ", rank, " of ",
                     ToText(client), " to ", ToText(server), is_own ? ", its own" : "");
    ASSERT_EQ(GridTargets(plan, filter.plan, server_index, InstanceIndex(rank)), expected) << where;
    ASSERT_GE(expected.size(), bounds.least) << where;
    ASSERT_LE(expected.size(), bounds.most) << where;
    most = std::max(most, expected.size());
  }
  // Of grids that differ the bounds only say what may be.
  if (is_own) {
    EXPECT_EQ(most, bounds.most) << filter.name << " " << filter.distance << ToText(client);
  }
}

TEST(GridTargetsTest, WithinAServiceTheyAreThoseThatTheFilterNames) {
  for (const Filter& filter : AllFilters()) {
    EXPECT_TRUE(GoesByGrid(filter.plan));
    for (const Shape& shape : AllShapes()) ExpectTargets(filter, shape, shape, /*is_own=*/true);
  }
}

TEST(GridTargetsTest, AcrossServicesTheCallersCoordinatesCount) {
  for (const Filter& filter : AllFilters()) {
    for (const Shape& shape : AllShapes()) {
      ExpectTargets(filter, shape, shape, /*is_own=*/false);
      ExpectTargets(filter, shape, {2, 3, 1}, /*is_own=*/false);
      ExpectTargets(filter, {3, 1, 2}, shape, /*is_own=*/false);
    }
  }
}

TEST(GridTargetsTest, OtherFanoutsDoNotGoByCoordinates) {
  EXPECT_FALSE(GoesByGrid(FanoutAll{}));
  EXPECT_FALSE(GoesByGrid(FanoutRandom{}));
  EXPECT_FALSE(GoesByGrid(FanoutRoundRobin{}));
  EXPECT_FALSE(GoesByGrid(FanoutStochastic{}));
}

}  // namespace
}  // namespace distbench
