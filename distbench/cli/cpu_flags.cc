#include "distbench/cli/cpu_flags.h"

#include "absl/strings/str_cat.h"
#include "distbench/cli/flag_set.h"

namespace distbench {

namespace {

// More than machines have CPUs; each costs threads and a part of every engine.
constexpr int kMaxShards = 1024;

absl::Status AboutFlag(const std::string& flag, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(flag, ": ", status.message()));
}

}  // namespace

EventLoops DefaultEventLoops() { return {.shards = DefaultLoopCount(CpuList::OfThisThread())}; }

void CpuFlags::Declare(FlagSet* flags) {
  flags->Add("cpus", &cpus_text_, "LIST",
             "Run on these CPUs only, for example 0-3,8, and pin event loop i to the i-th of them; "
             "without it the kernel places every thread.");
  flags->Add(
      "shards", &shards_, "N",
      "Event loops, which handle RPCs; without it one for every two CPUs that the process may "
      "use. More can serve where the other side runs on another machine; fewer where many "
      "node managers share one.");
}

absl::Status CpuFlags::Check() {
  if (shards_.has_value() && (*shards_ < 1 || *shards_ > kMaxShards)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--shards=", *shards_, ": expected 1 to ", kMaxShards,
                     "; leave it out for one event loop for every two CPUs"));
  }
  if (cpus_text_.empty()) return absl::OkStatus();
  absl::StatusOr<CpuList> cpus = CpuList::Parse(cpus_text_);
  if (!cpus.ok()) return AboutFlag("--cpus", cpus.status());
  cpus_ = *std::move(cpus);
  return absl::OkStatus();
}

absl::StatusOr<EventLoops> CpuFlags::Apply() const {
  if (cpus_.has_value()) {
    const absl::Status confined = cpus_->ConfineThisThread();
    if (!confined.ok()) return AboutFlag(absl::StrCat("--cpus=", cpus_text_), confined);
  }
  EventLoops loops = DefaultEventLoops();
  if (cpus_.has_value()) loops.placement = LoopPlacement(*cpus_);
  if (shards_.has_value()) loops.shards = static_cast<size_t>(*shards_);
  return loops;
}

}  // namespace distbench
