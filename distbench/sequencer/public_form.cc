#include "distbench/sequencer/public_form.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int kFirstExtension = 1000;
constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();

void UsePublicIterations(Iterations& iterations) {
  if (iterations.has_max_iteration_count_64() && iterations.max_iteration_count_64() <= kMaxInt32) {
    iterations.set_max_iteration_count(static_cast<int32_t>(iterations.max_iteration_count_64()));
    iterations.clear_max_iteration_count_64();
  }
  if (iterations.has_max_duration_us_64() && iterations.max_duration_us_64() <= kMaxInt32) {
    iterations.set_max_duration_us(static_cast<int32_t>(iterations.max_duration_us_64()));
    iterations.clear_max_duration_us_64();
  }
  if (iterations.pacing() == "sleep") iterations.clear_pacing();  // what every program does
}

// Appends the paths of all fields that are extensions.
void FindExtensions(const Message& message, const std::string& prefix,
                    std::vector<std::string>& paths) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const std::string path = absl::StrCat(prefix, field->name());
    if (field->number() >= kFirstExtension) {
      paths.push_back(path);
    } else if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      continue;
    } else if (!field->is_repeated()) {
      FindExtensions(reflection.GetMessage(message, field), absl::StrCat(path, "."), paths);
    } else {
      for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        FindExtensions(reflection.GetRepeatedMessage(message, field, i),
                       absl::StrCat(path, "[", i, "]."), paths);
      }
    }
  }
}

}  // namespace

absl::StatusOr<DistributedSystemDescription> PublicForm(
    const DistributedSystemDescription& config) {
  DistributedSystemDescription form = config;
  form.clear_seed();
  form.clear_verdict_limits();
  for (Action& action : *form.mutable_actions()) {
    if (action.has_iterations()) UsePublicIterations(*action.mutable_iterations());
  }
  for (RpcSpec& rpc : *form.mutable_rpc_descriptions()) {
    if (rpc.deadline_us() == 0) rpc.clear_deadline_us();
    if (!rpc.one_way()) rpc.clear_one_way();
    if (!rpc.echo_request()) rpc.clear_echo_request();
    if (rpc.server_dispatch().mode() == "inline") rpc.clear_server_dispatch();
  }
  std::vector<std::string> extensions;
  FindExtensions(form, "", extensions);
  if (!extensions.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("only nodes of this program know ", absl::StrJoin(extensions, ", ")));
  }
  return form;
}

}  // namespace distbench
