#include "distbench/config/grid_shape.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// A size of the service as it stands in the config: its field's name, and its value if present.
struct GivenSize {
  const char* field;
  std::optional<int64_t> value;
};

std::optional<ShapeProblem> CheckSize(const GivenSize& size) {
  if (!size.value.has_value()) return std::nullopt;
  if (*size.value < 1) {
    return ShapeProblem{size.field, absl::StrCat(*size.value, " is not positive; set at least 1")};
  }
  if (*size.value > kMaxInstances) {
    return ShapeProblem{size.field, absl::StrCat(*size.value, " is more than the ", kMaxInstances,
                                                 " instances that a test may have")};
  }
  return std::nullopt;
}

ShapeProblem MissingSize(const char* missing, const char* present) {
  return {present, absl::StrCat("`", present, "` needs `", missing, "`; set it too")};
}

}  // namespace

std::variant<GridShape, ShapeProblem> ShapeOf(const ServiceSpec& service) {
  const auto given = [](const char* field, bool present, int64_t value) {
    return GivenSize{field, present ? std::optional(value) : std::nullopt};
  };
  const GivenSize count = given("count", service.has_count(), service.count());
  const GivenSize x = given("x_size", service.has_x_size(), service.x_size());
  const GivenSize y = given("y_size", service.has_y_size(), service.y_size());
  const GivenSize z = given("z_size", service.has_z_size(), service.z_size());

  if (y.value.has_value() && !x.value.has_value()) return MissingSize("x_size", "y_size");
  if (z.value.has_value() && !y.value.has_value()) return MissingSize("y_size", "z_size");
  for (const GivenSize& size : {count, x, y, z}) {
    if (const auto problem = CheckSize(size)) return *problem;
  }
  // Each size is at most 10^6 now, so the product fits.
  const int64_t product =
      x.value.value_or(count.value.value_or(1)) * y.value.value_or(1) * z.value.value_or(1);
  if (product > kMaxInstances) {
    return ShapeProblem{"x_size",
                        absl::StrCat("the sizes make ", product, " instances, more than the ",
                                     kMaxInstances, " that a test may have")};
  }
  if (count.value.value_or(product) != product) {
    return ShapeProblem{"count", absl::StrCat(*count.value, " is not the product of the sizes, ",
                                              product, "; leave `count` out or set it so")};
  }
  return GridShape{.count = static_cast<size_t>(product),
                   .dimensions = z.value.has_value()   ? 3
                                 : y.value.has_value() ? 2
                                                       : 1,
                   .x_size = static_cast<size_t>(x.value.value_or(product)),
                   .y_size = static_cast<size_t>(y.value.value_or(1)),
                   .z_size = static_cast<size_t>(z.value.value_or(1))};
}

std::string InstanceName(const std::string& service_name, const GridShape& shape, size_t rank) {
  std::string name = absl::StrCat(service_name, "/", rank % shape.x_size);
  if (shape.dimensions >= 2) absl::StrAppend(&name, "/", rank / shape.x_size % shape.y_size);
  if (shape.dimensions >= 3) absl::StrAppend(&name, "/", rank / (shape.x_size * shape.y_size));
  return name;
}

}  // namespace distbench
