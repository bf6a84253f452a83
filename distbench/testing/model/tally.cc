#include "distbench/testing/model/tally.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace distbench::model {
namespace {

// The bounds of one event in every alternative that knows it.
struct Choices {
  std::vector<int64_t> least, most;
};

int64_t SumOfFirst(const std::vector<int64_t>& sorted, int64_t count) {
  return std::accumulate(sorted.begin(), sorted.begin() + count, int64_t{0});
}

}  // namespace

std::vector<Event> SumsOf(const Event& event) {
  std::vector<Event> sums = {event};
  const auto add_with = [&sums](auto change) {
    const size_t count = sums.size();
    for (size_t i = 0; i < count; ++i) {
      Event sum = sums[i];
      change(sum);
      if (sum != sums[i]) sums.push_back(sum);
    }
  };
  add_with([](Event& sum) { sum.client = kAnyInstance; });
  add_with([](Event& sum) { sum.server = kAnyInstance; });
  add_with([](Event& sum) { sum.phase = Phase::kAny; });
  return sums;
}

Tally Tally::Once(const Event& event) {
  Tally tally;
  for (const Event& sum : SumsOf(event)) tally.bounds_[sum] = {1, 1};
  return tally;
}

Tally Tally::Some(const std::vector<Tally>& alternatives, Bounds how_many) {
  std::map<Event, Choices> choices;
  for (const Tally& alternative : alternatives) {
    for (const auto& [event, bounds] : alternative.bounds_) {
      choices[event].least.push_back(bounds.least);
      choices[event].most.push_back(bounds.most);
    }
  }
  Tally some;
  for (auto& [event, choice] : choices) {
    choice.least.resize(alternatives.size());
    choice.most.resize(alternatives.size());
    std::sort(choice.least.begin(), choice.least.end());
    std::sort(choice.most.begin(), choice.most.end(), std::greater<>());
    some.bounds_[event] = {SumOfFirst(choice.least, how_many.least),
                           SumOfFirst(choice.most, how_many.most)};
  }
  return some;
}

Tally& Tally::operator+=(const Tally& other) {
  for (const auto& [event, bounds] : other.bounds_) {
    Bounds& sum = bounds_[event];
    sum.least += bounds.least;
    sum.most += bounds.most;
  }
  return *this;
}

Tally Tally::Times(Bounds repetitions) const {
  Tally product;
  if (repetitions.most == 0) return product;
  for (const auto& [event, bounds] : bounds_) {
    product.bounds_[event] = {bounds.least * repetitions.least, bounds.most * repetitions.most};
  }
  return product;
}

Bounds Tally::of(const Event& event) const {
  const auto found = bounds_.find(event);
  return found == bounds_.end() ? Bounds{} : found->second;
}

Bounds Tally::Rpcs() const {
  Bounds sum;
  for (const auto& [event, bounds] : bounds_) {
    if (event.kind != Kind::kRpc || event.client != kAnyInstance) continue;
    if (event.server != kAnyInstance || event.phase != Phase::kAny) continue;
    sum.least += bounds.least;
    sum.most += bounds.most;
  }
  return sum;
}

}  // namespace distbench::model
