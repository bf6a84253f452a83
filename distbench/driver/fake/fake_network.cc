#include "distbench/driver/fake/fake_network.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

void Deliver(const std::shared_ptr<FakeServer>& server, const std::shared_ptr<FakeCall>& call) {
  if (call->ended()) return;
  if (server->calls->gate().EnterInCallback(OpenFakeCalls::kShard)) {
    call->Deliver(server->calls, server->handler, server->clock->MonotonicNs());
  } else {
    call->End(absl::UnavailableError("the server has stopped"));
  }
}

}  // namespace

void FakeNetwork::SetTransit(FakeTransit transit) {
  absl::MutexLock lock(&mutex_);
  transit_ = transit;
}

void FakeNetwork::FailCalls(absl::Status error) {
  absl::MutexLock lock(&mutex_);
  error_ = std::move(error);
}

size_t FakeNetwork::DeliverHeld() {
  std::vector<HeldRequest> held;
  {
    absl::MutexLock lock(&mutex_);
    held.swap(held_);
  }
  for (const HeldRequest& request : held) Deliver(request.server, request.call);
  return held.size();
}

std::string FakeNetwork::Listen(std::shared_ptr<FakeServer> server) {
  absl::MutexLock lock(&mutex_);
  std::string address = absl::StrCat("fake:", next_server_++);
  servers_[address] = std::move(server);
  return address;
}

void FakeNetwork::StopListening(const std::string& address) {
  absl::MutexLock lock(&mutex_);
  servers_.erase(address);
}

bool FakeNetwork::HasServer(const std::string& address) const {
  absl::MutexLock lock(&mutex_);
  return servers_.find(address) != servers_.end();
}

void FakeNetwork::Send(const std::string& address, int64_t now_ns, std::shared_ptr<FakeCall> call) {
  absl::Status error;
  FakeTransit transit;
  std::shared_ptr<FakeServer> server;
  {
    absl::MutexLock lock(&mutex_);
    error = error_;
    transit = transit_;
    const auto it = servers_.find(address);
    if (it != servers_.end()) server = it->second;
    if (error.ok() && server == nullptr) {
      error = absl::UnavailableError(absl::StrCat("nobody listens at ", address));
    }
    if (error.ok() && transit.mode == FakeTransit::Mode::kHeld) {
      held_.push_back({.server = server, .call = call});
    }
  }
  if (!error.ok()) {
    call->End(error);
  } else if (transit.mode == FakeTransit::Mode::kAtOnce) {
    Deliver(server, call);
  } else if (transit.mode == FakeTransit::Mode::kDelayed) {
    FakeCall* alive_until_then = call.get();
    call->DeliverAt(now_ns + transit.delay_ns, [server, alive_until_then] {
      Deliver(server, alive_until_then->shared_from_this());
    });
  }
}

}  // namespace distbench
