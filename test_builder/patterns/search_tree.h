// A search tree: a load generator asks one root after the other, and a root asks all leaves before
// it answers. What the patterns multi_level_rpc and variable_response_multi_level_rpc share. Pure.
#ifndef TEST_BUILDER_PATTERNS_SEARCH_TREE_H_
#define TEST_BUILDER_PATTERNS_SEARCH_TREE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/parameter.h"
#include "test_builder/parameter_values.h"

namespace distbench {

// `qps`, `root_count`, `leaf_count`, `synchronization_mode`, sizes and warmup.
std::vector<Parameter> SearchTreeParameters(const std::string& default_mode);

// `{root_count}x{leaf_count}x{qps}`.
std::string SearchTreeAlias(const ParameterValues& values);

// Its RPCs are `root_query` and `leaf_query`, all sizes those of the parameters.
absl::StatusOr<DistributedSystemDescription> SearchTree(const ParameterValues& values,
                                                        absl::Duration duration);

}  // namespace distbench

#endif  // TEST_BUILDER_PATTERNS_SEARCH_TREE_H_
