// Whether a test has a result already, and whether that is the result of this very test. Reads
// whole files, for the checksum is at the end, but holds only the configs of them.
#ifndef TEST_BUILDER_RESULT_CHECK_H_
#define TEST_BUILDER_RESULT_CHECK_H_

#include <string>

#include "absl/status/status.h"
#include "test_builder/sequence_builder.h"

namespace distbench {

// OK: the file in `folder` is whole and of this test, which has succeeded. NOT_FOUND: there is
// none. DATA_LOSS: it is damaged, or no such result. INVALID_ARGUMENT: it is that of a test with
// other contents, which the error shows, or cannot be read.
absl::Status CheckResult(const std::string& folder, const BuiltTest& test);

}  // namespace distbench

#endif  // TEST_BUILDER_RESULT_CHECK_H_
