// CallTable: the calls that a client has in flight on one connection, by the ids it gave them.
//
// A slot is used again as soon as its call has left, the last one first, so that the table stays as
// small as the largest number of calls at once and is dense from 0 on, which is what a server
// requires of ids. Each use of a slot is another generation: an answer that comes after its call
// has left misses.
//
// Not thread-safe.
#ifndef DISTBENCH_DRIVER_TCP_CALL_TABLE_H_
#define DISTBENCH_DRIVER_TCP_CALL_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "distbench/driver/tcp/frame.h"

namespace distbench {

template <typename Call>
class CallTable {
 public:
  size_t size() const { return size_; }

  // Gives an id to `call`, which is not null.
  CallId Insert(Call* call) {
    ++size_;
    if (!first_free_) {
      slots_.push_back({.call = call});
      return {.slot = static_cast<uint32_t>(slots_.size() - 1), .generation = 0};
    }
    const uint32_t slot = *first_free_;
    first_free_ = slots_[slot].next_free;
    slots_[slot].call = call;
    return {.slot = slot, .generation = slots_[slot].generation};
  }

  // Whether some call has had this id.
  bool WasGiven(CallId id) const {
    if (id.slot >= slots_.size()) return false;
    const Slot& slot = slots_[id.slot];
    const auto ahead = static_cast<int32_t>(id.generation - slot.generation);
    return ahead < 0 || (ahead == 0 && slot.call != nullptr);
  }

  // Removes and returns the call of that id, null if it has left. Requires: WasGiven(id).
  Call* Remove(CallId id) {
    Slot& slot = slots_[id.slot];
    if (slot.generation != id.generation) return nullptr;
    Call* call = slot.call;
    slot.call = nullptr;
    ++slot.generation;
    slot.next_free = first_free_;
    first_free_ = id.slot;
    --size_;
    return call;
  }

  // Calls `action(Call*)` for each call that is in the table. It must not change the table.
  template <typename Action>
  void ForEach(Action action) const {
    for (const Slot& slot : slots_) {
      if (slot.call != nullptr) action(slot.call);
    }
  }

  // Forgets calls and ids: for a new connection.
  void Clear() {
    slots_.clear();
    first_free_.reset();
    size_ = 0;
  }

 private:
  struct Slot {
    Call* call = nullptr;
    uint32_t generation = 0;  // of the call, or of the next one
    std::optional<uint32_t> next_free;
  };

  std::vector<Slot> slots_;
  std::optional<uint32_t> first_free_;
  size_t size_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_CALL_TABLE_H_
