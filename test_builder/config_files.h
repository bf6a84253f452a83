// The texts of tests: one of a whole sequence, and files NAME.config in a folder.
#ifndef TEST_BUILDER_CONFIG_FILES_H_
#define TEST_BUILDER_CONFIG_FILES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "test_builder/result_files.h"
#include "test_builder/sequence_builder.h"

namespace distbench {

// `# produced by test_builder ARGUMENTS`, such that a shell understands them, and a newline.
std::string ProducedBy(const std::vector<std::string>& arguments);

// All tests, after the line that says where they are from.
std::string SequenceText(const std::string& produced_by, const std::vector<BuiltTest>& tests);

// Refuses to go on where `folder` has a config of the same name with other contents, whose results
// would be taken for those of the test: the error shows the difference. Which sweep a test is of is
// none.
absl::Status CheckConfigs(const std::string& folder, const std::vector<BuiltTest>& tests);

// Writes NAME.config for each test that has none yet, and test_sequence.config behind this prefix,
// which tells of the latest command, if there are several tests: an earlier one is replaced.
absl::Status WriteConfigs(const std::string& produced_by, const std::vector<BuiltTest>& tests,
                          const std::string& sequence_prefix, ResultFiles& files);

}  // namespace distbench

#endif  // TEST_BUILDER_CONFIG_FILES_H_
