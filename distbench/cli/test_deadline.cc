#include "distbench/cli/test_deadline.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/compiler.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

constexpr absl::Duration kDefaultDeadline = absl::Hours(1);
constexpr absl::Duration kTimeAroundTest = absl::Seconds(15);
constexpr char kTimeoutAttribute[] = "test_timeout";

}  // namespace

void SetTestTimeouts(absl::Duration timeout, TestSequence* sequence) {
  const std::string seconds = absl::StrCat(absl::ToDoubleSeconds(timeout));
  for (DistributedSystemDescription& test : *sequence->mutable_tests()) {
    (*test.mutable_attributes())[kTimeoutAttribute] = seconds;
  }
}

absl::StatusOr<absl::Duration> SequenceDeadline(const TestSequence& sequence) {
  absl::Duration total = absl::ZeroDuration();
  bool all_say_their_own = true;
  for (const DistributedSystemDescription& test : sequence.tests()) {
    ASSIGN_OR_RETURN(const double seconds, TestTimeoutSeconds(test));
    total += absl::Seconds(seconds);
    all_say_their_own = all_say_their_own && test.attributes().contains(kTimeoutAttribute);
  }
  // A sequence without tests has an answer too.
  return (all_say_their_own ? total : kDefaultDeadline) +
         kTimeAroundTest * std::max(1, sequence.tests_size());
}

}  // namespace distbench
