// Our times in gRPC's form. gRPC's monotonic clock is CLOCK_MONOTONIC, as SystemClock's is.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_TIME_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_TIME_H_

#include <grpc/support/time.h>

#include <cstdint>

#include "absl/time/time.h"
#include "distbench/driver/client_call.h"

namespace distbench {

inline gpr_timespec ToGrpcDeadline(int64_t monotonic_ns) {
  if (monotonic_ns == ClientCall::kNoDeadline) return gpr_inf_future(GPR_CLOCK_MONOTONIC);
  return gpr_time_from_nanos(monotonic_ns, GPR_CLOCK_MONOTONIC);
}

inline gpr_timespec ToGrpcDeadline(absl::Time time) {
  return gpr_time_from_nanos(absl::ToUnixNanos(time), GPR_CLOCK_REALTIME);
}

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_TIME_H_
