// IncomingRequest: a request between its arrival on a driver's thread and the start of its list on
// a shard. Lives in the scratch room of its own server call, so it costs no allocation.
#ifndef DISTBENCH_ENGINE_INCOMING_REQUEST_H_
#define DISTBENCH_ENGINE_INCOMING_REQUEST_H_

#include <new>
#include <utility>

#include "distbench/base/serial_executor.h"
#include "distbench/driver/server_call.h"
#include "distbench/engine/engine_shard.h"
#include "distbench/engine/list_run.h"

namespace distbench {

class IncomingRequest final : public SerialExecutor::Task {
 public:
  // Hands the request to `shard`, which starts a run of `list` for it.
  static void Post(EngineShard* shard, ListIndex list, ListRun::Request request) {
    void* room = request.responder.scratch();
    shard->executor().Post(new (room) IncomingRequest(shard, list, std::move(request)));
  }

  void Run() override {
    EngineShard* shard = shard_;
    const ListIndex list = list_;
    // Moved out before the run may answer, since the answer gives the room back to the driver.
    ListRun::Request request = std::move(request_);
    this->~IncomingRequest();
    shard->TakeRun(list)->StartForRequest(std::move(request));
  }

 private:
  IncomingRequest(EngineShard* shard, ListIndex list, ListRun::Request request)
      : shard_(shard), list_(list), request_(std::move(request)) {}
  ~IncomingRequest() = default;

  EngineShard* const shard_;
  const ListIndex list_;
  ListRun::Request request_;
};

static_assert(sizeof(IncomingRequest) <= ServerCall::kScratchBytes);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_INCOMING_REQUEST_H_
