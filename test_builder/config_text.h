// Configs as text that people read: a field a line where it fits, and keys of maps in the order of
// their numbers. Pure.
#ifndef TEST_BUILDER_CONFIG_TEXT_H_
#define TEST_BUILDER_CONFIG_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

enum class Comments { kNone, kExplain };

// The test as an element of a sequence, `tests { ... }`, with `extra_contents` in it as they stand.
// Comments explain what stands where.
std::string TestText(const DistributedSystemDescription& test, absl::string_view extra_contents,
                     Comments comments = Comments::kNone);

// The first lines in which two texts differ, those of the first one behind `-`, those of the second
// one behind `+`. Empty if they are the same.
std::string FirstDifference(absl::string_view before, absl::string_view after);

// The same of two tests. Not counted is which sweep they are of, the attribute swept_parameter: a
// sweep may be widened.
std::string TestDifference(const DistributedSystemDescription& before,
                           const DistributedSystemDescription& after);

}  // namespace distbench

#endif  // TEST_BUILDER_CONFIG_TEXT_H_
