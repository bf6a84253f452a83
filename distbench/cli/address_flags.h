// AddressFlags: where a daemon listens and what it tells others, as flags. net/address_choice.h
// says what follows from them. Not thread-safe.
#ifndef DISTBENCH_CLI_ADDRESS_FLAGS_H_
#define DISTBENCH_CLI_ADDRESS_FLAGS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "distbench/net/address_choice.h"

namespace distbench {

class FlagSet;

class AddressFlags {
 public:
  void DeclareControlPlane(FlagSet* flags);
  void DeclareDataPlane(FlagSet* flags);

  // Whether the flags can be read; the options below are complete only after it.
  absl::Status Check();

  // `sequencer_host`: whom the daemon registers with; empty: nobody.
  ControlPlaneOptions ControlPlane(const std::string& sequencer_host) const;
  DataPlaneOptions DataPlane(const std::string& sequencer_host) const;

 private:
  ControlPlaneOptions control_plane_;
  DataPlaneOptions data_plane_;
  std::string data_ports_;
  bool prefer_ipv4_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_ADDRESS_FLAGS_H_
