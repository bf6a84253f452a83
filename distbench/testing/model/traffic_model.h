// TrafficModel: what a config makes happen, counted without running it.
//
// One run of a list on an instance makes so many RPCs to so many instances, each of which makes
// their lists run, and so on: the model follows the whole tree, and is therefore for configs in
// which no list reaches itself. It counts exactly where everything is certain, and within bounds
// where targets, predicates or starts are drawn; see Tally. Independent of the compiler and the
// engine.
#ifndef DISTBENCH_TESTING_MODEL_TRAFFIC_MODEL_H_
#define DISTBENCH_TESTING_MODEL_TRAFFIC_MODEL_H_

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "distbench/testing/model/population.h"
#include "distbench/testing/model/tally.h"
#include "protos/traffic_config.pb.h"

namespace distbench::model {

// How many iterations an action starts, whatever time it is when it begins.
Bounds StartsOf(const Action& action);

class TrafficModel {
 public:
  // The config compiles. Of at most 8 predicates in a list chance decides.
  explicit TrafficModel(const DistributedSystemDescription& config);

  const Population& population() const { return population_; }
  // Of the whole test.
  const Tally& tally() const { return tally_; }

 private:
  const Tally& Run(const std::string& list, int instance, bool warmup);
  Tally RunWith(const ActionList& list, const std::map<std::string, bool>& held, int instance,
                bool warmup);
  bool Runs(const Action& action, const std::map<std::string, bool>& held) const;
  Tally ActionOf(const Action& action, int instance, bool warmup);
  Tally Iteration(const Action& action, int instance, bool warmup);
  Tally Send(int rpc, int client, bool warmup);

  const DistributedSystemDescription config_;
  const Population population_;
  std::map<std::string, const ActionList*> lists_;
  std::map<std::string, const Action*> actions_;
  std::map<std::string, int> rpcs_;
  std::map<std::string, int> activities_;
  std::map<std::tuple<std::string, int, bool>, Tally> runs_;  // one of each kind
  Tally tally_;
};

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_TRAFFIC_MODEL_H_
