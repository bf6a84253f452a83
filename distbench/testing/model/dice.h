// Dice: the random choices of a generator of tests. The same seed, the same choices, everywhere.
#ifndef DISTBENCH_TESTING_MODEL_DICE_H_
#define DISTBENCH_TESTING_MODEL_DICE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

namespace distbench::model {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  // limit > 0.
  size_t Below(size_t limit) { return random_() % limit; }
  // Both ends included.
  int Between(int least, int most) {
    return least + static_cast<int>(Below(static_cast<size_t>(most - least + 1)));
  }
  bool Percent(size_t chance) { return Below(100) < chance; }

  template <typename T>
  T Pick(std::initializer_list<T> choices) {
    return *(choices.begin() + Below(choices.size()));
  }
  // Not empty.
  template <typename T>
  const T& Pick(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }
  template <typename T>
  void Shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_DICE_H_
