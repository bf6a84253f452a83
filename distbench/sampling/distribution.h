// Distribution: integers, or pairs of integers, drawn by weight.
//
// It consists of boxes, each with a weight: a range of values for each dimension, both ends
// included. A draw chooses a box by its weight, then a value from each of its ranges, uniformly and
// independently. An exact value is a range of one.
//
// A draw takes the same short time however many boxes there are, by the alias method (Walker,
// "An efficient method for generating discrete random variables with general distributions", ACM
// TOMS 3(3), 1977), with the table built as Vose does ("A linear algorithm for generating random
// numbers with a given distribution", IEEE Trans. Software Eng. 17(9), 1991).
//
// Immutable, hence thread-safe.
#ifndef DISTBENCH_SAMPLING_DISTRIBUTION_H_
#define DISTBENCH_SAMPLING_DISTRIBUTION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "distbench/sampling/counter_random.h"

namespace distbench {

class Distribution {
 public:
  static constexpr size_t kMaxDimensions = 2;
  using Value = std::array<int64_t, kMaxDimensions>;

  struct Range {
    int64_t lower = 0;
    int64_t upper = 0;  // >= lower
  };
  struct Box {
    double weight = 0;  // >= 0
    std::array<Range, kMaxDimensions> ranges;
  };

  // Weights count in proportion to their sum, which is above 0. 1 <= dimensions <= kMaxDimensions.
  Distribution(size_t dimensions, std::vector<Box> boxes);

  size_t dimensions() const { return dimensions_; }

  // Dimensions that the distribution has not are 0.
  Value Draw(CounterRandom& random) const;

  // Of one dimension.
  double Mean(size_t dimension) const;
  int64_t Max(size_t dimension) const;
  int64_t Min(size_t dimension) const;

 private:
  // A column of the table: a uniform draw that falls to it takes its own box with this probability,
  // else the other one.
  struct Column {
    double own_probability = 1;
    size_t other = 0;
  };

  const size_t dimensions_;
  const std::vector<Box> boxes_;  // those with a weight above 0
  std::vector<Column> columns_;   // by box
};

}  // namespace distbench

#endif  // DISTBENCH_SAMPLING_DISTRIBUTION_H_
