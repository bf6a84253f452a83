#include "distbench/testing/model/stall_model.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "google/protobuf/text_format.h"

namespace distbench::model {
namespace {

// Client -> "ask" -> server -> "pass" -> store -> "tell" -> server.
struct Forms {
  std::string ask, pass, tell;
};

bool MayStall(const Forms& forms, const std::string& iterations = "") {
  DistributedSystemDescription config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(absl::StrCat(R"(
    services { name: "client" count: 1 }
    services { name: "server" count: 1 }
    services { name: "store" count: 1 }
    rpc_descriptions { name: "ask" client: "client" server: "server" )",
                                                                         forms.ask, R"( }
    rpc_descriptions { name: "pass" client: "server" server: "store" )",
                                                                         forms.pass, R"( }
    rpc_descriptions { name: "tell" client: "store" server: "server" )",
                                                                         forms.tell, R"( }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "ask" action_names: "inner" }
    action_lists { name: "inner" action_names: "pass" }
    action_lists { name: "pass" action_names: "tell" }
    action_lists { name: "tell" }
    actions { name: "ask" rpc_name: "ask" )",
                                                                         iterations, R"( }
    actions { name: "inner" action_list_name: "inner" }
    actions { name: "pass" rpc_name: "pass" }
    actions { name: "tell" rpc_name: "tell" })"),
                                                            &config));
  return model::MayStall(config);
}

constexpr char kSerial[] = "server_dispatch { mode: 'serial_queue' }";
constexpr char kPool[] = "server_dispatch { mode: 'thread_pool' threads: 1 }";

TEST(StallModelTest, ATurnThatWaitsForATurn) {
  EXPECT_TRUE(MayStall({.ask = kSerial, .tell = kSerial}));
  EXPECT_TRUE(MayStall({.pass = kSerial, .tell = kSerial}));
  EXPECT_FALSE(MayStall({.tell = kSerial}));
  EXPECT_FALSE(MayStall({.ask = kPool, .pass = kPool, .tell = kSerial}));
}

TEST(StallModelTest, NobodyWaitsForAOneWayMessage) {
  const std::string serial_and_one_way = absl::StrCat("one_way: true ", kSerial);
  EXPECT_FALSE(MayStall({.ask = kSerial, .tell = serial_and_one_way}));
  EXPECT_FALSE(MayStall({.ask = kSerial, .pass = "one_way: true", .tell = kSerial}));
}

TEST(StallModelTest, AFullWindowMakesOneWayMessagesWait) {
  constexpr char kFills[] = "iterations { max_iteration_count: 64 }";
  constexpr char kOverflows[] = "iterations { max_iteration_count: 65 }";
  const Forms chain = {.ask = "one_way: true", .pass = "one_way: true"};
  EXPECT_FALSE(MayStall(chain, kFills));
  EXPECT_TRUE(MayStall(chain, kOverflows));
  EXPECT_TRUE(MayStall({.ask = kSerial, .tell = "one_way: true"}, kOverflows));
  EXPECT_FALSE(MayStall({.tell = "one_way: true"}, kOverflows));
}

}  // namespace
}  // namespace distbench::model
