// RequestServer: what becomes of a request between its arrival on a driver's thread and the run of
// its list on a shard.
//
//   OnRequest --> waits until BeginServing --> no such RPC, traffic cancelled --> error
//                                              list is empty, or replayed     --> answered at once
//                                              replayed, with processing time --> in time
//                                              else                           --> a run on a shard,
//                                                           with a server_dispatch in its turn
//
// Thread-safe.
#ifndef DISTBENCH_ENGINE_REQUEST_SERVER_H_
#define DISTBENCH_ENGINE_REQUEST_SERVER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "distbench/driver/server_call.h"
#include "distbench/engine/engine_context.h"
#include "distbench/payload/generic_message.h"
#include "distbench/results/trace_hop.h"

namespace distbench {

class EngineShard;

class RequestServer final : public RequestHandler {
 public:
  using Shards = std::vector<std::unique_ptr<EngineShard>>;

  // Both outlive the server.
  RequestServer(EngineContext* context, const Shards* shards)
      : context_(*context),
        shards_(*shards),
        echoes_(EchoesSome(*context)),
        served_(context->plan->rpcs.size()) {}

  void OnRequest(ShardIndex shard, const ReceivedMessage& request, Responder responder) override;

  // Serves what has arrived, and from now on what arrives.
  void BeginServing();

  // Answers what still waits with an error.
  void DropWaiting();

 private:
  struct ArrivedRequest {
    ShardIndex shard;  // of the driver
    RequestHead head;  // without trace context
    std::unique_ptr<const TracePath> trace;
    std::unique_ptr<const std::string> echo;  // payload that the answer carries back; null: none
    int64_t arrival_ns = 0;
    Responder responder;
  };
  struct Answer {
    std::optional<RpcIndex> rpc;   // none: no such RPC is served
    absl::string_view error = {};  // not empty: failed
    int64_t response_bytes = 0;
  };

  static bool EchoesSome(const EngineContext& context);
  bool IsEchoed(const RequestHead& head) const;
  void Serve(ArrivedRequest&& request);
  void ServeReplayed(ArrivedRequest&& request);
  void AnswerAtOnce(ArrivedRequest&& request, const Answer& answer);
  std::optional<RpcIndex> FindRpc(const RequestHead& head, std::string* error) const;
  int64_t ResponseBytes(const RequestHead& head, RpcIndex rpc);
  EngineShard& OwnerOf(const ArrivedRequest& request) const;

  EngineContext& context_;
  const Shards& shards_;
  const bool echoes_;                          // any RPC that is served
  std::vector<std::atomic<uint64_t>> served_;  // requests of each RPC whose answer's size was drawn
  std::atomic<bool> serving_{false};
  absl::Mutex mutex_;
  std::vector<ArrivedRequest> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_REQUEST_SERVER_H_
