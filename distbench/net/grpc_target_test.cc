#include "distbench/net/grpc_target.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

TEST(GrpcTargetTest, ChoosesTheSchemeByTheAddress) {
  EXPECT_EQ(GrpcTarget({"worker-3", 10000}), "dns:///worker-3:10000");
  EXPECT_EQ(GrpcTarget({"10.0.0.7", 10000}), "ipv4:///10.0.0.7:10000");
  EXPECT_EQ(GrpcTarget({"::1", 10000}), "ipv6:///[::1]:10000");
}

TEST(GrpcTargetTest, EscapesTheZone) {
  EXPECT_EQ(GrpcTarget({"fe80::1%eth0", 9}), "ipv6:///[fe80::1%25eth0]:9");
}

TEST(GrpcTargetOfAllTest, ListsAddressesOfOneFamily) {
  EXPECT_EQ(*GrpcTargetOfAll({{"10.0.0.7", 1}}), "ipv4:10.0.0.7:1");
  EXPECT_EQ(*GrpcTargetOfAll({{"10.0.0.7", 1}, {"10.0.0.8", 2}}), "ipv4:10.0.0.7:1,10.0.0.8:2");
  EXPECT_EQ(*GrpcTargetOfAll({{"::1", 1}, {"fe80::1%eth0", 2}}), "ipv6:[::1]:1,[fe80::1%25eth0]:2");
}

TEST(GrpcTargetOfAllTest, NamesAnAddressThatDoesNotFit) {
  for (const HostPort& other : {HostPort{"::1", 2}, HostPort{"worker", 2}}) {
    const auto target = GrpcTargetOfAll({{"10.0.0.7", 1}, other});
    ASSERT_FALSE(target.ok());
    EXPECT_THAT(std::string(target.status().message()), HasSubstr("10.0.0.7:1"));
    EXPECT_THAT(std::string(target.status().message()),
                HasSubstr(FormatHostPort(other.host, other.port)));
  }
}

TEST(ParseGrpcTargetTest, ReadsWhatGrpcTargetWrites) {
  for (const HostPort& address : {HostPort{"worker-3", 1}, HostPort{"10.0.0.7", 2},
                                  HostPort{"::1", 3}, HostPort{"fe80::1%eth0", 4}}) {
    const auto parsed = ParseGrpcTarget(GrpcTarget(address));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, address);
  }
}

TEST(ParseGrpcTargetTest, AcceptsFewerSlashes) {
  EXPECT_EQ(*ParseGrpcTarget("dns:worker:80"), (HostPort{"worker", 80}));
  EXPECT_EQ(*ParseGrpcTarget("ipv4:/10.0.0.7:80"), (HostPort{"10.0.0.7", 80}));
  EXPECT_EQ(*ParseGrpcTarget("ipv6:[::1]:80"), (HostPort{"::1", 80}));
}

TEST(ParseGrpcTargetTest, RefusesOtherSchemesAndOtherFamilies) {
  for (const char* target : {"unix:/tmp/socket", "worker:80", "ipv4:///worker:80",
                             "ipv6:///10.0.0.7:80", "ipv4:///[::1]:80", "dns:///worker", ""}) {
    const auto parsed = ParseGrpcTarget(target);
    ASSERT_FALSE(parsed.ok()) << target;
    EXPECT_TRUE(absl::IsInvalidArgument(parsed.status())) << parsed.status();
  }
  EXPECT_THAT(std::string(ParseGrpcTarget("ipv4:///worker:80").status().message()),
              HasSubstr("'ipv4:///worker:80'"));
}

TEST(ParseHostPortOrTargetTest, TakesBothForms) {
  EXPECT_EQ(*ParseHostPortOrTarget("worker:80"), (HostPort{"worker", 80}));
  EXPECT_EQ(*ParseHostPortOrTarget("[::1]:80"), (HostPort{"::1", 80}));
  EXPECT_EQ(*ParseHostPortOrTarget("dns:///worker:80"), (HostPort{"worker", 80}));
  EXPECT_EQ(*ParseHostPortOrTarget("ipv6:///[::1]:80"), (HostPort{"::1", 80}));
}

TEST(ParseHostPortOrTargetTest, TakesAHostThatIsNamedLikeAScheme) {
  EXPECT_EQ(*ParseHostPortOrTarget("dns:10000"), (HostPort{"dns", 10000}));
}

}  // namespace
}  // namespace distbench
