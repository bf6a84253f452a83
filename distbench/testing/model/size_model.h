// SizeModel: how large the messages of each RPC may be, by what the config says of them.
// Independent of the compiler and the engine. For configs that compile.
#ifndef DISTBENCH_TESTING_MODEL_SIZE_MODEL_H_
#define DISTBENCH_TESTING_MODEL_SIZE_MODEL_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "distbench/testing/model/tally.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench::model {

// In bytes of the whole serialized message.
struct MessageSizes {
  Bounds request;
  Bounds response;
};

class SizeModel {
 public:
  explicit SizeModel(const DistributedSystemDescription& config);

  // By position in `rpc_descriptions`. A message that is smaller than its own head has the head's
  // size: the bounds leave room for it.
  const MessageSizes& of(int rpc) const { return sizes_[static_cast<size_t>(rpc)]; }

  // Of the response that echoes such a request. Exact.
  int64_t EchoOf(const RpcSample& request) const;

 private:
  Bounds Payload(const std::string& name, int64_t absent) const;
  Bounds Drawn(const std::string& distribution, const std::string& field) const;
  MessageSizes Asked(const RpcSpec& rpc) const;
  void AddResponseOverrides(const std::string& list, std::set<std::string>& seen,
                            Bounds& response) const;

  const DistributedSystemDescription config_;
  std::vector<MessageSizes> sizes_;
};

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_SIZE_MODEL_H_
