#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/driver/fake/fake_network.h"
#include "distbench/net/grpc_listener.h"
#include "distbench/node/connection_setup_client.h"
#include "distbench/node/connection_setup_service.h"
#include "distbench/node/driver_hello.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Never asked for anything: the driver under test only tells its address.
class NoRequests final : public RequestHandler {
  void OnRequest(ShardIndex, const ReceivedMessage&, Responder) override {}
};

class ConnectionSetupTest : public ::testing::Test {
 protected:
  ConnectionSetupTest()
      : driver_(&network_, {.clock = &clock_, .timers = &timers_, .peer_count = 2}),
        service_(&driver_, MakeDriverHello("fake", "server/0", driver_.capabilities())) {
    EXPECT_TRUE(driver_.StartServer(&handler_).ok());
    auto listener = GrpcListener::Start({.bind_ip = "127.0.0.1", .service = &service_});
    EXPECT_TRUE(listener.ok()) << listener.status();
    listener_ = std::move(*listener);
    address_ = absl::StrCat("127.0.0.1:", listener_->port());
  }
  ~ConnectionSetupTest() override {
    client_.Close();
    listener_.reset();
    driver_.Stop(absl::Now());
  }

  absl::StatusOr<ConnectResponse> Ask(const std::string& address, const ConnectRequest& request) {
    absl::StatusOr<ConnectResponse> result;
    absl::Notification answered;
    client_.Ask(address, request, absl::Now() + absl::Seconds(60),
                [&](absl::StatusOr<ConnectResponse> answer) {
                  result = std::move(answer);
                  answered.Notify();
                });
    answered.WaitForNotification();
    return result;
  }

  static ConnectRequest From(const std::string& driver) {
    ConnectRequest request;
    request.set_initiator_info("");
    *request.mutable_hello() = MakeDriverHello(driver, "client/0", {.deadlines = true});
    return request;
  }

  SystemClock clock_;
  ThreadTimerService timers_{clock_};
  FakeNetwork network_;
  FakeDriver driver_;
  NoRequests handler_;
  ConnectionSetupService service_;
  std::unique_ptr<GrpcListener> listener_;
  ConnectionSetupClient client_;
  std::string address_;
};

TEST_F(ConnectionSetupTest, TellsWhereTheDriverIsAndWhatItIs) {
  const auto answer = Ask(address_, From("fake"));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(answer->responder_info(), StartsWith("fake:"));
  EXPECT_EQ(answer->hello().driver(), "fake");
  EXPECT_EQ(answer->hello().instance(), "server/0");
  EXPECT_EQ(answer->hello().driver_protocol(), kDriverProtocol);
  EXPECT_THAT(answer->hello().capabilities(),
              testing::ElementsAre("deadlines", "cancel", "one_way", "causal_key"));
}

TEST_F(ConnectionSetupTest, TellsAPeerWithoutHelloNoMoreThanItKnows) {
  ConnectRequest request;
  request.set_initiator_info("");
  const auto answer = Ask(address_, request);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(answer->responder_info(), StartsWith("fake:"));
  EXPECT_FALSE(answer->has_hello());
}

TEST_F(ConnectionSetupTest, NamesBothDriversThatDoNotMatch) {
  const auto answer = Ask(address_, From("grpc"));
  EXPECT_TRUE(absl::IsFailedPrecondition(answer.status())) << answer.status();
  EXPECT_THAT(std::string(answer.status().message()),
              AllOf(HasSubstr("server/0 has driver 'fake'"),
                    HasSubstr("client/0 has driver 'grpc'"), HasSubstr(address_)));
}

TEST_F(ConnectionSetupTest, NamesVersionsThatDoNotMatch) {
  ConnectRequest request = From("fake");
  request.mutable_hello()->set_driver_protocol(kDriverProtocol + 1);
  const auto answer = Ask(address_, request);
  EXPECT_TRUE(absl::IsFailedPrecondition(answer.status())) << answer.status();
  EXPECT_THAT(std::string(answer.status().message()),
              HasSubstr(absl::StrCat("protocol ", kDriverProtocol + 1)));
}

TEST_F(ConnectionSetupTest, NamesAnAddressWhereNobodyAnswers) {
  const std::string address = address_;
  listener_.reset();
  const auto answer = Ask(address, From("fake"));
  EXPECT_TRUE(absl::IsUnavailable(answer.status())) << answer.status();
  EXPECT_THAT(std::string(answer.status().message()), HasSubstr(address));
  listener_ = *GrpcListener::Start({.bind_ip = "127.0.0.1", .service = &service_});
}

TEST_F(ConnectionSetupTest, RefusesAnAddressThatIsNone) {
  EXPECT_TRUE(absl::IsInvalidArgument(Ask("nowhere", From("fake")).status()));
}

TEST_F(ConnectionSetupTest, AnswersEverybodyWhenItIsClosed) {
  int answers = 0;  // Close() waits for all of them
  for (int i = 0; i < 100; ++i) {
    // Nobody answers here: TEST-NET-3.
    client_.Ask("203.0.113.9:9", From("fake"), absl::InfiniteFuture(),
                [&](const absl::StatusOr<ConnectResponse>& answer) {
                  static absl::Mutex mutex(absl::kConstInit);
                  absl::MutexLock lock(&mutex);
                  answers += answer.ok() ? 0 : 1;
                });
  }
  client_.Close();
  EXPECT_EQ(answers, 100);
  EXPECT_TRUE(absl::IsCancelled(Ask(address_, From("fake")).status()));
}

}  // namespace
}  // namespace distbench
