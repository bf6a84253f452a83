#include "distbench/driver/grpc/device_mutator.h"

#include <grpc/support/atm.h>

#include "absl/strings/match.h"
#include "glog/logging.h"

// gRPC's, in its own words and at its own places; see the header.
struct grpc_mutate_socket_info;
struct grpc_socket_mutator_vtable {
  bool (*mutate_fd)(int fd, grpc_socket_mutator* mutator);
  int (*compare)(grpc_socket_mutator* a, grpc_socket_mutator* b);
  void (*destroy)(grpc_socket_mutator* mutator);
  bool (*mutate_fd_2)(const grpc_mutate_socket_info* info, grpc_socket_mutator* mutator);
};
struct grpc_socket_mutator {
  const grpc_socket_mutator_vtable* vtable;
  gpr_atm reference_count;
};
void grpc_socket_mutator_init(grpc_socket_mutator* mutator,
                              const grpc_socket_mutator_vtable* vtable);
void grpc_socket_mutator_unref(grpc_socket_mutator* mutator);
grpc_arg grpc_socket_mutator_to_arg(grpc_socket_mutator* mutator);

namespace distbench {
namespace {

struct Mutator : grpc_socket_mutator {
  DeviceBinding binding;
  IpFamily family;
};

const Mutator& Of(const grpc_socket_mutator* mutator) {
  return *static_cast<const Mutator*>(mutator);
}

// False fails the attempt to connect, which gRPC tries again.
bool Mutate(int fd, grpc_socket_mutator* mutator) {
  const absl::Status bound = BindToDevice(fd, Of(mutator).binding, Of(mutator).family);
  if (bound.ok()) return true;
  LOG_FIRST_N(WARNING, 10) << bound.message();
  return false;
}

// Channels with equal ones may share connections.
int Compare(grpc_socket_mutator* a, grpc_socket_mutator* b) {
  const int by_device = Of(a).binding.device.compare(Of(b).binding.device);
  if (by_device != 0) return by_device;
  return static_cast<int>(Of(a).family) - static_cast<int>(Of(b).family);
}

void Destroy(grpc_socket_mutator* mutator) { delete static_cast<Mutator*>(mutator); }

constexpr grpc_socket_mutator_vtable kVtable = {
    .mutate_fd = Mutate, .compare = Compare, .destroy = Destroy, .mutate_fd_2 = nullptr};

grpc_socket_mutator* NewMutator(const DeviceBinding& binding, IpFamily family) {
  auto* mutator = new Mutator{{}, binding, family};
  grpc_socket_mutator_init(mutator, &kVtable);
  return mutator;
}

}  // namespace

DeviceMutator::DeviceMutator(const DeviceBinding& binding, IpFamily family)
    : mutator_(NewMutator(binding, family)) {}

DeviceMutator::~DeviceMutator() { grpc_socket_mutator_unref(mutator_); }

grpc_arg DeviceMutator::argument() const { return grpc_socket_mutator_to_arg(mutator_); }

// The core library counts versions of its own: 29 is that of gRPC 1.51.
bool DeviceMutator::IsSupported() { return absl::StartsWith(grpc_version_string(), "29."); }

}  // namespace distbench
