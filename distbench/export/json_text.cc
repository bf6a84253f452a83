#include "distbench/export/json_text.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "distbench/export/valid_utf8.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/type_resolver_util.h"

namespace distbench {
namespace {

constexpr char kTypeUrlPrefix[] = "type.googleapis.com";

// With the entries of maps in the order of their keys.
std::string InStableOrder(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

}  // namespace

absl::StatusOr<std::string> JsonText(google::protobuf::Message* message, JsonLayout layout) {
  namespace util = ::google::protobuf::util;
  MakeValidUtf8(message);
  const google::protobuf::Descriptor& type = *message->GetDescriptor();
  const std::unique_ptr<util::TypeResolver> resolver(
      util::NewTypeResolverForDescriptorPool(kTypeUrlPrefix, type.file()->pool()));
  util::JsonPrintOptions options;
  options.add_whitespace = layout == JsonLayout::kIndented;
  options.preserve_proto_field_names = true;
  std::string text;
  const auto printed =
      util::BinaryToJsonString(resolver.get(), absl::StrCat(kTypeUrlPrefix, "/", type.full_name()),
                               InStableOrder(*message), &text, options);
  if (printed.ok()) return text;
  return absl::InternalError(
      absl::StrCat(type.full_name(), " cannot be written as JSON: ", printed.ToString()));
}

}  // namespace distbench
