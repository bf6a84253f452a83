#include "benchmarks/held_driver.h"

#include "absl/strings/string_view.h"
#include "distbench/payload/generic_message.h"
#include "glog/logging.h"

namespace distbench {

// A request that somebody else's client would wait for.
class HeldDriver::Request final : public ServerCall {
 public:
  void SetDriver(HeldDriver* driver) { driver_ = driver; }
  void Respond(const OutgoingMessage& response) override { CountAnswer(); }
  void RespondError(const absl::Status& status) override { CountAnswer(); }

 private:
  void CountAnswer() {
    absl::MutexLock lock(&driver_->mutex_);
    ++driver_->answered_;
  }

  HeldDriver* driver_ = nullptr;
};

HeldDriver::HeldDriver(size_t capacity) : requests_(std::make_unique<Request[]>(capacity)) {
  for (size_t i = 0; i < capacity; ++i) requests_[i].SetDriver(this);
  absl::MutexLock lock(&mutex_);
  calls_.reserve(capacity);
}

HeldDriver::~HeldDriver() = default;

void HeldDriver::InjectRequests(size_t count, size_t shards) {
  HeadBuffer buffer;
  const OutgoingMessage message = buffer.EncodeRequest({.rpc_index = 0}, 16);
  const absl::string_view fragments[] = {
      message.head, PayloadPattern().substr(0, static_cast<size_t>(message.payload_size))};
  const ReceivedMessage request = {.fragments = fragments, .size = message.size()};
  for (size_t i = 0; i < count; ++i, ++injected_) {
    handler_->OnRequest(ShardIndex(i % shards), request, Responder(&requests_[injected_]));
  }
}

size_t HeldDriver::held_calls() const {
  absl::MutexLock lock(&mutex_);
  return calls_.size();
}

size_t HeldDriver::answered_requests() const {
  absl::MutexLock lock(&mutex_);
  return answered_;
}

absl::Status HeldDriver::StartServer(RequestHandler* handler) {
  handler_ = handler;
  return absl::OkStatus();
}

absl::StatusOr<std::string> HeldDriver::AcceptConnection(absl::string_view initiator_info) {
  return std::string();
}

void HeldDriver::Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
                         std::function<void(absl::Status)> done) {
  done(absl::OkStatus());
}

void HeldDriver::StartCall(ClientCall* call) {
  absl::MutexLock lock(&mutex_);
  CHECK_LT(calls_.size(), calls_.capacity());
  calls_.push_back(call);
}

int64_t HeldDriver::Stop(absl::Time deadline) {
  std::vector<ClientCall*> calls;
  {
    absl::MutexLock lock(&mutex_);
    calls.swap(calls_);
  }
  for (ClientCall* call : calls) {
    call->OnCallDone(absl::CancelledError("the driver has stopped"), ReceivedMessage{});
  }
  return 0;
}

}  // namespace distbench
