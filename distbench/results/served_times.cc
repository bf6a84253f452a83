#include "distbench/results/served_times.h"

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/histogram_proto.h"
#include "protos/statistics.pb.h"

namespace distbench {

void ServedTimes::Merge(const ServedTimes& other) {
  queue_time.Merge(other.queue_time);
  handler_time.Merge(other.handler_time);
}

void WriteServedTimes(const ServedTimes& times, ServedRpcStatistics& message) {
  WriteHistogram(times.queue_time, *message.mutable_queue_time_ns());
  WriteHistogram(times.handler_time, *message.mutable_handler_time_ns());
}

absl::Status CheckServedTimes(const ServedRpcStatistics& message) {
  RETURN_IF_ERROR(CheckHistogram("queue_time_ns", message.queue_time_ns()));
  RETURN_IF_ERROR(CheckHistogram("handler_time_ns", message.handler_time_ns()));
  if (message.queue_time_ns().count() == message.handler_time_ns().count()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("queue_time_ns.count is ", message.queue_time_ns().count(), "; it must be ",
                   message.handler_time_ns().count(), ", as handler_time_ns.count is"));
}

absl::Status MergeServedTimes(const ServedRpcStatistics& message, ServedTimes& times) {
  RETURN_IF_ERROR(CheckServedTimes(message));
  RETURN_IF_ERROR(MergeHistogram(message.queue_time_ns(), times.queue_time));
  return MergeHistogram(message.handler_time_ns(), times.handler_time);
}

}  // namespace distbench
