// JobQueue: whoever runs jobs on threads of its own, in the order of their coming.
#ifndef DISTBENCH_ENGINE_JOB_QUEUE_H_
#define DISTBENCH_ENGINE_JOB_QUEUE_H_

#include "absl/status/status.h"

namespace distbench {

class JobQueue {
 public:
  // Embedded in the object that it concerns. Once it was posted it stays where it is until it runs;
  // then it is its own and may be posted again, or go away.
  class Job {
   public:
    virtual void RunOnWorker() = 0;

   protected:
    ~Job() = default;
  };

  // RESOURCE_EXHAUSTED if it takes a thread more than there may be; the job is not taken then.
  // Thread-safe.
  virtual absl::Status Post(Job* job) = 0;

 protected:
  ~JobQueue() = default;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_JOB_QUEUE_H_
