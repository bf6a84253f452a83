// PostFunction: has a shard run a function as one of its tasks. Allocates: for what happens once in
// a test, not once an RPC.
#ifndef DISTBENCH_ENGINE_POSTED_FUNCTION_H_
#define DISTBENCH_ENGINE_POSTED_FUNCTION_H_

#include <functional>
#include <utility>

#include "distbench/base/serial_executor.h"
#include "distbench/engine/engine_shard.h"

namespace distbench {

// Runs once and goes away.
class PostedFunction final : public SerialExecutor::Task {
 public:
  explicit PostedFunction(std::function<void()> function) : function_(std::move(function)) {}
  void Run() override {
    std::function<void()> function = std::move(function_);
    delete this;
    function();
  }

 private:
  ~PostedFunction() = default;
  std::function<void()> function_;
};

// Thread-safe.
inline void PostFunction(EngineShard* shard, std::function<void()> function) {
  shard->executor().Post(new PostedFunction(std::move(function)));
}

// The same, for a shard's own task: until the function has run, something is expected of it.
inline void PostExpected(EngineShard* shard, std::function<void()> function) {
  shard->BeginOutside();
  PostFunction(shard, [shard, function = std::move(function)] {
    shard->EndOutside();
    function();
  });
}

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_POSTED_FUNCTION_H_
