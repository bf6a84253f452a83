// DeviceMutator: has gRPC bind the sockets of a client's channels to a network device.
//
// gRPC offers to change its sockets before they connect (channel argument `grpc.socket_mutator`),
// but installs no header that says how. What device_mutator.cc declares is the form of the core
// library's version 29 (gRPC 1.51); DeviceMutator::IsSupported() tells whether that is the one at
// hand.
//
// Reference-counted by gRPC: channels hold it as long as they connect. Thread-safe.
#ifndef DISTBENCH_DRIVER_GRPC_DEVICE_MUTATOR_H_
#define DISTBENCH_DRIVER_GRPC_DEVICE_MUTATOR_H_

#include <grpc/grpc.h>

#include "distbench/net/device_binding.h"
#include "distbench/net/socket_address.h"

namespace distbench {

// One reference to a mutator that binds to `binding`, for peers of `family`.
class DeviceMutator {
 public:
  DeviceMutator(const DeviceBinding& binding, IpFamily family);
  ~DeviceMutator();
  DeviceMutator(const DeviceMutator&) = delete;
  DeviceMutator& operator=(const DeviceMutator&) = delete;

  // The channel argument; a channel that is made with it takes a reference of its own.
  grpc_arg argument() const;

  static bool IsSupported();

 private:
  grpc_socket_mutator* const mutator_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_DEVICE_MUTATOR_H_
