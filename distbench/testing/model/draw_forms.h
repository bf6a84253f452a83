// DrawRpcForms: makes RPCs of a config one-way, echo their requests, or wait for their turn at the
// server.
//
// All ways of dispatch are drawn: an engine that has no workers, as on simulated time, makes no
// threads for any of them, and in real time they are threads like others.
#ifndef DISTBENCH_TESTING_MODEL_DRAW_FORMS_H_
#define DISTBENCH_TESTING_MODEL_DRAW_FORMS_H_

#include "distbench/testing/model/dice.h"
#include "protos/traffic_config.pb.h"

namespace distbench::model {

// Takes away what the form of an RPC excludes. The result compiles if the config did, and its
// requests do not wait in a circle.
void DrawRpcForms(Dice& dice, DistributedSystemDescription& config);

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_DRAW_FORMS_H_
