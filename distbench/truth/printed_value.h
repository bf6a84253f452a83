// Figures as people read them: out of the text of a summary.
#ifndef DISTBENCH_TRUTH_PRINTED_VALUE_H_
#define DISTBENCH_TRUTH_PRINTED_VALUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace distbench {

// The number after "NAME: " in the line of `section` that begins with "  SUBJECT: ".
std::optional<int64_t> PrintedValue(const std::vector<std::string>& summary,
                                    const std::string& section, const std::string& subject,
                                    const std::string& name);

}  // namespace distbench

#endif  // DISTBENCH_TRUTH_PRINTED_VALUE_H_
