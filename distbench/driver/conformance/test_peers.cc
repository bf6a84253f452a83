#include "distbench/driver/conformance/test_peers.h"

#include <utility>

#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace distbench {

absl::Time Soon() { return absl::Now() + absl::Seconds(30); }

std::string Flatten(const ReceivedMessage& message) {
  std::string bytes;
  for (const absl::string_view fragment : message.fragments) {
    bytes.append(fragment.data(), fragment.size());
  }
  EXPECT_EQ(static_cast<int64_t>(bytes.size()), message.size);
  return bytes;
}

std::string Flatten(const OutgoingMessage& message) {
  std::string bytes(message.head);
  ForEachPayloadPiece(message,
                      [&](absl::string_view piece) { bytes.append(piece.data(), piece.size()); });
  return bytes;
}

void TestCall::Start() {
  if (needs_release_) driver_.ReleaseCall(this);
  needs_release_ = true;
  {
    absl::MutexLock lock(&mutex_);
    done_ = false;
  }
  driver_.StartCall(this);
}

absl::Status TestCall::Wait() const {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&done_));
  return status_;
}

bool TestCall::done() const {
  absl::MutexLock lock(&mutex_);
  return done_;
}

absl::Status TestCall::status() const {
  absl::MutexLock lock(&mutex_);
  return status_;
}

std::string TestCall::response() const {
  absl::MutexLock lock(&mutex_);
  return response_;
}

void TestCall::OnCallDone(const absl::Status& status, const ReceivedMessage& response) {
  absl::MutexLock lock(&mutex_);
  EXPECT_FALSE(done_) << "a second end of one call: " << status;
  status_ = status;
  response_ = Flatten(response);
  done_ = true;
}

Responder TestServer::Take() {
  const auto has_kept = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !kept_.empty(); };
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&has_kept));
  Responder responder = std::move(kept_.back());
  kept_.pop_back();
  return responder;
}

size_t TestServer::kept() const {
  absl::MutexLock lock(&mutex_);
  return kept_.size();
}

void TestServer::OnRequest(ShardIndex, const ReceivedMessage& request, Responder responder) {
  if (answer_) {
    answer_(request, std::move(responder));
    return;
  }
  {
    absl::MutexLock lock(&mutex_);
    if (!answers_all_) return kept_.push_back(std::move(responder));
  }
  responder.Respond({});
}

void TestServer::AnswerAll() {
  std::vector<Responder> kept;
  {
    absl::MutexLock lock(&mutex_);
    answers_all_ = true;
    kept = std::move(kept_);
    kept_.clear();
  }
  for (Responder& responder : kept) responder.Respond({});
}

void Echo(const ReceivedMessage& request, Responder responder) {
  const std::string bytes = Flatten(request);
  responder.Respond({.head = bytes});
}

}  // namespace distbench
