#include "distbench/driver/grpc/channel_arguments.h"

#include <limits>

namespace distbench {
namespace {

constexpr int kUnlimited = std::numeric_limits<int>::max();

// gRPC does not write to the key.
grpc_arg Integer(const char* key, int value) {
  grpc_arg argument = {};
  argument.type = GRPC_ARG_INTEGER;
  argument.key = const_cast<char*>(key);
  argument.value.integer = value;
  return argument;
}

}  // namespace

std::vector<grpc_arg> ClientChannelArguments() {
  return {
      Integer(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, kUnlimited),
      Integer(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, kUnlimited),
      // Channels to one address, as of several engines in this process, have connections of their
      // own.
      Integer(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1),
      Integer(GRPC_ARG_ENABLE_RETRIES, 0),
      Integer(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1),
      Integer(GRPC_ARG_ENABLE_HTTP_PROXY, 0),
      Integer(GRPC_ARG_KEEPALIVE_TIME_MS, kUnlimited),
      Integer(GRPC_ARG_CLIENT_IDLE_TIMEOUT_MS, kUnlimited),
      Integer(GRPC_ARG_ENABLE_CHANNELZ, 0),
      // A peer that comes up late is found soon.
      Integer(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100),
      Integer(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000),
  };
}

std::vector<grpc_arg> ServerChannelArguments() {
  return {
      Integer(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, kUnlimited),
      Integer(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, kUnlimited),
      // A port that somebody else listens on is an error, not to be shared.
      Integer(GRPC_ARG_ALLOW_REUSEPORT, 0),
      Integer(GRPC_ARG_KEEPALIVE_TIME_MS, kUnlimited),
      // Peers of other programs may ping as they like.
      Integer(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 0),
      Integer(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0),
      Integer(GRPC_ARG_ENABLE_CHANNELZ, 0),
  };
}

}  // namespace distbench
