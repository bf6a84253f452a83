// Fanout filters: the text of `fanout_filter`, understood.
#ifndef DISTBENCH_CONFIG_FANOUT_H_
#define DISTBENCH_CONFIG_FANOUT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/config/plan.h"

namespace distbench {

// InvalidArgument for what is no filter.
absl::StatusOr<FanoutPlan> ParseFanout(absl::string_view filter);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_FANOUT_H_
