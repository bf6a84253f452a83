#include <memory>

#include "distbench/driver/conformance/driver_conformance.h"
#include "distbench/driver/conformance/holder_subject.h"
#include "distbench/driver/double_barrel/double_barrel_driver.h"
#include "distbench/driver/double_barrel/double_barrel_driver_factory.h"
#include "distbench/driver/fake/fake_subject.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

HolderSubjectOptions DoubleBarrel() {
  return {.make_factory =
              [](const DriverRegistry* registry, size_t shards) {
                return std::make_unique<DoubleBarrelDriverFactory>(
                    HolderFactoryOptions{.registry = registry, .shards = shards});
              },
          .responder_info_of =
              [](const std::string& inner_info) {
                return JoinBarrels({inner_info, inner_info});
              }};
}

INSTANTIATE_TEST_SUITE_P(
    DoubleBarrel, DriverConformanceTest,
    testing::Values(
        HolderSubjectMaker(DoubleBarrel(),
                           FakeSubjectMaker("FakeAtOnce", {.mode = FakeTransit::Mode::kAtOnce})),
        HolderSubjectMaker(DoubleBarrel(),
                           FakeSubjectMaker("FakeDelayed", {.mode = FakeTransit::Mode::kDelayed,
                                                            .delay_ns = 10'000})),
        HolderSubjectMaker(DoubleBarrel(), TcpSubjectMaker("Tcp", {.shards = 2})),
        HolderSubjectMaker(DoubleBarrel(), GrpcSubjectMaker("Grpc", {.shards = 2}))),
    [](const auto& maker) { return maker.param.name; });

}  // namespace
}  // namespace distbench
