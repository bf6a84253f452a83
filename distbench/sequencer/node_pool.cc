#include "distbench/sequencer/node_pool.h"

#include <glog/logging.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/sequencer/silence.h"

namespace distbench {
namespace {

constexpr char kAliasAttribute[] = "node_alias";
constexpr int kMaxPort = 65535;
// What a node whose number somebody else asks for may take to show that it lives.
constexpr int64_t kRivalTimeoutNs = 5'000'000'000;

std::string HostAndPort(const NodeRegistration& registration) {
  return absl::StrCat(registration.hostname(), ":", registration.control_port());
}

absl::Status Check(const NodeRegistration& registration) {
  if (registration.hostname().empty()) {
    return absl::InvalidArgumentError(
        "NodeRegistration.hostname is empty; a node manager must say which host it is on");
  }
  if (registration.control_port() < 1 || registration.control_port() > kMaxPort) {
    return absl::InvalidArgumentError(
        absl::StrCat("NodeRegistration.control_port is ", registration.control_port(), " for host ",
                     registration.hostname(), "; it must be from 1 to ", kMaxPort));
  }
  return absl::OkStatus();
}

void AddAlias(const std::string& alias, NodeRegistration& registration) {
  const auto& attributes = registration.attributes();
  const bool given = std::any_of(attributes.begin(), attributes.end(),
                                 [](const Attribute& a) { return a.name() == kAliasAttribute; });
  if (given) return;
  Attribute& attribute = *registration.add_attributes();
  attribute.set_name(kAliasAttribute);
  attribute.set_value(alias);
}

absl::Status OccupiedError(const NodeRegistration& registration, const RegisteredNode& holder) {
  return absl::InvalidArgumentError(absl::StrCat(HostAndPort(registration), " asks to be node",
                                                 registration.preassigned_node_id(), ", which is ",
                                                 HostAndPort(holder.registration),
                                                 " already; give it another name or none at all"));
}

bool IsSameProcess(const RegisteredNode& node, const NodeRegistration& registration) {
  return registration.has_incarnation() &&
         registration.incarnation() == node.registration.incarnation();
}

}  // namespace

std::string RegisteredNode::ToString() const {
  return absl::StrCat(alias, " (", HostAndPort(registration), ")");
}

std::string NodeTarget(const NodeRegistration& registration) {
  if (!registration.service_address().empty()) return registration.service_address();
  return absl::StrCat("dns:///", HostAndPort(registration));
}

void NodePool::Register(const NodeRegistration& registration, Registered done) {
  const absl::Status status = Check(registration);
  if (!status.ok()) return done(status);
  TryRegister(registration, nullptr, std::move(done));
}

void NodePool::TryRegister(const NodeRegistration& registration, const NodePointer& dead,
                           Registered done) {
  NodePointer rival;
  NodePointer registered;
  {
    absl::MutexLock lock(&mutex_);
    rival = FindRival(registration);
    if (rival != nullptr && rival == dead) {
      LOG(WARNING) << rival->ToString() << " does not answer; " << HostAndPort(registration)
                   << " takes its name";
      Remove(*rival);
      rival = nullptr;
    }
    if (rival == nullptr) registered = Add(registration);
  }
  if (registered != nullptr) return done(std::move(registered));
  rival->stub->ProbeClock(
      ClockProbe(), kRivalTimeoutNs,
      [this, registration, rival, done = std::move(done)](absl::StatusOr<ClockReading> answer) {
        if (IsSilence(answer.status())) return TryRegister(registration, rival, done);
        done(OccupiedError(registration, *rival));
      });
}

NodePointer NodePool::FindTarget(const std::string& target) const {
  const auto id = id_by_target_.find(target);
  return id == id_by_target_.end() ? nullptr : nodes_.at(id->second);
}

NodePointer NodePool::FindRival(const NodeRegistration& registration) const {
  const auto holder = nodes_.find(registration.preassigned_node_id());
  if (holder == nodes_.end()) return nullptr;
  const bool is_same = NodeTarget(holder->second->registration) == NodeTarget(registration);
  return is_same ? nullptr : holder->second;
}

int32_t NodePool::ChooseId(const NodeRegistration& registration) const {
  if (registration.preassigned_node_id() >= 0) return registration.preassigned_node_id();
  const NodePointer before = FindTarget(NodeTarget(registration));
  if (before != nullptr) return before->id;
  const bool had_id = registration.has_former_node_id() && registration.former_node_id() >= 0;
  if (had_id && !nodes_.contains(registration.former_node_id())) {
    return registration.former_node_id();
  }
  int32_t free_id = 0;
  for (const auto& [id, node] : nodes_) {
    if (id != free_id) break;
    ++free_id;
  }
  return free_id;
}

NodePointer NodePool::Add(const NodeRegistration& registration) {
  const int32_t id = ChooseId(registration);
  const std::string target = NodeTarget(registration);
  const NodePointer before = FindTarget(target);
  if (before != nullptr && before->id == id && IsSameProcess(*before, registration)) return before;
  if (before != nullptr) Remove(*before);
  auto node = std::make_shared<RegisteredNode>();
  node->id = id;
  node->alias = absl::StrCat("node", id);
  node->registration = registration;
  AddAlias(node->alias, node->registration);
  node->stub = make_stub_(registration);
  VLOG(1) << node->ToString() << " registered";
  nodes_[id] = node;
  id_by_target_[target] = id;
  return node;
}

void NodePool::Remove(const RegisteredNode& node) {
  id_by_target_.erase(NodeTarget(node.registration));
  nodes_.erase(node.id);  // the last: it may own the argument
}

std::vector<NodePointer> NodePool::Nodes() const {
  absl::MutexLock lock(&mutex_);
  std::vector<NodePointer> nodes;
  nodes.reserve(nodes_.size());
  for (const auto& [id, node] : nodes_) nodes.push_back(node);
  return nodes;
}

size_t NodePool::size() const {
  absl::MutexLock lock(&mutex_);
  return nodes_.size();
}

}  // namespace distbench
