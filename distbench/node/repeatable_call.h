// RepeatableCall: lets a control call that arrives twice take effect once.
//
// A caller that lost the answer asks again with the same request id. The repeat gets the answer of
// the first call, or waits for it together with the first. Only the latest request of each kind is
// remembered; calls without an id are never the same.
//
// Not thread-safe, but for the ticket's Finish(), which may come from the thread that has the
// answer if the owner sees to it that no Begin() runs meanwhile.
#ifndef DISTBENCH_NODE_REPEATABLE_CALL_H_
#define DISTBENCH_NODE_REPEATABLE_CALL_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace distbench {

template <typename Response>
class RepeatableCall {
 public:
  using Answer = absl::StatusOr<Response>;
  using Done = std::function<void(Answer)>;

  // One call that takes effect, and all who wait for its answer.
  class Ticket {
   public:
    void Finish(Answer answer) {
      answer_ = std::move(answer);
      for (Done& waiter : std::exchange(waiters_, {})) waiter(*answer_);
    }

   private:
    friend class RepeatableCall;
    std::string request_id_;
    std::vector<Done> waiters_;
    std::optional<Answer> answer_;
  };

  // The ticket of a new call, whose Finish() the caller owes; null for a repeat.
  std::shared_ptr<Ticket> Begin(const std::string& request_id, Done done) {
    if (latest_ != nullptr && !request_id.empty() && latest_->request_id_ == request_id) {
      if (latest_->answer_) {
        done(*latest_->answer_);
      } else {
        latest_->waiters_.push_back(std::move(done));
      }
      return nullptr;
    }
    latest_ = std::make_shared<Ticket>();
    latest_->request_id_ = request_id;
    latest_->waiters_.push_back(std::move(done));
    return latest_;
  }

 private:
  std::shared_ptr<Ticket> latest_;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_REPEATABLE_CALL_H_
