// ControlCalls: how the calls of one run of a test introduce themselves.
//
// A node of this program is told which run a call belongs to, so that a late call of an earlier run
// does no harm, and which call it is, so that a repeated one has no effect. Other nodes are told
// neither. Belongs to the runner's thread.
#ifndef DISTBENCH_SEQUENCER_CONTROL_CALLS_H_
#define DISTBENCH_SEQUENCER_CONTROL_CALLS_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/sequencer/node_pool.h"
#include "protos/distbench.pb.h"

namespace distbench {

class ControlCalls {
 public:
  explicit ControlCalls(std::string run_id) : run_id_(std::move(run_id)) {}

  const std::string& run_id() const { return run_id_; }

  template <typename Request>
  void Introduce(const RegisteredNode& node, Request& request) {
    if (!node.knows_extensions()) return;
    ControlContext& control = *request.mutable_control();
    control.set_run_id(run_id_);
    control.set_request_id(absl::StrCat(run_id_, "/", ++calls_));
  }

 private:
  const std::string run_id_;
  int64_t calls_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_CONTROL_CALLS_H_
