#include "test_builder/time_left.h"

#include <cstdint>

#include "absl/strings/str_cat.h"

namespace distbench {

std::string MinutesAndSeconds(absl::Duration time) {
  const int64_t seconds = absl::ToInt64Seconds(absl::Ceil(time, absl::Seconds(1)));
  if (seconds < 60) return absl::StrCat(seconds, " s");
  if (seconds < 3600) return absl::StrCat(seconds / 60, " min ", seconds % 60, " s");
  return absl::StrCat(seconds / 3600, " h ", seconds / 60 % 60, " min");
}

}  // namespace distbench
