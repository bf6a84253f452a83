// Tally: how often each thing happens, as bounds, where chance has a part in it.
//
// An algebra of such bounds: what happens together adds, what is repeated multiplies, and of
// alternatives some happen. Sums over all clients, servers or phases are things of their own, so
// that they stay exact where their parts are not: of "one of two servers" each server's bounds are
// 0 to 1, and those of both together 1 to 1.
#ifndef DISTBENCH_TESTING_MODEL_TALLY_H_
#define DISTBENCH_TESTING_MODEL_TALLY_H_

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace distbench::model {

struct Bounds {
  int64_t least = 0;
  int64_t most = 0;
  bool contain(int64_t value) const { return least <= value && value <= most; }
};

enum class Phase { kAny, kWarmup, kMeasured };
enum class Kind { kRpc, kActivity };

inline constexpr int kAnyInstance = -1;

// Something that happens: an RPC from one instance to another, or an iteration of an activity.
struct Event {
  Kind kind = Kind::kRpc;
  int what = 0;    // position in `rpc_descriptions` or `activity_configs`
  int client = 0;  // position in Population::instances()
  int server = 0;
  Phase phase = Phase::kAny;
  auto operator<=>(const Event&) const = default;
};

// The sums that the event counts in, itself first.
std::vector<Event> SumsOf(const Event& event);

class Tally {
 public:
  // Of one event, which happens once. Requires: its phase is not kAny.
  static Tally Once(const Event& event);
  // Of so many distinct ones of `alternatives`, whichever.
  static Tally Some(const std::vector<Tally>& alternatives, Bounds how_many);
  static Tally Either(const Tally& a, const Tally& b) { return Some({a, b}, {1, 1}); }

  Tally& operator+=(const Tally& other);
  Tally Times(Bounds repetitions) const;

  // Nothing if it never happens.
  Bounds of(const Event& event) const;
  const std::map<Event, Bounds>& all() const { return bounds_; }
  // RPCs, all together.
  Bounds Rpcs() const;

 private:
  std::map<Event, Bounds> bounds_;
};

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_TALLY_H_
