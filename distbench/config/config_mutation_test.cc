// Nothing that stands in a config crashes the parser or the compiler: thousands of valid configs
// are damaged at random, with a fixed seed, as text and as binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "distbench/config/compile_text.h"
#include "distbench/config/compiler.h"
#include "distbench/config/parser.h"
#include "google/protobuf/stubs/logging.h"

namespace distbench {
namespace {

constexpr char kValid[] = R"(
tests {
  name: "tiers"
  attributes { key: "test_timeout" value: "60" }
  services { name: "client" count: 2 }
  services { name: "grid" x_size: 2 y_size: 2 protocol_driver_options_name: "near" }
  services { name: "store" count: 1 }
  node_service_bundles { key: "node0" value { services: "client/1" services: "grid/1/1" } }
  payload_descriptions { name: "small" size: 100 }
  rpc_descriptions { name: "ask" client: "client" server: "grid" fanout_filter: "random" }
  rpc_descriptions { name: "load" client: "grid" client: "client" server: "store"
                     fanout_filter: "stochastic{0.5:1,0.5:2}" request_payload_name: "small" }
  actions { name: "ask" rpc_name: "ask" dependencies: "warm" iterations {
            max_iteration_count: 5 open_loop_interval_ns: 1000 } }
  actions { name: "warm" action_list_name: "inner" }
  actions { name: "load" rpc_name: "load" send_response_when_done: true }
  action_lists { name: "client" action_names: "ask" action_names: "warm" }
  action_lists { name: "inner" action_names: "load" }
  action_lists { name: "ask" action_names: "load" }
  action_lists { name: "load" }
  protocol_driver_options { name: "near" protocol_name: "far"
                            server_settings { name: "a" int64_value: 1 } }
  protocol_driver_options { name: "far" protocol_name: "fake" }
  overload_limits { max_threads: 10 }
  verdict_limits { max_lateness: 0.5 max_start_skew_us: 20 }
}
)";

// Ends of every index in the plan.
void ExpectSound(const Plan& plan) {
  for (const ServicePlan& service : plan.services) {
    EXPECT_LE(service.first.value() + service.count, plan.instances.size());
    if (service.main_list.has_value()) {
      EXPECT_LT(service.main_list->value(), plan.lists.size());
    }
    for (ServiceIndex called : service.called) EXPECT_LT(called.value(), plan.services.size());
    EXPECT_NE(service.driver_options, nullptr);
  }
  for (const RpcPlan& rpc : plan.rpcs) {
    EXPECT_LT(rpc.server.value(), plan.services.size());
    EXPECT_LT(rpc.server_list.value(), plan.lists.size());
    EXPECT_GE(std::min(rpc.request.bytes, rpc.response.bytes), 0);
  }
  for (const ActionListPlan& list : plan.lists) {
    size_t waits = 0, successors = 0;
    for (uint32_t i = 0; i < list.actions.size(); ++i) {
      const ActionPlan& action = list.actions[ActionIndex(i)];
      waits += action.dependency_count;
      successors += action.successors.size();
      for (ActionIndex next : action.successors) {
        EXPECT_GT(next.value(), i);
        EXPECT_LT(next.value(), list.actions.size());
      }
      if (const auto* send = std::get_if<SendRpc>(&action.work)) {
        EXPECT_LT(send->rpc.value(), plan.rpcs.size());
      }
      if (const auto* run = std::get_if<RunList>(&action.work)) {
        EXPECT_LT(run->list.value(), plan.lists.size());
      }
    }
    EXPECT_EQ(waits, successors);
    EXPECT_EQ(list.roots.empty(), list.actions.empty());
  }
}

struct Outcomes {
  int unreadable = 0, wrong = 0, right = 0;
};

void ParseAndCompile(const std::string& contents, Outcomes& outcomes) {
  auto sequence = ParseTestSequence("f", contents);
  if (!sequence.ok()) {
    ++outcomes.unreadable;
    EXPECT_FALSE(sequence.status().message().empty());
    return;
  }
  Diagnostics diagnostics;
  const auto tests = CompileSequence(&*sequence, DriversForTest(), &diagnostics);
  ++(diagnostics.has_errors() ? outcomes.wrong : outcomes.right);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    EXPECT_FALSE(diagnostic.field_path.empty() || diagnostic.message.empty());
    EXPECT_EQ(diagnostic.ToString().find('\n'), std::string::npos);
  }
  bool has_null = false;
  for (const CompiledTest& test : tests) {
    has_null |= test.plan == nullptr;
    if (test.plan != nullptr) ExpectSound(*test.plan);
  }
  EXPECT_EQ(has_null, diagnostics.has_errors());
  // What was left behind is canonical: it compiles to the same verdict.
  Diagnostics again;
  CompileSequence(&*sequence, DriversForTest(), &again);
  EXPECT_EQ(again.ToStatus(), diagnostics.ToStatus());
}

bool IsValue(const std::string& word) {
  return !word.empty() && (word[0] == '"' || (word[0] >= '0' && word[0] <= '9'));
}

class Mutator {
 public:
  explicit Mutator(uint32_t seed) : random_(seed) {}

  // One or two values are replaced, by each other's or by strange ones.
  std::string EditValues(const std::string& text) {
    std::vector<std::string> words = absl::StrSplit(text, ' ');
    for (size_t edits = 1 + Below(2); edits > 0; --edits) {
      const std::string& other = AnyValue(words);
      AnyValue(words) = Below(2) == 0 ? std::string(NewValue()) : other;
    }
    return absl::StrJoin(words, " ");
  }

  // One or two words are dropped, doubled, exchanged or replaced.
  std::string EditWords(const std::string& text) {
    std::vector<std::string> words = absl::StrSplit(text, ' ');
    for (size_t edits = 1 + Below(2); edits > 0; --edits) {
      std::string& word = words[Below(words.size())];
      switch (Below(4)) {
        case 0:
          word.clear();
          break;
        case 1:
          word += " " + word;
          break;
        case 2:
          std::swap(word, words[Below(words.size())]);
          break;
        default:
          word = NewValue();
          break;
      }
    }
    return absl::StrJoin(words, " ");
  }

  std::string EditBytes(std::string bytes) {
    for (size_t edits = 1 + Below(4); edits > 0 && !bytes.empty(); --edits) {
      const size_t at = Below(bytes.size());
      switch (Below(3)) {
        case 0:
          bytes[at] = static_cast<char>(Below(256));
          break;
        case 1:
          bytes.erase(at, 1 + Below(8));
          break;
        default:
          bytes.insert(at, 1, static_cast<char>(Below(256)));
          break;
      }
    }
    return bytes;
  }

 private:
  size_t Below(size_t limit) { return random_() % limit; }

  std::string& AnyValue(std::vector<std::string>& words) {
    while (true) {
      std::string& word = words[Below(words.size())];
      if (IsValue(word)) return word;
    }
  }

  const char* NewValue() {
    static constexpr const char* kValues[] = {"0",
                                              "-1",
                                              "1",
                                              "3",
                                              "2147483647",
                                              "-9223372036854775808",
                                              "1e308",
                                              "\"\"",
                                              "\"client\"",
                                              "\"grid\"",
                                              "\"load\"",
                                              "\"ask\"",
                                              "\"near\"",
                                              "\"a\\nb\\377/\"",
                                              "{ }",
                                              "}",
                                              "true",
                                              "\"stochastic{1:2}\"",
                                              "predicates: \"p\""};
    return kValues[Below(std::size(kValues))];
  }

  std::mt19937 random_;
};

TEST(ConfigMutationTest, TheConfigThatIsDamagedIsRight) {
  Outcomes outcomes;
  ParseAndCompile(kValid, outcomes);
  EXPECT_EQ(outcomes.right, 1);
}

// Each test also checks that its edits reach the stages that they are meant for, or it would show
// nothing.

TEST(ConfigMutationTest, StrangeValuesNeverCrash) {
  Mutator mutator(1);
  Outcomes outcomes;
  for (int round = 0; round < 4000; ++round) ParseAndCompile(mutator.EditValues(kValid), outcomes);
  EXPECT_GT(outcomes.wrong, 1000);
  EXPECT_GT(outcomes.right, 150);
}

TEST(ConfigMutationTest, DamagedWordsNeverCrash) {
  Mutator mutator(2);
  Outcomes outcomes;
  for (int round = 0; round < 3000; ++round) ParseAndCompile(mutator.EditWords(kValid), outcomes);
  EXPECT_GT(outcomes.unreadable, 1000);
  EXPECT_GT(outcomes.wrong, 100);
}

TEST(ConfigMutationTest, DamagedBytesOfTextNeverCrash) {
  Mutator mutator(3);
  Outcomes outcomes;
  for (int round = 0; round < 2000; ++round) ParseAndCompile(mutator.EditBytes(kValid), outcomes);
  EXPECT_GT(outcomes.unreadable, 1000);
}

TEST(ConfigMutationTest, DamagedBinaryNeverCrashes) {
  google::protobuf::SetLogHandler(nullptr);  // it tells of every name that is no UTF-8
  Mutator mutator(4);
  Outcomes outcomes;
  const std::string binary = ParseTestSequence("f", kValid)->SerializeAsString();
  for (int round = 0; round < 4000; ++round) ParseAndCompile(mutator.EditBytes(binary), outcomes);
  EXPECT_GT(outcomes.unreadable, 1000);
  EXPECT_GT(outcomes.wrong, 200);
}

}  // namespace
}  // namespace distbench
