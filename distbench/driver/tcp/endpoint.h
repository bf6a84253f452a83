// TcpEndpoint: where a server of the tcp driver can be reached, and how peers are told.
//
//   tcp:10.0.0.7:40001
//   unix:@distbench-4711-1 on 5bd7c0a2-…/4026531840
//
// Unix-domain sockets have names of the abstract kind (no file), which exist within one network
// namespace of one machine; what follows "on" says which. Values.
#ifndef DISTBENCH_DRIVER_TCP_ENDPOINT_H_
#define DISTBENCH_DRIVER_TCP_ENDPOINT_H_

#include <sys/socket.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/net/socket_address.h"

namespace distbench {

enum class TcpTransport { kTcp, kUnix };

struct TcpEndpoint {
  TcpTransport transport = TcpTransport::kTcp;
  HostPort address;       // kTcp: numeric
  std::string unix_name;  // kUnix: without the leading @
  std::string scope;      // kUnix: where the name exists

  // "10.0.0.7:40001", "@distbench-4711-1".
  std::string ToString() const;
};

// Where this process's abstract names exist: machine (since its last start) and network namespace.
std::string UnixScope();

// OK if a server at `endpoint` can be reached from this process at all.
absl::Status CheckReachable(const TcpEndpoint& endpoint);

std::string EncodeEndpoint(const TcpEndpoint& endpoint);

// InvalidArgument for what EncodeEndpoint cannot have written.
absl::StatusOr<TcpEndpoint> ParseEndpoint(absl::string_view text);

// The form that the kernel takes. Port 0 is allowed: any.
struct KernelAddress {
  sockaddr_storage storage = {};
  socklen_t length = 0;

  int family() const { return storage.ss_family; }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

absl::StatusOr<KernelAddress> ToKernelAddress(const TcpEndpoint& endpoint);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_ENDPOINT_H_
