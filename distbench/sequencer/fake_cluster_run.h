// Runs one test on a fake cluster, from its config as it was given to its result.
#ifndef DISTBENCH_SEQUENCER_FAKE_CLUSTER_RUN_H_
#define DISTBENCH_SEQUENCER_FAKE_CLUSTER_RUN_H_

#include "distbench/sequencer/fake_cluster.h"
#include "distbench/sequencer/stop_signal.h"
#include "distbench/sequencer/test_observer.h"
#include "protos/distbench.pb.h"

namespace distbench {

// The first test of `sequence`, which fails the calling test if it does not compile.
TestResult RunOn(FakeCluster& cluster, const TestSequence& sequence, const StopSignal& stop,
                 OnTestProgress observer = nullptr);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_FAKE_CLUSTER_RUN_H_
