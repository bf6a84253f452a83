#include "distbench/driver/grpc/channel_arguments.h"

#include <algorithm>
#include <limits>
#include <utility>

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

// gRPC copies what it is given.
grpc_arg ToGrpc(const ChannelArgument& argument) {
  if (const int* number = std::get_if<int>(&argument.value)) {
    return Integer(argument.name.c_str(), *number);
  }
  grpc_arg text = {};
  text.type = GRPC_ARG_STRING;
  text.key = const_cast<char*>(argument.name.c_str());
  text.value.string = const_cast<char*>(std::get<std::string>(argument.value).c_str());
  return text;
}

// What a stream may send before its receiver has looked at it.
constexpr int kWindowBytes = 16 << 20;

// The most that a peer may send in one frame.
constexpr int kFrameBytes = 1 << 20;

}  // namespace

std::vector<grpc_arg> ClientChannelArguments() {
  return {
      Integer(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, kUnlimited),
      Integer(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, kUnlimited),
      // Windows and frames that are wide from the start, instead of ones that grow with what pings
      // measure.
      Integer(GRPC_ARG_HTTP2_BDP_PROBE, 0),
      Integer(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kWindowBytes),
      Integer(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, kFrameBytes),
      // No filters but those asked for: deadlines are kept, and what a peer compresses is read.
      Integer(GRPC_ARG_MINIMAL_STACK, 1),
      Integer(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 1),
      Integer(GRPC_ARG_ENABLE_DEADLINE_CHECKS, 1),
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
      Integer(GRPC_ARG_HTTP2_BDP_PROBE, 0),
      Integer(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kWindowBytes),
      Integer(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, kFrameBytes),
      // As for clients. A call's deadline is its client's business, which cancels the call.
      Integer(GRPC_ARG_MINIMAL_STACK, 1),
      Integer(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 1),
      // A port that somebody else listens on is an error, not to be shared.
      Integer(GRPC_ARG_ALLOW_REUSEPORT, 0),
      Integer(GRPC_ARG_KEEPALIVE_TIME_MS, kUnlimited),
      // Peers of other programs may ping as they like.
      Integer(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 0),
      Integer(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0),
      Integer(GRPC_ARG_ENABLE_CHANNELZ, 0),
  };
}

std::vector<grpc_arg> Override(std::vector<grpc_arg> defaults,
                               const std::vector<ChannelArgument>& overrides) {
  std::vector<grpc_arg> result = std::move(defaults);
  for (const ChannelArgument& argument : overrides) {
    const auto same = std::find_if(result.begin(), result.end(), [&](const grpc_arg& candidate) {
      return argument.name == candidate.key;
    });
    if (same != result.end()) {
      *same = ToGrpc(argument);
    } else {
      result.push_back(ToGrpc(argument));
    }
  }
  return result;
}

}  // namespace distbench
