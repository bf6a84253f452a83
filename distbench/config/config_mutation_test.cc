// Nothing that stands in a config crashes the parser or the compiler: thousands of valid configs
// are damaged at random, with a fixed seed, as text and as binary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_text.h"
#include "distbench/config/compiler.h"
#include "distbench/config/parser.h"
#include "distbench/sampling/distribution.h"
#include "distbench/testing/model/config_mutator.h"
#include "distbench/testing/model/whole_config.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/stubs/logging.h"

namespace distbench {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

const std::string kValid = model::WholeConfig();

// Ends of every index in the plan.

void ExpectSoundAction(const Plan& plan, const ActionListPlan& list, const ActionPlan& action) {
  if (const auto* send = std::get_if<SendRpc>(&action.work)) {
    EXPECT_LT(send->rpc.value(), plan.rpcs.size());
  } else if (const auto* run = std::get_if<RunList>(&action.work)) {
    EXPECT_LT(run->list.value(), plan.lists.size());
  } else if (const auto* work = std::get_if<RunActivity>(&action.work)) {
    EXPECT_LT(work->activity.value(), plan.activities.size());
  } else if (const auto* replay = std::get_if<ReplayTrace>(&action.work)) {
    EXPECT_LT(replay->trace.value(), plan.traces.size());
  }
  const uint64_t known = list.predicates.size() < 64 ? (1ull << list.predicates.size()) - 1 : ~0ull;
  EXPECT_EQ((action.condition.must_hold | action.condition.must_not_hold) & ~known, 0u);
  if (action.delay != nullptr) {
    EXPECT_GE(action.delay->Min(0), 0);
  }
  if (!action.iterations) return;
  EXPECT_GE(action.iterations->max_parallel, 1);
  EXPECT_GE(action.iterations->max_count.value_or(1), 1);
  if (action.iterations->open_loop) {
    EXPECT_GE(action.iterations->open_loop->interval_ns, 1);
  }
}

void ExpectSoundList(const Plan& plan, const ActionListPlan& list) {
  size_t waits = 0, successors = 0;
  for (uint32_t i = 0; i < list.actions.size(); ++i) {
    const ActionPlan& action = list.actions[ActionIndex(i)];
    waits += action.dependency_count;
    successors += action.successors.size();
    for (ActionIndex next : action.successors) {
      EXPECT_GT(next.value(), i);
      EXPECT_LT(next.value(), list.actions.size());
    }
    ExpectSoundAction(plan, list, action);
  }
  EXPECT_EQ(waits, successors);
  EXPECT_EQ(list.roots.empty(), list.actions.empty());
}

void ExpectSoundTrace(const Plan& plan, const ReplayTracePlan& trace) {
  ASSERT_LT(std::max(trace.client, trace.server).value(), plan.services.size());
  for (uint32_t i = 0; i < trace.records.size(); ++i) {
    const ReplayRecordPlan& record = trace.records[i];
    for (const uint32_t prior : record.priors) EXPECT_LT(prior, i);
    EXPECT_LT(record.client.value_or(0), plan.services[trace.client].count);
    if (record.channel) {
      EXPECT_LT(record.channel->value(), plan.channels.size());
    } else {
      EXPECT_LT(record.server, plan.services[trace.server].count);
    }
    EXPECT_GE(std::min(record.request_bytes, record.response_bytes), 0);
  }
}

void ExpectSoundRpc(const Plan& plan, const RpcPlan& rpc) {
  EXPECT_LT(rpc.server.value(), plan.services.size());
  EXPECT_LT(rpc.server_list.value(), plan.lists.size());
  EXPECT_GE(std::min(rpc.request.bytes, rpc.response.bytes), 0);
  if (rpc.joint_sizes != nullptr) {
    EXPECT_GE(rpc.joint_sizes->Min(0), 0);
  }
  if (rpc.channel) {
    ASSERT_LT(rpc.channel->value(), plan.channels.size());
    EXPECT_EQ(plan.channels[*rpc.channel].server, rpc.server);
  }
}

void ExpectSound(const Plan& plan) {
  for (const ServicePlan& service : plan.services) {
    EXPECT_LE(service.first.value() + service.count, plan.instances.size());
    EXPECT_EQ(service.x_size * service.y_size * service.z_size, service.count);
    if (service.main_list.has_value()) {
      EXPECT_LT(service.main_list->value(), plan.lists.size());
    }
    for (ServiceIndex called : service.called) EXPECT_LT(called.value(), plan.services.size());
    for (ChannelIndex channel : service.channels) {
      EXPECT_LT(channel.value(), plan.channels.size());
    }
    EXPECT_NE(service.driver_options, nullptr);
  }
  for (const ChannelPlan& channel : plan.channels) {
    for (const size_t rank : channel.members) EXPECT_LT(rank, plan.services[channel.server].count);
  }
  for (const RpcPlan& rpc : plan.rpcs) ExpectSoundRpc(plan, rpc);
  for (const ActionListPlan& list : plan.lists) ExpectSoundList(plan, list);
  for (const ReplayTracePlan& trace : plan.traces) ExpectSoundTrace(plan, trace);
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

// Of the messages of this kind and of all within: "Message.field".
void CollectFields(const Descriptor& kind, std::set<std::string>& fields) {
  for (int i = 0; i < kind.field_count(); ++i) {
    const FieldDescriptor& field = *kind.field(i);
    const bool is_new = fields.insert(absl::StrCat(kind.name(), ".", field.name())).second;
    if (is_new && field.message_type() != nullptr) CollectFields(*field.message_type(), fields);
  }
}

void RemoveUsed(const Message& message, std::set<std::string>& fields) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> present;
  reflection.ListFields(message, &present);
  for (const FieldDescriptor* field : present) {
    fields.erase(absl::StrCat(message.GetDescriptor()->name(), ".", field->name()));
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) RemoveUsed(reflection.GetMessage(message, field), fields);
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(message, field); ++i) {
      RemoveUsed(reflection.GetRepeatedMessage(message, field, i), fields);
    }
  }
}

TEST(ConfigMutationTest, TheConfigThatIsDamagedUsesEveryField) {
  std::set<std::string> fields;
  CollectFields(*TestSequence::descriptor(), fields);
  EXPECT_GT(fields.size(), 130u);
  fields.erase("ProtocolDriverOptions.inner_driver");  // no config may have it
  RemoveUsed(*ParseTestSequence("f", kValid), fields);
  EXPECT_THAT(fields, testing::IsEmpty());
}

TEST(ConfigMutationTest, TheConfigThatIsDamagedIsRight) {
  Outcomes outcomes;
  ParseAndCompile(kValid, outcomes);
  EXPECT_EQ(outcomes.right, 1);
}

// Each test also checks that its edits reach the stages that they are meant for, or it would show
// nothing.

TEST(ConfigMutationTest, StrangeValuesNeverCrash) {
  model::ConfigMutator mutator(1);
  Outcomes outcomes;
  for (int round = 0; round < 3000; ++round) ParseAndCompile(mutator.EditValues(kValid), outcomes);
  EXPECT_GT(outcomes.wrong, 700);
  EXPECT_GT(outcomes.right, 150);
}

TEST(ConfigMutationTest, DamagedFieldsNeverCrash) {
  model::ConfigMutator mutator(5);
  Outcomes outcomes;
  const TestSequence valid = *ParseTestSequence("f", kValid);
  for (int round = 0; round < 2000; ++round) {
    TestSequence damaged = valid;
    mutator.EditFields(damaged);
    ParseAndCompile(damaged.DebugString(), outcomes);
  }
  EXPECT_GT(outcomes.wrong, 500);
  EXPECT_GT(outcomes.right, 200);
}

TEST(ConfigMutationTest, DamagedWordsNeverCrash) {
  model::ConfigMutator mutator(2);
  Outcomes outcomes;
  for (int round = 0; round < 3000; ++round) ParseAndCompile(mutator.EditWords(kValid), outcomes);
  EXPECT_GT(outcomes.unreadable, 1000);
  EXPECT_GT(outcomes.wrong, 100);
}

TEST(ConfigMutationTest, DamagedBytesOfTextNeverCrash) {
  model::ConfigMutator mutator(3);
  Outcomes outcomes;
  for (int round = 0; round < 2000; ++round) ParseAndCompile(mutator.EditBytes(kValid), outcomes);
  EXPECT_GT(outcomes.unreadable, 1000);
}

TEST(ConfigMutationTest, DamagedBinaryNeverCrashes) {
  google::protobuf::SetLogHandler(nullptr);  // it tells of every name that is no UTF-8
  model::ConfigMutator mutator(4);
  Outcomes outcomes;
  const std::string binary = ParseTestSequence("f", kValid)->SerializeAsString();
  for (int round = 0; round < 4000; ++round) ParseAndCompile(mutator.EditBytes(binary), outcomes);
  EXPECT_GT(outcomes.unreadable, 1000);
  EXPECT_GT(outcomes.wrong, 150);
}

}  // namespace
}  // namespace distbench
