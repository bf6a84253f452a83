// ObjectPool: objects that are made once and used again and again. Taking and returning one costs
// a few instructions; memory grows in chunks to the largest number ever in use and is kept.
// Not thread-safe.
#ifndef DISTBENCH_BASE_OBJECT_POOL_H_
#define DISTBENCH_BASE_OBJECT_POOL_H_

#include <deque>
#include <utility>
#include <vector>

namespace distbench {

template <typename T>
class ObjectPool {
 public:
  ObjectPool() = default;
  ObjectPool(const ObjectPool&) = delete;
  ObjectPool& operator=(const ObjectPool&) = delete;

  // An object in the state in which it was returned, or a new T(args...).
  template <typename... Args>
  T* Take(Args&&... args) {
    if (free_.empty()) {
      if (free_.capacity() <= all_.size()) free_.reserve(2 * all_.size() + 16);
      return &all_.emplace_back(std::forward<Args>(args)...);
    }
    T* object = free_.back();
    free_.pop_back();
    return object;
  }

  void Return(T* object) { free_.push_back(object); }

  size_t in_use() const { return all_.size() - free_.size(); }

 private:
  std::deque<T> all_;  // addresses are stable
  std::vector<T*> free_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_OBJECT_POOL_H_
