// SerialExecutor: runs tasks one at a time, in the order of their posting, on whichever thread
// happens to post.
//
// State that belongs to an executor needs no lock: only one task runs at any moment, and each task
// sees everything that earlier ones wrote. There is no queue to wake up and no thread to hop to in
// the usual case: a thread that posts to an idle executor becomes its runner and runs the task
// right there; a thread that posts while another one is the runner leaves the task behind and goes
// on. A task posted from within a task runs after it, so that a call chain never nests.
//
//        Post, idle                       Post, running
//   Idle ----------> Running (empty) ---------------------> Running (tasks waiting)
//    ^                  |   ^                                      |
//    '------------------'   '--------------------------------------'
//       nothing waiting              the runner takes all that wait
//
// A runner that has drained `budget` tasks gives the role to `hand_over`, so that a thread that
// came by to deliver one completion is not kept forever by everybody else's.
//
// MemberTask makes a task of a member function.
//
// The whole state is one atomic word: idle, running, or the head of a list of waiting tasks.
#ifndef DISTBENCH_BASE_SERIAL_EXECUTOR_H_
#define DISTBENCH_BASE_SERIAL_EXECUTOR_H_

#include <atomic>

namespace distbench {

class SerialExecutor {
 public:
  // A piece of work, embedded in the object that it concerns. A task that has been posted must not
  // be posted again, nor destroyed, until it starts to run.
  class Task {
   public:
    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    virtual void Run() = 0;

   protected:
    ~Task() = default;

   private:
    friend class SerialExecutor;
    Task* next_ = nullptr;
  };

  // Takes over the role of the runner: some other thread shall call ResumeRunning() soon.
  class Relief {
   public:
    virtual void TakeOver(SerialExecutor* executor) = 0;

   protected:
    ~Relief() = default;
  };

  // Without `relief` a runner stays until nothing is left.
  explicit SerialExecutor(Relief* relief = nullptr, int budget = 64)
      : relief_(relief), budget_(budget) {}
  SerialExecutor(const SerialExecutor&) = delete;
  SerialExecutor& operator=(const SerialExecutor&) = delete;

  // Waits for a runner on another thread to step back.
  // Requires: nothing is posted any more, and not called from a task.
  ~SerialExecutor();

  // Runs `task` before returning if the executor is idle; leaves it to the runner otherwise.
  // Thread-safe.
  void Post(Task* task);

  // Leaves `task` to the relief's thread even if the executor is idle: for work that must not run
  // on the caller's thread (a long loop, a caller that holds something). Without a relief the same
  // as Post(). Thread-safe.
  void PostToRelief(Task* task);

  // In a task: true if Post() called it directly, so that no time has passed since then.
  bool runs_poster() const { return runs_poster_; }

  // Continues as the runner until nothing is left, or, after another budget of tasks, gives the
  // role to the relief again, so that one busy executor does not keep the relief's thread from
  // others. Called by the relief, once per TakeOver().
  void ResumeRunning();

 private:
  // Word values that are no address of a task.
  static Task* Idle() { return nullptr; }
  Task* Running() { return &running_marker_; }

  // Pushes the task; returns true if the caller thereby became the runner (nothing was pushed).
  bool BecomeRunnerOrPush(Task* task);
  void Drain(int budget);

  class Marker final : public Task {
    void Run() override {}
  };

  Relief* const relief_;
  const int budget_;
  Marker running_marker_;
  std::atomic<Task*> word_{nullptr};
  // The runner's.
  Task* backlog_ = nullptr;  // taken from the word, oldest first
  bool runs_poster_ = false;
};

// A task that calls a member function of the object it is embedded in.
template <typename T, void (T::*kMethod)()>
class MemberTask final : public SerialExecutor::Task {
 public:
  explicit MemberTask(T* object) : object_(object) {}
  void Run() override { (object_->*kMethod)(); }

 private:
  T* const object_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_SERIAL_EXECUTOR_H_
