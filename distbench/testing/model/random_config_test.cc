// What random configs are made of: they have every form of RPC, and nobody waits in a circle.
#include "distbench/testing/model/random_config.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "distbench/testing/model/stall_model.h"
#include "distbench/testing/model/traffic_model.h"

namespace distbench::model {
namespace {

TEST(RandomConfigTest, RpcsOfEveryFormAreSentAndNobodyWaitsInACircle) {
  std::map<std::string, int> sent;  // kinds of RPC, by form
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const DistributedSystemDescription config = RandomConfig({.seed = seed});
    EXPECT_FALSE(MayStall(config)) << seed;
    const TrafficModel model(config);
    for (int i = 0; i < config.rpc_descriptions_size(); ++i) {
      const RpcSpec& rpc = config.rpc_descriptions(i);
      const Event all = {.what = i, .client = kAnyInstance, .server = kAnyInstance};
      if (model.tally().of(all).most == 0) continue;
      if (rpc.one_way()) ++sent["one-way"];
      if (rpc.echo_request()) ++sent["echo"];
      if (rpc.has_server_dispatch()) ++sent[rpc.server_dispatch().mode()];
      if (rpc.one_way() && rpc.has_server_dispatch()) ++sent["one-way in turn"];
      if (rpc.echo_request() && rpc.has_server_dispatch()) ++sent["echo in turn"];
      if (rpc.echo_request() && !rpc.request_payload_name().empty()) ++sent["echo, sized"];
    }
  }
  for (const char* form : {"one-way", "echo", "inline", "thread_pool", "serial_queue",
                           "fresh_thread", "one-way in turn", "echo in turn", "echo, sized"}) {
    EXPECT_GE(sent[form], 3) << form;
  }
}

}  // namespace
}  // namespace distbench::model
