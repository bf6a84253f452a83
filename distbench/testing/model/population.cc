#include "distbench/testing/model/population.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace distbench::model {
namespace {

// The letters after the last '_': "xz" of "same_xz", "x" of "linear_x{2}".
std::string AxesOf(const std::string& filter) {
  const size_t begin = filter.rfind('_') + 1;
  return filter.substr(begin, filter.find('{') - begin);
}

// What stands between the braces.
std::string Inside(const std::string& filter) {
  const size_t begin = filter.find('{') + 1;
  return filter.substr(begin, filter.rfind('}') - begin);
}

int Wrapped(int value, int size) { return (value % size + size) % size; }

}  // namespace

Population::Population(const DistributedSystemDescription& config) {
  for (int i = 0; i < config.services_size(); ++i) AddService(config.services(i), i);
}

void Population::AddService(const ServiceSpec& spec, int service) {
  service_by_name_[spec.name()] = service;
  const int line = spec.has_count() ? spec.count() : 1;
  const std::array<int, 3> sizes = {spec.has_x_size() ? spec.x_size() : line, spec.y_size(),
                                    spec.z_size()};
  sizes_.push_back(sizes);
  of_service_.emplace_back();
  int rank = 0;
  for (int z = 0; z < sizes[2]; ++z) {
    for (int y = 0; y < sizes[1]; ++y) {
      for (int x = 0; x < sizes[0]; ++x) {
        std::string name = absl::StrCat(spec.name(), "/", x);
        if (spec.has_y_size()) absl::StrAppend(&name, "/", y);
        if (spec.has_z_size()) absl::StrAppend(&name, "/", z);
        of_service_.back().push_back(static_cast<int>(instances_.size()));
        instances_.push_back({.name = name, .service = service, .rank = rank++, .at = {x, y, z}});
      }
    }
  }
}

const std::vector<int>& Population::OfService(const std::string& service) const {
  return of_service_[static_cast<size_t>(service_by_name_.at(service))];
}

int Population::Find(const std::string& name) const {
  const auto found = std::find_if(instances_.begin(), instances_.end(),
                                  [&](const Instance& instance) { return instance.name == name; });
  return found == instances_.end() ? -1 : static_cast<int>(found - instances_.begin());
}

Targets Population::TargetsOf(const std::string& fanout_filter, int caller,
                              const std::string& server) const {
  std::vector<int> others = OfService(server);
  std::erase(others, caller);
  if (absl::StartsWith(fanout_filter, "stochastic")) {
    return Stochastic(Inside(fanout_filter), std::move(others));
  }
  const int all = static_cast<int>(others.size());
  if (fanout_filter.empty() || fanout_filter == "all") {
    return {.instances = std::move(others), .least = all, .most = all};
  }
  if (fanout_filter == "random" || fanout_filter == "random_single" ||
      fanout_filter == "round_robin") {
    const int one = std::min(all, 1);
    return {.instances = std::move(others),
            .least = one,
            .most = one,
            .in_turn = fanout_filter == "round_robin"};
  }
  std::vector<int> along = Along(fanout_filter, caller, server);
  std::erase(along, caller);
  const int count = static_cast<int>(along.size());
  return {.instances = std::move(along), .least = count, .most = count};
}

Targets Population::Stochastic(const std::string& choices, std::vector<int> all) const {
  const int available = static_cast<int>(all.size());
  Targets targets = {.instances = std::move(all), .least = available, .most = 0};
  for (const std::string& choice : std::vector<std::string>(absl::StrSplit(choices, ','))) {
    const std::vector<std::string> parts = absl::StrSplit(choice, ':');
    if (std::atof(parts[0].c_str()) == 0) continue;
    const int count = std::min(std::atoi(parts[1].c_str()), available);
    targets.least = std::min(targets.least, count);
    targets.most = std::max(targets.most, count);
  }
  return targets;
}

// The instances that lie where the filter points to.
std::vector<int> Population::Along(const std::string& filter, int caller,
                                   const std::string& server) const {
  const std::array<int, 3>& from = instances_[static_cast<size_t>(caller)].at;
  const std::array<int, 3>& sizes = sizes_[static_cast<size_t>(service(server))];
  const std::string axes = AxesOf(filter);
  const size_t axis = static_cast<size_t>(axes[0] - 'x');
  std::array<int, 3> to = from;
  std::array<bool, 3> must_match = {true, true, true};
  if (absl::StartsWith(filter, "same_")) {
    for (size_t i = 0; i < 3; ++i) {
      must_match[i] = absl::StrContains(axes, std::string(1, static_cast<char>('x' + i)));
    }
  } else if (absl::StartsWith(filter, "linear_")) {
    to[axis] += std::atoi(Inside(filter).c_str());
  } else {
    const int other = axis == 0 ? from[1] : from[0];
    const bool is_down = absl::StartsWith(filter, "alternating_") && other % 2 == 1;
    to[axis] = Wrapped(from[axis] + (is_down ? -1 : 1), sizes[axis]);
  }
  std::vector<int> found;
  for (const int instance : OfService(server)) {
    const std::array<int, 3>& at = instances_[static_cast<size_t>(instance)].at;
    bool matches = true;
    for (size_t i = 0; i < 3; ++i) matches &= !must_match[i] || at[i] == to[i];
    if (matches) found.push_back(instance);
  }
  return found;
}

}  // namespace distbench::model
