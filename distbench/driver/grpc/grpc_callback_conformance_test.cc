// The conformance suite for clients of gRPC's callback interface. Much of that lives in headers,
// whose order with the rest of gRPC the thread sanitizer does not see.
#include "distbench/driver/conformance/driver_conformance.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

INSTANTIATE_TEST_SUITE_P(
    GrpcCallback, DriverConformanceTest,
    testing::Values(GrpcSubjectMaker("CallbackInline",
                                     {.settings = WordSetting("client", "client_type", "callback") +
                                                  NumberSetting("client", "channels", 2)}),
                    GrpcSubjectMaker("AsyncCallback", {.async_callback = true})),
    [](const auto& maker) { return maker.param.name; });

}  // namespace
}  // namespace distbench
