// RPCs in steady state allocate nothing, on either side.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "absl/synchronization/notification.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "gtest/gtest.h"

namespace {

std::atomic<int64_t> allocations = 0;

void* Allocate(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

void* operator new(size_t size) { return Allocate(size); }
void* operator new[](size_t size) { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

namespace distbench {
namespace {

class Answerer final : public RequestHandler {
 public:
  explicit Answerer(int64_t payload_size) : payload_size_(payload_size) {}
  void OnRequest(ShardIndex, const ReceivedMessage&, Responder responder) override {
    responder.Respond({.head = "answer", .payload_size = payload_size_});
  }

 private:
  const int64_t payload_size_;
};

// Goes on until `left` RPCs of all calls were made.
class RepeatedCall final : public ClientCall {
 public:
  RepeatedCall(ProtocolDriver& driver, std::atomic<int>* left, absl::Notification* done)
      : driver_(driver), left_(left), done_(done) {
    peer = InstanceIndex(1);
    driver_state = driver.NewCallState();
  }
  void Start() { driver_.StartCall(this); }

  void OnCallDone(const absl::Status& status, const ReceivedMessage&) override {
    EXPECT_TRUE(status.ok()) << status;
    driver_.ReleaseCall(this);
    const int left = left_->fetch_sub(1);
    if (left > static_cast<int>(kCalls)) Start();
    if (left == 1) done_->Notify();
  }

  static constexpr size_t kCalls = 100;

 private:
  ProtocolDriver& driver_;
  std::atomic<int>* const left_;
  absl::Notification* const done_;
};

struct Sizes {
  int64_t request;
  int64_t response;
};

class TcpAllocationTest : public testing::TestWithParam<Sizes> {
 protected:
  void SetUp() override {
    driver_ = *subject_.factory().Create(subject_.options(), subject_.environment());
    ASSERT_TRUE(driver_->StartServer(&handler_).ok());
    absl::Notification connected;
    driver_->Connect(InstanceIndex(1), *driver_->AcceptConnection(""), Soon(),
                     [&](const absl::Status& status) {
                       EXPECT_TRUE(status.ok()) << status;
                       connected.Notify();
                     });
    connected.WaitForNotification();
  }
  void TearDown() override { EXPECT_EQ(driver_->Stop(Soon()), 0); }

  // Allocations during so many RPCs.
  int64_t Run(int rpcs) {
    std::atomic<int> left = rpcs;
    absl::Notification done;
    std::vector<std::unique_ptr<RepeatedCall>> calls;
    for (size_t i = 0; i < RepeatedCall::kCalls; ++i) {
      calls.push_back(std::make_unique<RepeatedCall>(*driver_, &left, &done));
      calls.back()->shard = ShardIndex(i % subject_.shard_count());
      calls.back()->request = {.head = "request", .payload_size = GetParam().request};
    }
    const int64_t before = allocations;
    for (const auto& call : calls) call->Start();
    done.WaitForNotification();
    return allocations - before;
  }

  TcpSubject subject_{{}};
  Answerer handler_{GetParam().response};
  std::unique_ptr<ProtocolDriver> driver_;
};

INSTANTIATE_TEST_SUITE_P(Tcp, TcpAllocationTest,
                         testing::Values(Sizes{.request = 40, .response = 40},
                                         Sizes{.request = 40, .response = 40'000}),
                         [](const auto& sizes) {
                           return sizes.param.response > 1000 ? "Large" : "Small";
                         });

TEST_P(TcpAllocationTest, SteadyStateAllocatesNothing) {
  constexpr int kRpcs = 20'000;
  // Queues and pools grow to what they need, which depends a little on who comes when.
  Run(kRpcs);
  const int64_t allocated = Run(kRpcs);
  EXPECT_LT(allocated, kRpcs / 100) << "per 100 RPCs less than one";
}

}  // namespace
}  // namespace distbench
