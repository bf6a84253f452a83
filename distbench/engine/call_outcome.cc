#include "distbench/engine/call_outcome.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "distbench/payload/generic_message.h"

namespace distbench {
namespace {

constexpr char kCancelledPrefix[] = "Traffic cancelled: ";
constexpr char kOverloadPrefix[] = "Traffic cancelled: RESOURCE_EXHAUSTED:";

}  // namespace

void CallOutcome::Read(const absl::Status& status, const ReceivedMessage& response) {
  status_ = status;
  if (!status_.ok()) return;
  auto head = DecodeResponse(response, &error_message_);
  if (!head.ok()) {
    status_ = head.status();
  } else {
    server_instance_ = head->server_instance;
  }
}

void CallOutcome::CheckEcho(const OutgoingMessage& request, const ReceivedMessage& response) {
  if (is_success()) status_ = distbench::CheckEcho(request, response);
}

void CallOutcome::FindServer(const Plan& plan, ChannelIndex channel, InstanceIndex* server) {
  if (!status_.ok()) return;
  const ServicePlan& service = plan.services[plan.channels[channel].server];
  const int32_t rank = server_instance_.value_or(-1);
  if (rank >= 0 && static_cast<size_t>(rank) < service.count) {
    *server = InstanceIndex(service.first.value() + static_cast<size_t>(rank));
  } else if (error_message_.empty()) {
    status_ = absl::InternalError(absl::StrCat(
        "the answer on channel ", plan.channels[channel].name, " says that instance ",
        server_instance_ ? absl::StrCat(rank) : "(none)", " of ", service.name, " served it"));
  }
}

bool CallOutcome::is_cancellation() const {
  return absl::IsCancelled(status_) || absl::StartsWith(error_message_, kCancelledPrefix);
}

bool CallOutcome::SaysOverload() const { return absl::StartsWith(error_message_, kOverloadPrefix); }

absl::Status CallOutcome::OverloadReason() const {
  return absl::ResourceExhaustedError(
      absl::StripLeadingAsciiWhitespace(absl::StripPrefix(error_message_, kOverloadPrefix)));
}

}  // namespace distbench
