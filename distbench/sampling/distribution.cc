#include "distbench/sampling/distribution.h"

#include <algorithm>
#include <utility>

namespace distbench {
namespace {

std::vector<Distribution::Box> WithoutWeightless(std::vector<Distribution::Box> boxes) {
  const auto is_weightless = [](const Distribution::Box& box) { return !(box.weight > 0); };
  boxes.erase(std::remove_if(boxes.begin(), boxes.end(), is_weightless), boxes.end());
  return boxes;
}

double WeightOf(const std::vector<Distribution::Box>& boxes) {
  double sum = 0;
  for (const Distribution::Box& box : boxes) sum += box.weight;
  return sum;
}

int64_t DrawFrom(const Distribution::Range& range, CounterRandom& random) {
  const uint64_t width = static_cast<uint64_t>(range.upper) - static_cast<uint64_t>(range.lower);
  if (width == 0) return range.lower;
  const uint64_t above = width + 1 == 0 ? random() : random.Below(width + 1);
  return static_cast<int64_t>(static_cast<uint64_t>(range.lower) + above);
}

}  // namespace

Distribution::Distribution(size_t dimensions, std::vector<Box> boxes)
    : dimensions_(dimensions),
      boxes_(WithoutWeightless(std::move(boxes))),
      columns_(boxes_.size()) {
  // Each column is as high as the mean weight: what a light box leaves free is filled up by a heavy
  // one, which keeps the rest of its weight.
  const double mean = WeightOf(boxes_) / static_cast<double>(boxes_.size());
  std::vector<double> left(boxes_.size());
  std::vector<size_t> light, heavy;
  for (size_t i = 0; i < boxes_.size(); ++i) {
    left[i] = boxes_[i].weight / mean;
    (left[i] < 1 ? light : heavy).push_back(i);
  }
  while (!light.empty() && !heavy.empty()) {
    const size_t small = light.back();
    const size_t large = heavy.back();
    light.pop_back();
    columns_[small] = {.own_probability = left[small], .other = large};
    left[large] -= 1 - left[small];
    if (left[large] < 1) {
      heavy.pop_back();
      light.push_back(large);
    }
  }
  // What is left on either side is full but for rounding, and keeps own_probability 1.
}

Distribution::Value Distribution::Draw(CounterRandom& random) const {
  size_t chosen = 0;
  if (boxes_.size() > 1) {
    chosen = random.Below(boxes_.size());
    if (!(random.Unit() < columns_[chosen].own_probability)) chosen = columns_[chosen].other;
  }
  Value value{};
  for (size_t i = 0; i < dimensions_; ++i) value[i] = DrawFrom(boxes_[chosen].ranges[i], random);
  return value;
}

double Distribution::Mean(size_t dimension) const {
  double sum = 0;
  for (const Box& box : boxes_) {
    const Range& range = box.ranges[dimension];
    const double middle =
        static_cast<double>(range.lower) / 2 + static_cast<double>(range.upper) / 2;
    sum += box.weight * middle;
  }
  return sum / WeightOf(boxes_);
}

int64_t Distribution::Max(size_t dimension) const {
  int64_t max = boxes_.front().ranges[dimension].upper;
  for (const Box& box : boxes_) max = std::max(max, box.ranges[dimension].upper);
  return max;
}

int64_t Distribution::Min(size_t dimension) const {
  int64_t min = boxes_.front().ranges[dimension].lower;
  for (const Box& box : boxes_) min = std::min(min, box.ranges[dimension].lower);
  return min;
}

}  // namespace distbench
