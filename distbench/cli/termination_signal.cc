#include "distbench/cli/termination_signal.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "glog/logging.h"

namespace distbench {

namespace {

sigset_t Signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

void SetBlocked(bool blocked) {
  const sigset_t signals = Signals();
  CHECK_EQ(pthread_sigmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &signals, nullptr), 0);
}

// What `signal` did before.
struct sigaction SetAction(int signal, const struct sigaction& action) {
  struct sigaction former {};
  PCHECK(sigaction(signal, &action, &former) == 0);
  return former;
}

}  // namespace

TerminationSignal::TerminationSignal() {
  SetBlocked(true);
  // Ignored ones would not end the process once they are let through.
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  former_interrupt_ = SetAction(SIGINT, by_default);
  former_terminate_ = SetAction(SIGTERM, by_default);
  const sigset_t signals = Signals();
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC);
  quit_ = eventfd(0, EFD_CLOEXEC);
  PCHECK(signals_ >= 0 && quit_ >= 0);
  thread_ = std::thread([this] { RunThread(); });
}

TerminationSignal::~TerminationSignal() {
  const uint64_t one = 1;
  PCHECK(write(quit_, &one, sizeof(one)) == sizeof(one));
  thread_.join();
  close(quit_);
  close(signals_);
  SetAction(SIGINT, former_interrupt_);
  SetAction(SIGTERM, former_terminate_);
  SetBlocked(false);
}

void TerminationSignal::OnSignal(std::function<void()> first, std::function<void()> second) {
  absl::MutexLock lock(&action_mutex_);
  first_ = std::move(first);
  second_ = std::move(second);
  if (requested() && first_ != nullptr) first_();
}

bool TerminationSignal::requested() const {
  absl::MutexLock lock(&mutex_);
  return requested_;
}

std::optional<int> TerminationSignal::NextSignal() {
  pollfd sources[] = {{signals_, POLLIN, 0}, {quit_, POLLIN, 0}};
  while (poll(sources, 2, -1) < 0) {
  }
  if ((sources[0].revents & POLLIN) == 0) return std::nullopt;
  signalfd_siginfo info;
  PCHECK(read(signals_, &info, sizeof(info)) == sizeof(info));
  return static_cast<int>(info.ssi_signo);
}

void TerminationSignal::AwaitQuit() {
  pollfd quit = {quit_, POLLIN, 0};
  while (poll(&quit, 1, -1) < 0) {
  }
}

void TerminationSignal::RunThread() {
  if (!NextSignal().has_value()) return;
  if (ActOnFirst()) {
    const std::optional<int> signal = NextSignal();
    if (!signal.has_value()) return;
    ActOnSecond(*signal);
  }
  // The next one finds this thread open to it and does what it does by default.
  AwaitQuit();
}

bool TerminationSignal::ActOnFirst() {
  absl::MutexLock action_lock(&action_mutex_);
  if (second_ == nullptr) SetBlocked(false);
  {
    absl::MutexLock lock(&mutex_);
    requested_ = true;
  }
  if (first_ != nullptr) first_();
  return second_ != nullptr;
}

void TerminationSignal::ActOnSecond(int signal) {
  SetBlocked(false);
  absl::MutexLock action_lock(&action_mutex_);
  if (second_ != nullptr) {
    second_();
  } else {
    // Forgotten meanwhile: as if there had been none.
    raise(signal);
  }
}

}  // namespace distbench
