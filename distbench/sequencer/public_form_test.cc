#include "distbench/sequencer/public_form.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

TEST(PublicFormTest, LimitsThatFitAreSaidInThePublicFields) {
  DistributedSystemDescription config;
  Iterations& iterations = *config.add_actions()->mutable_iterations();
  iterations.set_max_iteration_count(1);
  iterations.set_max_iteration_count_64(2'000'000'000);
  iterations.set_max_duration_us_64(30);
  const auto form = PublicForm(config);
  ASSERT_TRUE(form.ok()) << form.status();
  const Iterations& got = form->actions(0).iterations();
  EXPECT_EQ(got.max_iteration_count(), 2'000'000'000);
  EXPECT_EQ(got.max_duration_us(), 30);
  EXPECT_FALSE(got.has_max_iteration_count_64());
  EXPECT_FALSE(got.has_max_duration_us_64());
}

TEST(PublicFormTest, WhatHasNoPublicFormIsNamed) {
  DistributedSystemDescription config;
  config.add_actions();
  config.add_actions()->mutable_iterations()->set_max_duration_us_64(int64_t{1} << 31);
  config.add_rpc_descriptions()->set_deadline_us(5);
  const auto form = PublicForm(config);
  EXPECT_EQ(form.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(
      absl::StrContains(form.status().message(), "actions[1].iterations.max_duration_us_64"))
      << form.status();
  EXPECT_TRUE(absl::StrContains(form.status().message(), "rpc_descriptions[0].deadline_us"))
      << form.status();
}

TEST(PublicFormTest, SeedVerdictLimitsAndAnAbsentDeadlineAreLeftOut) {
  DistributedSystemDescription config;
  config.set_seed(7);
  config.mutable_verdict_limits()->set_max_lateness(1);
  config.add_rpc_descriptions()->set_deadline_us(0);
  const auto form = PublicForm(config);
  ASSERT_TRUE(form.ok()) << form.status();
  EXPECT_FALSE(form->has_seed());
  EXPECT_FALSE(form->has_verdict_limits());
  EXPECT_FALSE(form->rpc_descriptions(0).has_deadline_us());
}

TEST(PublicFormTest, PublicFieldsStayAsTheyAre) {
  DistributedSystemDescription config;
  config.set_name("t");
  (*config.mutable_attributes())["a"] = "b";
  (*config.mutable_node_service_bundles())["node0"].add_services("s/0");
  const auto form = PublicForm(config);
  ASSERT_TRUE(form.ok()) << form.status();
  EXPECT_EQ(form->SerializeAsString(), config.SerializeAsString());
}

}  // namespace
}  // namespace distbench
