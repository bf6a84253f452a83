// IncomingRequest: a request between its arrival on a driver's thread and the start of its list on
// a shard, or its wait in a queue for that. Lives in the scratch room of its own server call, so it
// costs no allocation.
#ifndef DISTBENCH_ENGINE_INCOMING_REQUEST_H_
#define DISTBENCH_ENGINE_INCOMING_REQUEST_H_

#include <new>
#include <utility>

#include "distbench/base/serial_executor.h"
#include "distbench/driver/server_call.h"
#include "distbench/engine/engine_shard.h"
#include "distbench/engine/list_run.h"
#include "distbench/engine/request_queue.h"

namespace distbench {

class IncomingRequest final : public SerialExecutor::Task {
 public:
  struct Destination {
    EngineShard* shard = nullptr;
    ListIndex list;
    RequestQueue* queue = nullptr;  // null: the run starts at once
  };
  // Hands the request to the shard, which makes a run of the list for it.
  static void Post(const Destination& destination, ListRun::Request request) {
    void* room = request.responder.scratch();
    destination.shard->executor().Post(new (room) IncomingRequest(destination, std::move(request)));
  }

  void Run() override {
    const Destination destination = destination_;
    // Moved out before the run may answer, since the answer gives the room back to the driver.
    ListRun::Request request = std::move(request_);
    this->~IncomingRequest();
    ListRun* run = destination.shard->TakeRun(destination.list);
    run->Receive(std::move(request));
    if (destination.queue != nullptr) [[unlikely]] {
      return destination.queue->Add(run);
    }
    run->StartReceived();
  }

 private:
  IncomingRequest(const Destination& destination, ListRun::Request request)
      : destination_(destination), request_(std::move(request)) {}
  ~IncomingRequest() = default;

  const Destination destination_;
  ListRun::Request request_;
};

static_assert(sizeof(IncomingRequest) <= ServerCall::kScratchBytes);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_INCOMING_REQUEST_H_
