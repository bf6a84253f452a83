#include "distbench/driver/conformance/driver_conformance.h"

#include <utility>

#include "absl/synchronization/notification.h"
#include "distbench/base/clock.h"

namespace distbench {

std::unique_ptr<ProtocolDriver> DriverConformanceTest::NewDriver() {
  auto driver = subject_->factory().Create(subject_->options(), subject_->environment());
  EXPECT_TRUE(driver.ok()) << driver.status();
  return std::move(driver).value();
}

std::unique_ptr<ProtocolDriver> DriverConformanceTest::NewServer(RequestHandler* handler) {
  auto driver = NewDriver();
  const absl::Status started = driver->StartServer(handler);
  EXPECT_TRUE(started.ok()) << started;
  return driver;
}

absl::Status DriverConformanceTest::Connect(ProtocolDriver& client,
                                            const std::string& responder_info, absl::Time deadline,
                                            InstanceIndex peer) {
  absl::Notification connected;
  absl::Status result;
  client.Connect(peer, responder_info, deadline, [&](absl::Status status) {
    result = std::move(status);
    connected.Notify();
  });
  connected.WaitForNotification();
  return result;
}

void DriverConformanceTest::ConnectTo(ProtocolDriver& client, ProtocolDriver& server,
                                      InstanceIndex peer) {
  const auto responder_info = server.AcceptConnection(client.InitiatorInfo());
  ASSERT_TRUE(responder_info.ok()) << responder_info.status();
  const absl::Status connected = Connect(client, *responder_info, Soon(), peer);
  ASSERT_TRUE(connected.ok()) << connected;
}

int64_t DriverConformanceTest::NowNs() const {
  return subject_->environment().clock->MonotonicNs();
}

}  // namespace distbench
