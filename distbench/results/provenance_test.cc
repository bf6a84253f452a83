#include "distbench/results/provenance.h"

#include <cstdlib>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "distbench/base/cpu_list.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/provenance.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

TEST(ProgramProvenanceTest, SaysWhichProgramOnWhichMachine) {
  const Provenance provenance = ProgramProvenance({});
  EXPECT_EQ(provenance.version(), kProgramVersion);
  EXPECT_EQ(provenance.commit(), ProgramCommit());
  EXPECT_FALSE(provenance.commit().empty());
  EXPECT_FALSE(provenance.build_flags().empty());
  EXPECT_FALSE(provenance.kernel().empty());
  EXPECT_FALSE(provenance.hostname().empty());
  EXPECT_GE(provenance.cpu_count(), 1);
}

TEST(ProgramProvenanceTest, SaysWhichCpusTheProcessMayUse) {
  std::thread([] {
    const std::string first = absl::StrCat(CpuList::OfThisThread().cpus().front());
    ASSERT_TRUE(CpuList::Parse(first)->ConfineThisThread().ok());
    const Provenance provenance = ProgramProvenance({});
    EXPECT_EQ(provenance.cpu_affinity(), first);
    EXPECT_EQ(provenance.cpu_count(), 1);
  }).join();
}

TEST(ProgramProvenanceTest, NamesTheVersionOfEachLibrary) {
  const Provenance provenance = ProgramProvenance({});
  for (const char* library : {"grpc", "protobuf", "abseil", "glog"}) {
    ASSERT_EQ(provenance.library_versions().count(library), 1u) << library;
    EXPECT_THAT(provenance.library_versions().at(library), MatchesRegex("[0-9]+([.][0-9]+)*"))
        << library;
  }
}

TEST(ProgramProvenanceTest, SaysHowGrpcWaits) {
  unsetenv("GRPC_POLL_STRATEGY");
  EXPECT_FALSE(ProgramProvenance({}).has_grpc_poll_strategy());
  setenv("GRPC_POLL_STRATEGY", "poll", 1);
  EXPECT_EQ(ProgramProvenance({}).grpc_poll_strategy(), "poll");
}

TEST(ProgramProvenanceTest, KeepsTheCommandLineAsItWasGiven) {
  const Provenance provenance = ProgramProvenance({"distbench", "node_manager", "rack=a b"});
  EXPECT_THAT(provenance.command_line(), ElementsAre("distbench", "node_manager", "rack=a b"));
}

}  // namespace
}  // namespace distbench
