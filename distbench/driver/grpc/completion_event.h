// CompletionEvent: what a completion queue's tag points to.
//
// An operation is started with tag(); when it completes, the thread that polls the queue calls
// OnEvent(). gRPC orders the two; the sanitizer, which does not see into the system's library, is
// told so here.
#ifndef DISTBENCH_DRIVER_GRPC_COMPLETION_EVENT_H_
#define DISTBENCH_DRIVER_GRPC_COMPLETION_EVENT_H_

#if defined(DISTBENCH_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace distbench {

class CompletionEvent {
 public:
  CompletionEvent() = default;
  CompletionEvent(const CompletionEvent&) = delete;
  CompletionEvent& operator=(const CompletionEvent&) = delete;

  // The operation is over, with or without success. Must be short and must not block.
  virtual void OnEvent(bool ok) = 0;

  // To be called right before the operation is started; whatever was written until then is seen
  // by OnEvent().
  void* tag() {
#if defined(DISTBENCH_TSAN)
    __tsan_release(this);
#endif
    return this;
  }

  static void Dispatch(void* tag, bool ok) {
    auto* event = static_cast<CompletionEvent*>(tag);
#if defined(DISTBENCH_TSAN)
    __tsan_acquire(event);
#endif
    event->OnEvent(ok);
  }

 protected:
  ~CompletionEvent() = default;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_COMPLETION_EVENT_H_
