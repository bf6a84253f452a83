// Fields of a binary message that this version does not know: they would be ignored, so they are
// errors.
#ifndef DISTBENCH_CONFIG_UNKNOWN_FIELD_H_
#define DISTBENCH_CONFIG_UNKNOWN_FIELD_H_

#include <optional>
#include <string>

namespace google::protobuf {
class Message;
}

namespace distbench {

// "field 77 of tests[0].actions[2]": the first one in the message or below it, if any.
std::optional<std::string> FindUnknownField(const google::protobuf::Message& message);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_UNKNOWN_FIELD_H_
