// Population: the instances of a config and whom each may send to, as the description of the format
// tells it. Shares nothing with the compiler and the engine, so that it can tell when they are
// wrong. For configs that compile. Immutable.
#ifndef DISTBENCH_TESTING_MODEL_POPULATION_H_
#define DISTBENCH_TESTING_MODEL_POPULATION_H_

#include <array>
#include <map>
#include <string>
#include <vector>

#include "protos/traffic_config.pb.h"

namespace distbench::model {

struct Instance {
  std::string name;
  int service = 0;  // position in `services`
  int rank = 0;
  std::array<int, 3> at{};  // x, y, z
};

// Whom one iteration of an RPC goes to, from one caller.
struct Targets {
  std::vector<int> instances;  // positions in Population::instances(), by rank
  int least = 0, most = 0;     // so many of them at a time, all different
  bool in_turn = false;        // round robin
};

class Population {
 public:
  explicit Population(const DistributedSystemDescription& config);

  // Services in order, by rank.
  const std::vector<Instance>& instances() const { return instances_; }
  const std::vector<int>& OfService(const std::string& service) const;
  int service(const std::string& name) const { return service_by_name_.at(name); }
  // -1: there is none of this name.
  int Find(const std::string& name) const;

  Targets TargetsOf(const std::string& fanout_filter, int caller, const std::string& server) const;

 private:
  void AddService(const ServiceSpec& spec, int service);
  Targets Stochastic(const std::string& choices, std::vector<int> all) const;
  std::vector<int> Along(const std::string& filter, int caller, const std::string& server) const;

  std::vector<Instance> instances_;
  std::map<std::string, int> service_by_name_;
  std::vector<std::array<int, 3>> sizes_;     // by service
  std::vector<std::vector<int>> of_service_;  // by service
};

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_POPULATION_H_
