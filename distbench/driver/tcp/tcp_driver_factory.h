// TcpDriverFactory: makes tcp drivers and owns what those of a process share: the event loops.
#ifndef DISTBENCH_DRIVER_TCP_TCP_DRIVER_FACTORY_H_
#define DISTBENCH_DRIVER_TCP_TCP_DRIVER_FACTORY_H_

#include <atomic>
#include <cstddef>
#include <memory>

#include "distbench/base/cpu_list.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

class LoopSets;

struct TcpDriverFactoryOptions {
  size_t shards = 1;  // of the engines; and event loops, where a config does not say how many
  LoopPlacement placement;
};

class TcpDriverFactory final : public DriverFactory {
 public:
  // Starts no thread: the first driver that is made does.
  explicit TcpDriverFactory(const TcpDriverFactoryOptions& options);

  // Joins the event loops. Requires: the drivers have gone.
  ~TcpDriverFactory() override;

  absl::Status Check(const ProtocolDriverOptions& options) const override;
  absl::Status CheckChannel(const ProtocolDriverOptions& options,
                            const MultiServerChannel& channel) const override;
  // Unix-domain sockets have names, no ports.
  int64_t PortsPerEngine(const ProtocolDriverOptions& options) const override;
  int64_t DescriptorsPerPeer(const ProtocolDriverOptions& options) const override;
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) override;

 private:
  const TcpDriverFactoryOptions options_;
  const std::unique_ptr<LoopSets> loops_;
  std::atomic<int> next_unix_name_{1};
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_DRIVER_FACTORY_H_
