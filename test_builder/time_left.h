// How long tests take, for people. Pure.
#ifndef TEST_BUILDER_TIME_LEFT_H_
#define TEST_BUILDER_TIME_LEFT_H_

#include <string>

#include "absl/time/time.h"

namespace distbench {

// What a test takes besides its traffic, as long as nothing better is known.
inline constexpr absl::Duration kUsualTimeAroundTest = absl::Seconds(2);

// "42 s", "3 min 5 s", "2 h 10 min"; whole seconds, rounded up.
std::string MinutesAndSeconds(absl::Duration time);

}  // namespace distbench

#endif  // TEST_BUILDER_TIME_LEFT_H_
