// Sequencer: the test sequencer's daemon: its address, its server, its nodes, the runner's thread.
//
//   ASSIGN_OR_RETURN(auto sequencer, Sequencer::Start({.bind_ip = "::", .port = 10000,
//                                                      .drivers = drivers}, provenance));
//   sequencer->Wait();         // until a sequence with shutdown_after_tests, or RequestShutdown()
//   sequencer->Shutdown();     // what runs ends as cancelled and is answered
//
// Thread-safe.
#ifndef DISTBENCH_SEQUENCER_SEQUENCER_H_
#define DISTBENCH_SEQUENCER_SEQUENCER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "distbench/config/compiler.h"

namespace distbench {

class Provenance;

struct SequencerOptions {
  std::string bind_ip;   // numeric
  uint16_t port = 0;     // 0: whatever the kernel gives
  KnownDrivers drivers;  // what configs are compiled against
};

class Sequencer {
 public:
  // Serves when it returns. An error names the address.
  static absl::StatusOr<std::unique_ptr<Sequencer>> Start(const SequencerOptions& options,
                                                          const Provenance& provenance);

  // Shuts down if that was not done before.
  ~Sequencer();

  uint16_t port() const;

  // Returns when shutdown was requested.
  void Wait();

  // Has Wait() return. Does not block, but is not safe in a signal handler.
  void RequestShutdown();

  // Cancels what runs, answers the callers, stops serving. Blocks until all of that is done; some
  // seconds where nodes do not answer.
  void Shutdown();

 private:
  class Parts;
  explicit Sequencer(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SEQUENCER_H_
