#include <memory>

#include "distbench/driver/conformance/driver_conformance.h"
#include "distbench/driver/conformance/holder_subject.h"
#include "distbench/driver/fake/fake_subject.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "distbench/driver/rpc_counter/rpc_counter_driver_factory.h"
#include "distbench/driver/tcp/tcp_subject.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

HolderSubjectOptions RpcCounter() {
  return {.make_factory =
              [](const DriverRegistry* registry, size_t shards) {
                return std::make_unique<RpcCounterDriverFactory>(
                    HolderFactoryOptions{.registry = registry, .shards = shards});
              },
          .responder_info_of = [](const std::string& inner_info) { return inner_info; }};
}

INSTANTIATE_TEST_SUITE_P(
    RpcCounter, DriverConformanceTest,
    testing::Values(
        HolderSubjectMaker(RpcCounter(),
                           FakeSubjectMaker("FakeAtOnce", {.mode = FakeTransit::Mode::kAtOnce})),
        HolderSubjectMaker(RpcCounter(),
                           FakeSubjectMaker("FakeDelayed", {.mode = FakeTransit::Mode::kDelayed,
                                                            .delay_ns = 10'000})),
        HolderSubjectMaker(RpcCounter(), TcpSubjectMaker("Tcp", {.shards = 2})),
        HolderSubjectMaker(RpcCounter(), GrpcSubjectMaker("Grpc", {.shards = 2}))),
    [](const auto& maker) { return maker.param.name; });

}  // namespace
}  // namespace distbench
