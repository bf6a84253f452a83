#include "distbench/driver/fake/fake_call.h"

#include <utility>

#include "distbench/payload/message.h"

namespace distbench {
namespace {

// The pieces that the other end receives. They refer to the head.
std::vector<absl::string_view> Fragments(const OutgoingMessage& message) {
  std::vector<absl::string_view> fragments = {message.head};
  ForEachPayloadPiece(message, [&](absl::string_view piece) { fragments.push_back(piece); });
  return fragments;
}

}  // namespace

void OpenFakeCalls::Add(std::shared_ptr<FakeCall> call) {
  absl::MutexLock lock(&mutex_);
  FakeCall* key = call.get();
  calls_.emplace(key, std::move(call));
}

void OpenFakeCalls::Remove(FakeCall* call) {
  std::shared_ptr<FakeCall> last_reference;  // dropped without the lock
  absl::MutexLock lock(&mutex_);
  auto it = calls_.find(call);
  if (it == calls_.end()) return;
  last_reference = std::move(it->second);
  calls_.erase(it);
}

void OpenFakeCalls::EndAll(const absl::Status& status) {
  std::vector<std::shared_ptr<FakeCall>> calls;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [key, call] : calls_) calls.push_back(call);
  }
  for (const auto& call : calls) call->End(status);
}

FakeCall::FakeCall(ClientCall* client, std::shared_ptr<OpenFakeCalls> calls, TimerService* timers)
    : client_calls_(std::move(calls)),
      timers_(timers),
      shard_(client->shard),
      deadline_ns_(client->deadline_ns),
      request_head_(client->request.head),
      request_payload_size_(client->request.payload_size),
      request_payload_offset_(client->request.payload_offset),
      client_(client) {
  is_one_way_ = client->one_way;
}

void FakeCall::Begin() {
  client_calls_->Add(shared_from_this());
  if (deadline_ns_ == ClientCall::kNoDeadline) return;
  Arm(&deadline_, deadline_ns_,
      [this] { EndForClient(absl::DeadlineExceededError("no answer before the deadline")); });
}

bool FakeCall::ended() const {
  absl::MutexLock lock(&mutex_);
  return has_ended_;
}

void FakeCall::DeliverAt(int64_t time_ns, std::function<void()> deliver) {
  Arm(&delivery_, time_ns, std::move(deliver));
}

void FakeCall::Arm(Alarm* alarm, int64_t time_ns, std::function<void()> action) {
  absl::MutexLock lock(&mutex_);
  if (has_ended_) return;
  alarm->call = shared_from_this();
  alarm->action = std::move(action);
  timers_->Arm(alarm, time_ns);
}

void FakeCall::Disarm(Alarm* alarm) {
  // An alarm that is going off drops its own reference.
  if (alarm->call != nullptr && timers_->Disarm(alarm)) alarm->call.reset();
}

void FakeCall::Alarm::OnTimer() {
  std::shared_ptr<FakeCall> kept;
  {
    absl::MutexLock lock(&call->mutex_);
    kept = std::move(call);
  }
  action();
}

void FakeCall::End(const absl::Status& status) { End(status, ReceivedMessage{}); }

void FakeCall::EndForClient(const absl::Status& status) {
  {
    absl::MutexLock lock(&mutex_);
    if (client_ == nullptr) return;
    is_wanted_ = false;
  }
  End(status);
}

bool FakeCall::HandOver(std::function<void()> gone) {
  ClientCall* client = nullptr;
  {
    absl::MutexLock lock(&mutex_);
    if (has_ended_ || !is_wanted_) return false;
    client = std::exchange(client_, nullptr);
    gone_ = std::move(gone);
    Disarm(&deadline_);
  }
  CallGate& gate = client_calls_->gate();
  if (!gate.BeginCallback(OpenFakeCalls::kShard)) return true;
  client->OnCallDone(absl::OkStatus(), ReceivedMessage{});
  gate.EndCallback(OpenFakeCalls::kShard);
  return true;
}

void FakeCall::End(const absl::Status& status, const ReceivedMessage& response) {
  ClientCall* client = nullptr;
  std::function<void()> gone;
  {
    absl::MutexLock lock(&mutex_);
    if (std::exchange(has_ended_, true)) return;
    client = std::exchange(client_, nullptr);
    gone = std::exchange(gone_, nullptr);
    Disarm(&deadline_);
    Disarm(&delivery_);
  }
  client_calls_->Remove(this);
  CallGate& gate = client_calls_->gate();
  if (gate.BeginCallback(OpenFakeCalls::kShard)) {
    if (client != nullptr) client->OnCallDone(status, response);
    if (gone != nullptr) gone();
    gate.EndCallbackAndLeave(OpenFakeCalls::kShard);
  } else {
    gate.Leave(OpenFakeCalls::kShard);
  }
}

void FakeCall::Deliver(std::shared_ptr<OpenFakeCalls> calls, RequestHandler* handler,
                       int64_t now_ns) {
  const std::shared_ptr<FakeCall> kept = shared_from_this();
  CallGate& gate = calls->gate();
  owed_ = kept;
  server_calls_ = calls;
  calls->Add(kept);
  const OutgoingMessage request = {.head = request_head_,
                                   .payload_size = request_payload_size_,
                                   .payload_offset = request_payload_offset_};
  const std::vector<absl::string_view> fragments = Fragments(request);
  handler->OnRequest(shard_, {.fragments = fragments, .size = request.size(), .arrival_ns = now_ns},
                     Responder(this));
  gate.EndCallback(OpenFakeCalls::kShard);
}

void FakeCall::Respond(const OutgoingMessage& response) {
  const std::vector<absl::string_view> fragments = Fragments(response);
  End(absl::OkStatus(), {.fragments = fragments, .size = response.size()});
  LeaveServer();
}

void FakeCall::RespondError(const absl::Status& status) {
  End(status);
  LeaveServer();
}

void FakeCall::LeaveServer() {
  const std::shared_ptr<FakeCall> last_reference = std::move(owed_);
  const std::shared_ptr<OpenFakeCalls> calls = std::move(server_calls_);
  calls->Remove(this);
  calls->gate().Leave(OpenFakeCalls::kShard);
}

}  // namespace distbench
