// The conformance suite: the promises of driver/*.h as tests, run against any driver.
//
//   INSTANTIATE_TEST_SUITE_P(Fake, DriverConformanceTest, testing::Values(ConformanceSubjectMaker{
//       .name = "fake", .make = [] { return std::make_unique<FakeSubject>(); }}));
//
// It completes calls inside OnRequest, later, on another thread and never; it cancels, lets
// deadlines pass, drops responders, stops either side at bad moments, and looks at every byte. Run
// it under ASAN and TSAN too: many of its tests say nothing but "and nothing breaks".
#ifndef DISTBENCH_DRIVER_CONFORMANCE_DRIVER_CONFORMANCE_H_
#define DISTBENCH_DRIVER_CONFORMANCE_DRIVER_CONFORMANCE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "distbench/driver/conformance/conformance_subject.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/protocol_driver.h"
#include "gtest/gtest.h"

namespace distbench {

class DriverConformanceTest : public testing::TestWithParam<ConformanceSubjectMaker> {
 protected:
  static constexpr InstanceIndex kServer{1};

  DriverConformanceTest() : subject_(GetParam().make()) {}

  std::unique_ptr<ProtocolDriver> NewDriver();

  // A driver whose server is up.
  std::unique_ptr<ProtocolDriver> NewServer(RequestHandler* handler);

  // Waits for the connection's end, good or bad.
  absl::Status Connect(ProtocolDriver& client, const std::string& responder_info,
                       absl::Time deadline, InstanceIndex peer = kServer);
  void ConnectTo(ProtocolDriver& client, ProtocolDriver& server, InstanceIndex peer = kServer);

  int64_t NowNs() const;

  const std::unique_ptr<ConformanceSubject> subject_;
};

// The usual scene: one client connected to one server. Stops both in the end.
class ConnectedPair {
 public:
  ConnectedPair(std::unique_ptr<ProtocolDriver> client_driver,
                std::unique_ptr<ProtocolDriver> server_driver)
      : client(std::move(client_driver)), server(std::move(server_driver)) {}
  ~ConnectedPair() {
    EXPECT_EQ(client->Stop(Soon()), 0);
    EXPECT_EQ(server->Stop(Soon()), 0);
  }

  const std::unique_ptr<ProtocolDriver> client;
  const std::unique_ptr<ProtocolDriver> server;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_CONFORMANCE_DRIVER_CONFORMANCE_H_
