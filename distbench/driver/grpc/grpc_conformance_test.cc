#include <memory>

#include "distbench/driver/conformance/driver_conformance.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

ConformanceSubjectMaker MakerFor(std::string name, GrpcSubjectOptions options) {
  return {.name = std::move(name),
          .make = [options] { return std::make_unique<GrpcSubject>(options); }};
}

INSTANTIATE_TEST_SUITE_P(Grpc, DriverConformanceTest,
                         testing::Values(MakerFor("OneShard", {.shards = 1}),
                                         MakerFor("ThreeShards", {.shards = 3})),
                         [](const auto& maker) { return maker.param.name; });

}  // namespace
}  // namespace distbench
