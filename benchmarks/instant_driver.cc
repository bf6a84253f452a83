#include "benchmarks/instant_driver.h"

#include <algorithm>

namespace distbench {

InstantDriver::InstantDriver(int64_t response_bytes) {
  const OutgoingMessage message = head_.EncodeResponse({}, response_bytes);
  // The engine reads no payload: the first stretch of the pattern stands for all of it.
  const size_t payload_bytes =
      static_cast<size_t>(std::min<int64_t>(message.payload_size, kPayloadPatternSize));
  fragments_ = {message.head, PayloadPattern().substr(0, payload_bytes)};
  response_ = {.fragments = fragments_,
               .size = static_cast<int64_t>(message.head.size() + payload_bytes)};
}

absl::StatusOr<std::string> InstantDriver::AcceptConnection(absl::string_view initiator_info) {
  return std::string();
}

void InstantDriver::Connect(InstanceIndex peer, absl::string_view responder_info,
                            absl::Time deadline, std::function<void(absl::Status)> done) {
  done(absl::OkStatus());
}

}  // namespace distbench
