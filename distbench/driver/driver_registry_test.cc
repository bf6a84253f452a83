#include "distbench/driver/driver_registry.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

class NullFactory final : public DriverFactory {
 public:
  absl::Status Check(const ProtocolDriverOptions&) const override { return absl::OkStatus(); }
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(const ProtocolDriverOptions&,
                                                         const DriverEnvironment&) override {
    return absl::UnimplementedError("null");
  }
};

TEST(DriverRegistryTest, FindsWhatWasRegistered) {
  DriverRegistry registry;
  auto factory = std::make_unique<NullFactory>();
  DriverFactory* expected = factory.get();
  registry.Register("null", std::move(factory));
  EXPECT_EQ(registry.Find("null"), expected);
  EXPECT_EQ(registry.Find("nul"), nullptr);
}

TEST(DriverRegistryTest, NamesAreSorted) {
  DriverRegistry registry;
  for (const char* name : {"tcp", "fake", "grpc"}) {
    registry.Register(name, std::make_unique<NullFactory>());
  }
  EXPECT_EQ(registry.Names(), (std::vector<std::string>{"fake", "grpc", "tcp"}));
}

}  // namespace
}  // namespace distbench
