// Messages as bytes that tests compare: the same bytes for the same contents.
#ifndef DISTBENCH_RESULTS_CANONICAL_BYTES_H_
#define DISTBENCH_RESULTS_CANONICAL_BYTES_H_

#include <string>

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace distbench {

// The serialized message, with its maps in the order of their keys.
std::string CanonicalBytes(const google::protobuf::Message& message);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_CANONICAL_BYTES_H_
