// The order of names in which numbers within them count by their value: x2 before x10. Pure.
#ifndef TEST_BUILDER_VERSION_ORDER_H_
#define TEST_BUILDER_VERSION_ORDER_H_

#include "absl/strings/string_view.h"

namespace distbench {

// Whether `left` comes before `right`. Digits that stand together are one number, other characters
// count as bytes; where that decides nothing the bytes do.
bool ComesBefore(absl::string_view left, absl::string_view right);

}  // namespace distbench

#endif  // TEST_BUILDER_VERSION_ORDER_H_
