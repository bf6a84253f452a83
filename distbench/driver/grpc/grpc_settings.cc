#include "distbench/driver/grpc/grpc_settings.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/driver/grpc/setting_reader.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr char kClientSettings[] = "client_settings";
constexpr char kServerSettings[] = "server_settings";

// Bounds that keep a wrong figure from taking all descriptors or threads of the machine.
constexpr SettingReader::Range kChannels = {.first = 1, .last = 1024};
constexpr SettingReader::Range kQueues = {.first = 1, .last = 64};
constexpr SettingReader::Range kThreadsPerQueue = {.first = 1, .last = 16};
constexpr SettingReader::Range kPoolSize = {.first = 0, .last = 512};

GrpcLoopSettings ReadLoops(SettingReader& reader) {
  return {.queues = reader.Count("completion_queues", kQueues),
          .threads_per_queue = reader.Count("threads_per_queue", kThreadsPerQueue).value_or(1)};
}

bool HasSetting(const google::protobuf::RepeatedPtrField<NamedSetting>& settings,
                absl::string_view name) {
  for (const NamedSetting& setting : settings) {
    if (setting.name() == name) return true;
  }
  return false;
}

// The calls of a callback client are completed by threads that gRPC starts and counts itself.
void CheckCallbackLoops(const ProtocolDriverOptions& options, SettingProblems* problems) {
  for (const char* name : {"completion_queues", "threads_per_queue"}) {
    if (!HasSetting(options.client_settings(), name)) continue;
    problems->Add(absl::InvalidArgumentError(
        absl::StrCat(kClientSettings, " ", name, " is given, but client_type is callback, whose ",
                     "calls are completed by gRPC's own threads; leave one of the two out")));
  }
}

GrpcClientSettings ReadClient(const ProtocolDriverOptions& options, GrpcProtocol protocol,
                              SettingProblems* problems) {
  SettingReader reader(kClientSettings, options.client_settings(), problems);
  SettingReader::Words<GrpcClientType> types = {{"callback", GrpcClientType::kCallback}};
  if (protocol == GrpcProtocol::kGrpc) types.emplace_back("polling", GrpcClientType::kPolling);
  GrpcClientSettings client;
  client.type = reader.Word("client_type", types).value_or(types.back().second);
  client.channels = reader.Count("channels", kChannels).value_or(1);
  client.loops = ReadLoops(reader);
  client.arguments = reader.Rest();
  if (client.type == GrpcClientType::kCallback) CheckCallbackLoops(options, problems);
  return client;
}

GrpcServerSettings ReadServer(const ProtocolDriverOptions& options, GrpcProtocol protocol,
                              SettingProblems* problems) {
  SettingReader reader(kServerSettings, options.server_settings(), problems);
  SettingReader::Words<GrpcServerType> types = {{"handoff", GrpcServerType::kHandoff}};
  if (protocol == GrpcProtocol::kGrpc) {
    types.emplace_back("polling", GrpcServerType::kPolling);
    types.emplace_back("inline", GrpcServerType::kInline);
  }
  GrpcServerSettings server;
  server.type = reader.Word("server_type", types).value_or(types.back().second);
  server.pool = reader
                    .Word<GrpcPoolType>("threadpool_type", {{"simple", GrpcPoolType::kSimple},
                                                            {"elastic", GrpcPoolType::kElastic},
                                                            {"null", GrpcPoolType::kNull}})
                    .value_or(GrpcPoolType::kElastic);
  server.pool_size = reader.Count("threadpool_size", kPoolSize).value_or(0);
  server.loops = ReadLoops(reader);
  reader.Word<bool>("transport", {{"tcp", true}});  // the only one there is
  server.arguments = reader.Rest();
  return server;
}

absl::Status CheckIpVersion(const ProtocolDriverOptions& options) {
  const int ip_version = options.ip_version();
  if (ip_version == 0 || ip_version == 4 || ip_version == 6) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("ip_version is ", ip_version, "; it can be 4, 6, or 0 for either"));
}

}  // namespace

absl::StatusOr<GrpcSettings> ParseGrpcSettings(const ProtocolDriverOptions& options,
                                               GrpcProtocol protocol) {
  SettingProblems problems;
  problems.Add(CheckIpVersion(options));
  const GrpcServerSettings server = ReadServer(options, protocol, &problems);
  const GrpcClientSettings client = ReadClient(options, protocol, &problems);
  if (absl::Status status = problems.ToStatus(); !status.ok()) return status;
  return GrpcSettings{.client = client, .server = server};
}

}  // namespace distbench
