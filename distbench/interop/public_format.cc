#include "distbench/interop/public_format.h"

#include <fstream>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "glog/logging.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/unknown_field_set.h"

namespace distbench {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorProto;
using google::protobuf::EnumDescriptorProto;
using google::protobuf::FieldDescriptor;
using google::protobuf::FieldDescriptorProto;
using google::protobuf::FileDescriptorProto;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr char kTable[] = "protos/testdata/contract_fields.tsv";

// The table does not list them, as they have no fields.
constexpr const char* kEmptyMessages[] = {
    "CancelTrafficRequest", "CancelTrafficResult", "IntroducePeersResult",
    "RunTrafficResponse",   "ShutdownNodeRequest", "ShutdownNodeResult",
};

// Turns rows of the table into the description of a file.
class TableReader {
 public:
  FileDescriptorProto Read() {
    file_.set_name("public_format.proto");
    file_.set_syntax("proto2");
    std::ifstream table(kTable);
    CHECK(table) << kTable;
    std::string line;
    std::getline(table, line);  // the heads of the columns
    while (std::getline(table, line)) AddRow(absl::StrSplit(line, '\t'));
    for (const char* name : kEmptyMessages) MessageNamed(name);
    return file_;
  }

 private:
  using Row = std::vector<std::string>;  // message, field, number, label, type, notes

  DescriptorProto& MessageNamed(const std::string& name) {
    const auto [known, is_new] = messages_.try_emplace(name, nullptr);
    if (is_new) {
      known->second = file_.add_message_type();
      known->second->set_name(name);
    }
    return *known->second;
  }

  void AddRow(const Row& row) {
    CHECK_GE(row.size(), 5u);
    if (row[3] == "enum") return AddEnumValue(row);
    FieldDescriptorProto& field = *MessageNamed(row[0]).add_field();
    field.set_name(row[1]);
    field.set_number(NumberOf(row));
    field.set_label(row[3] == "optional" ? FieldDescriptorProto::LABEL_OPTIONAL
                                         : FieldDescriptorProto::LABEL_REPEATED);
    if (row[3] == "map") {
      SetMapType(row, field);
    } else {
      SetType(row[4], field);
    }
    const bool is_packed = row.size() > 5 && absl::StartsWith(row[5], "packed");
    if (is_packed) field.mutable_options()->set_packed(true);
  }

  static int NumberOf(const Row& row) {
    int number = 0;
    CHECK(absl::SimpleAtoi(row[2], &number)) << row[2];
    return number;
  }

  void AddEnumValue(const Row& row) {
    const std::vector<std::string> names = absl::StrSplit(row[0], '.');
    DescriptorProto& outer = MessageNamed(names[0]);
    if (outer.enum_type_size() == 0) outer.add_enum_type()->set_name(names[1]);
    auto& value = *outer.mutable_enum_type(0)->add_value();
    value.set_name(row[1]);
    value.set_number(NumberOf(row));
  }

  // On the wire a map is a list of entries, and that is what it is here.
  void SetMapType(const Row& row, FieldDescriptorProto& field) {
    std::string types = row[4];
    types = types.substr(4, types.size() - 5);  // of "map<string,float>"
    const std::vector<std::string> key_and_value = absl::StrSplit(types, ',');
    const std::string entry = absl::StrCat(row[0], "_", row[1], "_entry");
    DescriptorProto& message = MessageNamed(entry);
    for (int number = 1; number <= 2; ++number) {
      FieldDescriptorProto& part = *message.add_field();
      part.set_name(number == 1 ? "key" : "value");
      part.set_number(number);
      part.set_label(FieldDescriptorProto::LABEL_OPTIONAL);
      SetType(key_and_value[static_cast<size_t>(number - 1)], part);
    }
    SetType(entry, field);
  }

  static void SetType(const std::string& type, FieldDescriptorProto& field) {
    static const std::map<std::string, FieldDescriptorProto::Type> scalars = {
        {"bool", FieldDescriptorProto::TYPE_BOOL},
        {"bytes", FieldDescriptorProto::TYPE_BYTES},
        {"double", FieldDescriptorProto::TYPE_DOUBLE},
        {"fixed32", FieldDescriptorProto::TYPE_FIXED32},
        {"fixed64", FieldDescriptorProto::TYPE_FIXED64},
        {"float", FieldDescriptorProto::TYPE_FLOAT},
        {"int32", FieldDescriptorProto::TYPE_INT32},
        {"int64", FieldDescriptorProto::TYPE_INT64},
        {"string", FieldDescriptorProto::TYPE_STRING},
    };
    const auto scalar = scalars.find(type);
    if (scalar != scalars.end()) return field.set_type(scalar->second);
    field.set_type(absl::StrContains(type, '.') ? FieldDescriptorProto::TYPE_ENUM
                                                : FieldDescriptorProto::TYPE_MESSAGE);
    field.set_type_name(type);
  }

  FileDescriptorProto file_;
  std::map<std::string, DescriptorProto*> messages_;
};

void FindUnknown(const Message& message, const std::string& path, std::vector<std::string>& found) {
  const Reflection& reflection = *message.GetReflection();
  const auto& unknown = reflection.GetUnknownFields(message);
  for (int i = 0; i < unknown.field_count(); ++i) {
    found.push_back(absl::StrCat(path, unknown.field(i).number()));
  }
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const std::string inner = absl::StrCat(path, field->name(), ".");
    if (!field->is_repeated()) FindUnknown(reflection.GetMessage(message, field), inner, found);
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(message, field); ++i) {
      FindUnknown(reflection.GetRepeatedMessage(message, field, i), inner, found);
    }
  }
}

}  // namespace

const PublicFormat& PublicFormat::Get() {
  static const PublicFormat* const format = new PublicFormat();
  return *format;
}

PublicFormat::PublicFormat() { CHECK(pool_.BuildFile(TableReader().Read()) != nullptr); }

const Descriptor& PublicFormat::Find(const std::string& message) const {
  const Descriptor* const found = pool_.FindMessageTypeByName(message);
  CHECK(found != nullptr) << message;
  return *found;
}

std::unique_ptr<Message> PublicFormat::Read(const Message& message) const {
  std::unique_ptr<Message> read(
      factory_.GetPrototype(&Find(message.GetDescriptor()->name()))->New());
  CHECK(read->ParsePartialFromString(message.SerializePartialAsString()));
  return read;
}

std::string PublicFormat::ReadAndWrite(const Message& message) const {
  const std::unique_ptr<Message> read = Read(message);
  read->DiscardUnknownFields();
  return read->SerializePartialAsString();
}

std::vector<std::string> PublicFormat::Unknown(const Message& message) const {
  std::vector<std::string> found;
  FindUnknown(*Read(message), "", found);
  return found;
}

int PublicFormat::FieldNumber(const std::string& message, const std::string& field) const {
  const FieldDescriptor* const found = Find(message).FindFieldByName(field);
  CHECK(found != nullptr) << message << "." << field;
  return found->number();
}

}  // namespace distbench
