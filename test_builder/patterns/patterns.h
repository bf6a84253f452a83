// The patterns of the program, each in the file of its name.
#ifndef TEST_BUILDER_PATTERNS_PATTERNS_H_
#define TEST_BUILDER_PATTERNS_PATTERNS_H_

#include <memory>

#include "test_builder/pattern.h"
#include "test_builder/pattern_registry.h"

namespace distbench {

std::unique_ptr<Pattern> NewClientServerPattern();
std::unique_ptr<Pattern> NewCliquePattern();
std::unique_ptr<Pattern> NewRectangularPattern();
std::unique_ptr<Pattern> NewTripartitePattern();
std::unique_ptr<Pattern> NewMultiLevelRpcPattern();
std::unique_ptr<Pattern> NewVariableResponseMultiLevelRpcPattern();
std::unique_ptr<Pattern> NewHomaCpNodePattern();
std::unique_ptr<Pattern> NewCallGraphPattern();
std::unique_ptr<Pattern> NewRingPattern();
std::unique_ptr<Pattern> NewAllToAllPattern();
std::unique_ptr<Pattern> NewIncastPattern();
std::unique_ptr<Pattern> NewScatterGatherPattern();
std::unique_ptr<Pattern> NewPipelinePattern();
std::unique_ptr<Pattern> NewPingPongPattern();
std::unique_ptr<Pattern> NewCommandMixPattern();

// All of them.
PatternRegistry BuiltInPatterns();

}  // namespace distbench

#endif  // TEST_BUILDER_PATTERNS_PATTERNS_H_
