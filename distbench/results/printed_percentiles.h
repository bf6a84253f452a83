// The percentiles that a summary prints.
#ifndef DISTBENCH_RESULTS_PRINTED_PERCENTILES_H_
#define DISTBENCH_RESULTS_PRINTED_PERCENTILES_H_

#include <array>
#include <cstdint>

namespace distbench {

inline constexpr uint32_t kAllPpm = 1'000'000;

struct PrintedPercentile {
  const char* name;
  uint32_t ppm;  // parts per million
};

inline constexpr std::array<PrintedPercentile, 5> kPrintedPercentiles = {{
    {"median", 500'000},
    {"90%", 900'000},
    {"99%", 990'000},
    {"99.9%", 999'000},
    {"99.99%", 999'900},
}};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_PRINTED_PERCENTILES_H_
