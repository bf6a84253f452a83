#include "distbench/sequencer/node_pool.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

constexpr char kAliasAttribute[] = "node_alias";
constexpr int kMaxPort = 65535;

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

}  // namespace

std::string RegisteredNode::ToString() const {
  return absl::StrCat(alias, " (", HostAndPort(registration), ")");
}

std::string NodeTarget(const NodeRegistration& registration) {
  if (!registration.service_address().empty()) return registration.service_address();
  return absl::StrCat("dns:///", HostAndPort(registration));
}

NodePointer NodePool::FindTarget(const std::string& target) const {
  for (const auto& [id, node] : nodes_) {
    if (NodeTarget(node->registration) == target) return node;
  }
  return nullptr;
}

int32_t NodePool::LeastFreeId() const {
  int32_t free_id = 0;
  for (const auto& [id, node] : nodes_) {
    if (id != free_id) break;
    ++free_id;
  }
  return free_id;
}

absl::StatusOr<NodePointer> NodePool::Register(const NodeRegistration& registration) {
  RETURN_IF_ERROR(Check(registration));
  const std::string target = NodeTarget(registration);
  auto node = std::make_shared<RegisteredNode>();
  node->registration = registration;
  node->stub = make_stub_(registration);

  absl::MutexLock lock(&mutex_);
  const NodePointer before = FindTarget(target);
  node->id = registration.preassigned_node_id();
  if (node->id < 0) node->id = before != nullptr ? before->id : LeastFreeId();
  const auto holder = nodes_.find(node->id);
  if (holder != nodes_.end() && NodeTarget(holder->second->registration) != target) {
    return absl::InvalidArgumentError(
        absl::StrCat(HostAndPort(registration), " asks to be node", node->id, ", which is ",
                     HostAndPort(holder->second->registration),
                     " already; give it another name or none at all"));
  }
  if (before != nullptr) nodes_.erase(before->id);
  node->alias = absl::StrCat("node", node->id);
  AddAlias(node->alias, node->registration);
  nodes_[node->id] = node;
  return NodePointer(node);
}

std::vector<NodePointer> NodePool::Nodes() const {
  absl::MutexLock lock(&mutex_);
  std::vector<NodePointer> nodes;
  nodes.reserve(nodes_.size());
  for (const auto& [id, node] : nodes_) nodes.push_back(node);
  return nodes;
}

}  // namespace distbench
