// FakeSubject: fake drivers on real time, for the conformance suite. The requests travel as asked.
#ifndef DISTBENCH_DRIVER_FAKE_FAKE_SUBJECT_H_
#define DISTBENCH_DRIVER_FAKE_FAKE_SUBJECT_H_

#include <string>

#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/driver/conformance/conformance_subject.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/driver/fake/fake_network.h"

namespace distbench {

class FakeSubject final : public ConformanceSubject {
 public:
  explicit FakeSubject(FakeTransit transit) { network_.SetTransit(transit); }

  DriverFactory& factory() override { return factory_; }
  DriverEnvironment environment() const override {
    return {.clock = &clock_, .timers = &timers_, .peer_count = 3, .channel_count = 2};
  }
  size_t shard_count() const override { return 2; }
  std::string dead_responder_info() const override { return "fake:99"; }
  std::string dead_address() const override { return "fake:99"; }

 private:
  const SystemClock clock_;
  mutable ThreadTimerService timers_{clock_};
  FakeNetwork network_;
  FakeDriverFactory factory_{&network_};
};

ConformanceSubjectMaker FakeSubjectMaker(std::string name, FakeTransit transit);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_FAKE_FAKE_SUBJECT_H_
