#include "benchmarks/instant_driver.h"

#include <string>

#include "gtest/gtest.h"

namespace distbench {
namespace {

class CountingCall final : public ClientCall {
 public:
  void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override {
    ++done;
    last_status = status;
    response_bytes = response.size;
    std::string storage;
    is_response = DecodeResponse(response, &storage).ok() && storage.empty();
  }

  int done = 0;
  absl::Status last_status = absl::UnknownError("not done");
  int64_t response_bytes = 0;
  bool is_response = false;
};

TEST(InstantDriverTest, ACallIsOverInsideStartCallWithAResponseOfTheSizeAskedFor) {
  for (const int64_t bytes : {32, 262'144}) {
    InstantDriver driver(bytes);
    CountingCall call;
    driver.StartCall(&call);
    EXPECT_EQ(call.done, 1);
    EXPECT_TRUE(call.last_status.ok()) << call.last_status;
    EXPECT_EQ(call.response_bytes, bytes);
    EXPECT_TRUE(call.is_response);
    driver.StartCall(&call);
    EXPECT_EQ(call.done, 2);
  }
}

}  // namespace
}  // namespace distbench
