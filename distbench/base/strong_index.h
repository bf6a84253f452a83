// StrongIndex: an index that cannot be mixed up with another kind of index.
//
//   using RpcIndex = StrongIndex<struct RpcIndexTag>;
//   IndexedVector<RpcIndex, RpcPlan> rpcs;
//   rpcs[RpcIndex(3)]              // compiles
//   rpcs[ServiceIndex(3)]          // does not
//
// An index names an element; it is not arithmetic. A missing index is std::optional, never -1.
#ifndef DISTBENCH_BASE_STRONG_INDEX_H_
#define DISTBENCH_BASE_STRONG_INDEX_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

namespace distbench {

template <typename Tag>
class StrongIndex {
 public:
  constexpr StrongIndex() = default;
  constexpr explicit StrongIndex(size_t value) : value_(static_cast<uint32_t>(value)) {}

  constexpr uint32_t value() const { return value_; }

  friend constexpr auto operator<=>(StrongIndex, StrongIndex) = default;

  template <typename H>
  friend H AbslHashValue(H h, StrongIndex index) {
    return H::combine(std::move(h), index.value_);
  }

 private:
  uint32_t value_ = 0;
};

// A vector whose subscript is an Index.
template <typename Index, typename T>
class IndexedVector {
 public:
  IndexedVector() = default;
  explicit IndexedVector(size_t size) : items_(size) {}
  IndexedVector(size_t size, const T& value) : items_(size, value) {}
  IndexedVector(std::initializer_list<T> items) : items_(items) {}

  decltype(auto) operator[](Index i) { return items_[i.value()]; }
  decltype(auto) operator[](Index i) const { return items_[i.value()]; }

  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void resize(size_t size) { items_.resize(size); }
  void reserve(size_t size) { items_.reserve(size); }

  // Appends and returns the new element's index.
  Index push_back(T item) {
    items_.push_back(std::move(item));
    return Index(items_.size() - 1);
  }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

  const std::vector<T>& items() const { return items_; }

 private:
  std::vector<T> items_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_STRONG_INDEX_H_
