#include "distbench/sequencer/fake_cluster.h"

#include <glog/logging.h>

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/parser.h"

namespace distbench {

FakeCluster::FakeCluster()
    : pool_([this](const NodeRegistration& registration) {
        return nodes_[registration.control_port() - 1];
      }) {
  provenance_.set_version("test");
}

FakeCluster::~FakeCluster() = default;

FakeNode& FakeCluster::AddNode(const FakeNodeOptions& options) {
  const std::string alias = absl::StrCat("node", nodes_.size());
  nodes_.push_back(std::make_shared<FakeNode>(alias, options, time, events, journal));
  NodeRegistration registration;
  registration.set_hostname("host");
  registration.set_control_port(static_cast<int32_t>(nodes_.size()));
  if (!options.other_program) {
    registration.mutable_daemon()->set_control_protocol(1);
    registration.mutable_daemon()->mutable_provenance()->set_hostname(alias);
  }
  for (const auto& [name, value] : options.attributes) {
    Attribute& attribute = *registration.add_attributes();
    attribute.set_name(name);
    attribute.set_value(value);
  }
  pool_.Register(registration, [](const absl::StatusOr<NodePointer>& node) {
    CHECK(node.ok()) << node.status();
  });
  return *nodes_.back();
}

RunContext FakeCluster::context() {
  return {.calls = {.clock = time, .timers = time, .mailbox = mailbox},
          .nodes = pool_,
          .provenance = provenance_,
          .draw_64_bits = [this] { return ++drawn_; }};
}

std::vector<std::string> FakeCluster::JournalWithout(const std::string& method) const {
  std::vector<std::string> rest;
  for (const std::string& entry : journal) {
    if (!absl::EndsWith(entry, absl::StrCat(" ", method))) rest.push_back(entry);
  }
  return rest;
}

TestSequence ClientServerTest(int clients, const std::string& more) {
  const std::string text = absl::StrCat(R"(
      name: "demo"
      attributes { key: "test_timeout" value: "60" }
      services { name: "client" count: )",
                                        clients, R"( }
      services { name: "server" count: 1 }
      rpc_descriptions { name: "query" client: "client" server: "server" }
      actions { name: "send" rpc_name: "query" iterations { max_iteration_count: 3 } }
      action_lists { name: "client" action_names: "send" }
      action_lists { name: "query" }
      )",
                                        more);
  absl::StatusOr<TestSequence> sequence = ParseTestSequence("test", text);
  CHECK(sequence.ok()) << sequence.status();
  return *std::move(sequence);
}

KnownDrivers FakeDrivers() { return {.names = {"grpc"}, .check = nullptr}; }

}  // namespace distbench
