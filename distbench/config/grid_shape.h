// GridShape: how many instances a service has and how they are arranged, from `count` and the
// sizes.
#ifndef DISTBENCH_CONFIG_GRID_SHAPE_H_
#define DISTBENCH_CONFIG_GRID_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace distbench {

class ServiceSpec;

// Of one service and of a whole test.
inline constexpr int64_t kMaxInstances = 1'000'000;

struct GridShape {
  size_t count = 0;    // x_size * y_size * z_size, 1 to kMaxInstances
  int dimensions = 1;  // sizes that are present; a service without any is a line of `count`
  size_t x_size = 0, y_size = 1, z_size = 1;
};

struct ShapeProblem {
  std::string field;  // of the service, "y_size"
  std::string message;
};

std::variant<GridShape, ShapeProblem> ShapeOf(const ServiceSpec& service);

// "grid/2/1": the instance of that rank.
std::string InstanceName(const std::string& service_name, const GridShape& shape, size_t rank);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_GRID_SHAPE_H_
