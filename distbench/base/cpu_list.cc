#include "distbench/base/cpu_list.h"

#include <sched.h>

#include <algorithm>
#include <iterator>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "glog/logging.h"

namespace distbench {
namespace {

cpu_set_t AsSet(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu : cpus) CPU_SET(cpu, &set);
  return set;
}

std::vector<int> AllowedCpus() {
  cpu_set_t set;
  PCHECK(sched_getaffinity(0, sizeof(set), &set) == 0);  // fails above CPU_SETSIZE CPUs only
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

// "3" or "0-3".
bool ParseRange(absl::string_view text, std::vector<int>* cpus) {
  const std::vector<absl::string_view> ends = absl::StrSplit(text, '-');
  int first = 0;
  int last = 0;
  if (ends.size() > 2 || !absl::SimpleAtoi(ends.front(), &first) ||
      !absl::SimpleAtoi(ends.back(), &last)) {
    return false;
  }
  if (first < 0 || last < first || last >= CPU_SETSIZE) return false;
  for (int cpu = first; cpu <= last; ++cpu) cpus->push_back(cpu);
  return true;
}

}  // namespace

absl::StatusOr<CpuList> CpuList::Parse(absl::string_view text) {
  std::vector<int> cpus;
  for (absl::string_view range : absl::StrSplit(text, ',')) {
    if (!ParseRange(range, &cpus)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", range, "\" in \"", text, "\" is no CPU or range of CPUs; expected 0-3,8"));
    }
  }
  std::sort(cpus.begin(), cpus.end());
  const auto twice = std::adjacent_find(cpus.begin(), cpus.end());
  if (twice != cpus.end()) {
    return absl::InvalidArgumentError(absl::StrCat("CPU ", *twice, " is twice in \"", text, "\""));
  }
  return CpuList(std::move(cpus));
}

CpuList CpuList::OfThisThread() { return CpuList(AllowedCpus()); }

std::string CpuList::ToString() const {
  std::vector<std::string> ranges;
  for (size_t i = 0; i < cpus_.size();) {
    size_t last = i;
    while (last + 1 < cpus_.size() && cpus_[last + 1] == cpus_[last] + 1) ++last;
    ranges.push_back(i == last ? absl::StrCat(cpus_[i]) : absl::StrCat(cpus_[i], "-", cpus_[last]));
    i = last + 1;
  }
  return absl::StrJoin(ranges, ",");
}

absl::Status CpuList::ConfineThisThread() const {
  const CpuList allowed = OfThisThread();
  std::vector<int> missing;
  std::set_difference(cpus_.begin(), cpus_.end(), allowed.cpus_.begin(), allowed.cpus_.end(),
                      std::back_inserter(missing));
  if (!missing.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("CPU ", absl::StrJoin(missing, ", "),
                                                   " cannot be used; this process may run on ",
                                                   allowed.ToString()));
  }
  const cpu_set_t set = AsSet(cpus_);
  PCHECK(sched_setaffinity(0, sizeof(set), &set) == 0);  // all of them are allowed
  return absl::OkStatus();
}

size_t DefaultLoopCount(const CpuList& cpus) { return std::max<size_t>(1, cpus.size() / 2); }

void LoopPlacement::EnterLoop(size_t loop) const {
  if (!cpus_) return;
  const cpu_set_t set = AsSet({cpus_->cpus()[loop % cpus_->size()]});
  // A CPU that was taken away since the start leaves the loop where the kernel puts it.
  PLOG_IF(WARNING, sched_setaffinity(0, sizeof(set), &set) != 0)
      << "event loop " << loop << " cannot be pinned";
}

void LoopPlacement::LeaveLoops() const {
  if (!cpus_) return;
  const cpu_set_t set = AsSet(cpus_->cpus());
  PLOG_IF(WARNING, sched_setaffinity(0, sizeof(set), &set) != 0)
      << "thread cannot use CPUs " << cpus_->ToString();
}

}  // namespace distbench
