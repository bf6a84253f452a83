// SequenceBuilder: what the command line asks for becomes tests, checked by the config compiler.
//
//   specs x points of the sweeps --pattern--> traffic --driver, name, attributes--> text --compiler
//
// A test is called ALIAS-PROTOCOL_ALIAS, and by the values of swept parameters that this does not
// show. Its attributes are all its parameters and what it is called. Immutable.
#ifndef TEST_BUILDER_SEQUENCE_BUILDER_H_
#define TEST_BUILDER_SEQUENCE_BUILDER_H_

#include <cstddef>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "distbench/config/compiler.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/config_spec.h"
#include "test_builder/config_text.h"
#include "test_builder/pattern_registry.h"
#include "test_builder/sweep.h"

namespace distbench {

struct BuildOptions {
  std::string duration_text = "30";  // seconds, as attributes say it
  absl::Duration duration = absl::Seconds(30);
  std::string prefix;  // of file names
  std::string label;   // of file names and of the attribute config_label
  Comments comments = Comments::kNone;
};

// What is in front of the names of all files.
std::string FilePrefix(const BuildOptions& options);

struct BuiltTest {
  std::string name;
  std::string file_stem;                // of its files: PREFIX LABEL-NAME
  std::string text;                     // `tests { ... }`
  DistributedSystemDescription config;  // the same
};

class SequenceBuilder {
 public:
  // `patterns` outlives this.
  SequenceBuilder(const PatternRegistry& patterns, KnownDrivers drivers, BuildOptions options);

  // In the order of the specs, for each that of the points; a test that is asked for twice is there
  // once. The error names the spec. Warnings are written to `warnings`, a line each.
  absl::StatusOr<std::vector<BuiltTest>> Build(const std::vector<ConfigSpec>& specs,
                                               const std::vector<Sweep>& sweeps,
                                               std::ostream& warnings) const;

 private:
  // Where a test of a name is, and which spec made it.
  struct Known {
    size_t position;
    std::string spec;
  };
  struct Built {
    std::vector<BuiltTest> tests;
    std::map<std::string, Known> known;
  };

  absl::Status BuildSpec(const ConfigSpec& spec, const std::vector<Sweep>& sweeps,
                         std::ostream& warnings, Built* built) const;
  absl::StatusOr<BuiltTest> Checked(const DistributedSystemDescription& config,
                                    const std::string& extra_contents,
                                    std::ostream& warnings) const;

  const PatternRegistry& patterns_;
  const KnownDrivers drivers_;
  const BuildOptions options_;
};

}  // namespace distbench

#endif  // TEST_BUILDER_SEQUENCE_BUILDER_H_
