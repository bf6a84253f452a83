#include "distbench/results/resource_usage.h"

#include <sys/resource.h>
#include <sys/time.h>

#include "glog/logging.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Field by field; all are numbers.
RUsage Difference(const RUsage& end, const RUsage& start) {
  RUsage difference;
  const google::protobuf::Reflection& fields = *RUsage::GetReflection();
  for (int i = 0; i < RUsage::descriptor()->field_count(); ++i) {
    const google::protobuf::FieldDescriptor* field = RUsage::descriptor()->field(i);
    if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_DOUBLE) {
      fields.SetDouble(&difference, field,
                       fields.GetDouble(end, field) - fields.GetDouble(start, field));
    } else {
      fields.SetInt64(&difference, field,
                      fields.GetInt64(end, field) - fields.GetInt64(start, field));
    }
  }
  return difference;
}

}  // namespace

RUsage CurrentResourceUsage() {
  rusage usage;
  PCHECK(getrusage(RUSAGE_SELF, &usage) == 0);  // fails for bad arguments only
  RUsage message;
  message.set_user_cpu_time_seconds(Seconds(usage.ru_utime));
  message.set_system_cpu_time_seconds(Seconds(usage.ru_stime));
  message.set_max_resident_set_size(usage.ru_maxrss);
  message.set_integral_shared_memory_size(usage.ru_ixrss);
  message.set_integral_unshared_data_size(usage.ru_idrss);
  message.set_integral_unshared_stack_size(usage.ru_isrss);
  message.set_page_reclaims_soft_page_faults(usage.ru_minflt);
  message.set_page_faults_hard_page_faults(usage.ru_majflt);
  message.set_swaps(usage.ru_nswap);
  message.set_block_input_operations(usage.ru_inblock);
  message.set_block_output_operations(usage.ru_oublock);
  message.set_ipc_messages_sent(usage.ru_msgsnd);
  message.set_ipc_messages_received(usage.ru_msgrcv);
  message.set_signals_received(usage.ru_nsignals);
  message.set_voluntary_context_switches(usage.ru_nvcsw);
  message.set_involuntary_context_switches(usage.ru_nivcsw);
  return message;
}

RUsageStats ResourceUsageSince(const RUsage& start) {
  RUsageStats stats;
  *stats.mutable_rusage_start() = start;
  *stats.mutable_rusage_diff() = Difference(CurrentResourceUsage(), start);
  return stats;
}

}  // namespace distbench
