#include "distbench/node/peer_introduction.h"

#include <utility>

#include "distbench/node/engine_host.h"

namespace distbench {

std::shared_ptr<PeerIntroduction> PeerIntroduction::Start(PeerIntroductionOptions options) {
  std::shared_ptr<PeerIntroduction> introduction(new PeerIntroduction(std::move(options)));
  if (introduction->options_.connections.empty()) {
    introduction->End(absl::OkStatus());
  } else {
    introduction->BeginMore();
  }
  return introduction;
}

PeerIntroduction::PeerIntroduction(PeerIntroductionOptions options)
    : options_(std::move(options)) {}

void PeerIntroduction::End(const absl::Status& outcome) {
  {
    absl::MutexLock lock(&mutex_);
    if (std::exchange(ended_, true)) return;
  }
  options_.done(outcome);
}

const PeerIntroductionOptions::Connection* PeerIntroduction::TakeNext() {
  absl::MutexLock lock(&mutex_);
  if (ended_ || begun_ == options_.connections.size()) return nullptr;
  if (begun_ - finished_ >= options_.max_in_flight) return nullptr;
  return &options_.connections[begun_++];
}

void PeerIntroduction::BeginMore() {
  while (const PeerIntroductionOptions::Connection* next = TakeNext()) {
    auto done = [self = shared_from_this()](const absl::Status& status) {
      self->OnConnected(status);
    };
    if (next->channel) {
      next->host->ConnectChannel(*next->channel, next->peers, options_.deadline, std::move(done));
    } else {
      next->host->ConnectTo(next->peers.front(), options_.deadline, std::move(done));
    }
  }
}

void PeerIntroduction::OnConnected(const absl::Status& status) {
  if (!status.ok()) return End(status);
  bool all_done;
  {
    absl::MutexLock lock(&mutex_);
    all_done = ++finished_ == options_.connections.size();
  }
  if (all_done) return End(absl::OkStatus());
  BeginMore();
}

}  // namespace distbench
