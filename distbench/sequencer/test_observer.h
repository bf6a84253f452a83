// OnTestProgress: somebody who wants to know how a test goes on while it runs. Called on the
// runner's thread; must not block.
#ifndef DISTBENCH_SEQUENCER_TEST_OBSERVER_H_
#define DISTBENCH_SEQUENCER_TEST_OBSERVER_H_

#include <functional>

namespace distbench {

class TestProgress;

using OnTestProgress = std::function<void(const TestProgress& progress)>;

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_TEST_OBSERVER_H_
