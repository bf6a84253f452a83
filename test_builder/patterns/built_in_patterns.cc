#include "glog/logging.h"
#include "test_builder/patterns/patterns.h"

namespace distbench {

PatternRegistry BuiltInPatterns() {
  PatternRegistry registry;
  for (auto* const make :
       {NewClientServerPattern, NewCliquePattern, NewRectangularPattern, NewTripartitePattern,
        NewMultiLevelRpcPattern, NewVariableResponseMultiLevelRpcPattern, NewHomaCpNodePattern,
        NewCallGraphPattern, NewRingPattern, NewAllToAllPattern, NewIncastPattern,
        NewScatterGatherPattern, NewPipelinePattern, NewPingPongPattern, NewCommandMixPattern}) {
    const absl::Status added = registry.Add(make());
    CHECK(added.ok()) << added;
  }
  return registry;
}

}  // namespace distbench
