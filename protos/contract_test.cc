// Holds the compiled messages and services against the tables of the public format in testdata/.
//
// Both sides are written as rows of the same form, e.g.
//
//   Iterations max_parallel_iterations 3 optional int64 default=1
//
// and compared as sets. A field that differs is therefore reported twice: as the table has it, and
// as it was compiled.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::DescriptorPool;
using ::google::protobuf::EnumDescriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::FileDescriptor;
using ::google::protobuf::MethodDescriptor;
using ::google::protobuf::ServiceDescriptor;
using ::testing::IsEmpty;
using ::testing::Not;

using Rows = std::set<std::string>;

constexpr char kFieldTable[] = "protos/testdata/contract_fields.tsv";
constexpr char kServiceTable[] = "protos/testdata/contract_services.tsv";

// Fields of public messages with lower numbers belong to the table alone.
constexpr int kFirstExtensionNumber = 1000;

// Public messages that have no fields in the table.
constexpr const char* kMessagesWithoutPublicFields[] = {
    "CancelTrafficRequest", "CancelTrafficResult", "IntroducePeersResult",
    "RunTrafficResponse",   "ShutdownNodeRequest", "ShutdownNodeResult",
};

// Our fields in public messages. Written results and older daemons know them: a row never changes.
constexpr const char* kExtensionFields[] = {
    "ActionList predicate_choices 1000 repeated PredicateChoice",
    "ActivityLog calibrated_work 1000 optional CalibratedWorkStatistics",
    "CancelTrafficRequest control 1000 optional ControlContext",
    "CancelTrafficRequest reason 1001 optional string",
    "CancelTrafficRequest status_code 1002 optional int32",
    "ConnectRequest hello 1000 optional DriverHello",
    "ConnectResponse hello 1000 optional DriverHello",
    "DistributedSystemDescription seed 1000 optional uint64",
    "DistributedSystemDescription verdict_limits 1001 optional VerdictLimits",
    "GetTrafficResultRequest control 1000 optional ControlContext",
    "GetTrafficResultRequest without_samples 1001 optional bool",
    "GetTrafficResultResponse report 1000 optional NodeReport",
    "GetTrafficResultResponse time_series 1001 optional TimeSeries",
    "Iterations max_duration_us_64 1001 optional int64",
    "Iterations max_iteration_count_64 1000 optional int64",
    "Iterations pacing 1002 optional string default=sleep",
    "Iterations rate_steps 1003 repeated RateStep",
    "NodeConfig daemon 1000 optional Daemon",
    "NodeConfig registration_period_ms 1001 optional int64",
    "NodeRegistration daemon 1000 optional Daemon",
    "NodeRegistration former_node_id 1001 optional int32",
    "NodeRegistration incarnation 1002 optional uint64",
    "NodeServiceConfig control 1000 optional ControlContext",
    "ProtocolDriverOptions inner_driver 1000 optional ProtocolDriverOptions",
    "RpcPerformanceLog statistics 1000 optional RpcStatistics",
    "RpcSpec deadline_us 1000 optional int64",
    "RpcSpec echo_request 1002 optional bool default=false",
    "RpcSpec one_way 1001 optional bool default=false",
    "RpcSpec server_dispatch 1003 optional ServerDispatch",
    "RunTrafficRequest agreed_start 1001 optional AgreedStart",
    "RunTrafficRequest control 1000 optional ControlContext",
    "RunTrafficResponse start_skew_ns 1000 optional int64",
    "RunTrafficResponse status_code 1001 optional int32",
    "RunTrafficResponse status_message 1002 optional string",
    "ServiceEndpointMap control 1000 optional ControlContext",
    "ServicePerformanceLog driver_statistics 1003 repeated DriverStatisticLog",
    "ServicePerformanceLog iterations 1002 repeated IterationStatistics",
    "ServicePerformanceLog one_way_rpcs 1010 map map<int32,OneWayEnd>",
    "ServicePerformanceLog replays 1004 repeated ReplayStatistics",
    "ServicePerformanceLog rpc_statistics 1000 map map<int32,RpcStatistics>",
    "ServicePerformanceLog served_rpcs 1001 map map<int32,ServedRpcStatistics>",
    "ShutdownNodeRequest control 1000 optional ControlContext",
    "TestResult config_as_given 1001 optional DistributedSystemDescription",
    "TestResult report 1000 optional TestReport",
    "TestResult time_series 1002 optional TimeSeries",
    "TestSequence sequence_id 1000 optional string",
};

// In this message high numbers would break exact sizes, so ours are among the low ones that the
// table leaves free.
constexpr const char* kLowExtensionFields[] = {
    "GenericRequestResponse causal_key 6 optional fixed64",
};

std::string JoinColumns(const std::vector<std::string>& columns) {
  return std::string(absl::StripTrailingAsciiWhitespace(absl::StrJoin(columns, " ")));
}

// The rows of a table below its heading. Empty if the file cannot be read.
Rows ReadTable(const std::string& path) {
  std::ifstream file(path);
  Rows rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    rows.insert(JoinColumns(absl::StrSplit(line, '\t')));
  }
  return rows;
}

std::string FirstColumn(const std::string& row) { return row.substr(0, row.find(' ')); }

// The messages, enums or services that a table is about.
std::set<std::string> FirstColumns(const Rows& rows) {
  std::set<std::string> names;
  for (const std::string& row : rows) names.insert(FirstColumn(row));
  return names;
}

// The files that define the contract, through the pool that the program itself uses.
const DescriptorPool& CompiledContract() {
  return *TestSequenceResults::descriptor()->file()->pool();
}

template <typename AnyDescriptor>
std::string NameInPackage(const AnyDescriptor& descriptor) {
  return std::string(absl::StripPrefix(descriptor.full_name(), "distbench."));
}

std::string TypeOf(const FieldDescriptor& field) {
  if (field.is_map()) {
    const Descriptor& entry = *field.message_type();
    return absl::StrCat("map<", TypeOf(*entry.map_key()), ",", TypeOf(*entry.map_value()), ">");
  }
  if (field.message_type() != nullptr) return NameInPackage(*field.message_type());
  if (field.enum_type() != nullptr) return NameInPackage(*field.enum_type());
  return field.type_name();
}

std::string LabelOf(const FieldDescriptor& field) {
  if (field.is_map()) return "map";
  if (field.is_required()) return "required";
  return field.is_repeated() ? "repeated" : "optional";
}

std::string DefaultOf(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return field.default_value_bool() ? "true" : "false";
    case FieldDescriptor::CPPTYPE_INT32:
      return absl::StrCat(field.default_value_int32());
    case FieldDescriptor::CPPTYPE_INT64:
      return absl::StrCat(field.default_value_int64());
    case FieldDescriptor::CPPTYPE_STRING:
      return field.default_value_string();
    default:
      return "<of a type that the table has no defaults for>";
  }
}

std::string NotesOn(const FieldDescriptor& field) {
  std::vector<std::string> notes;
  if (field.containing_oneof() != nullptr) {
    notes.push_back(absl::StrCat("oneof=", field.containing_oneof()->name()));
  }
  if (field.is_packed()) notes.push_back("packed");
  if (field.has_default_value()) notes.push_back(absl::StrCat("default=", DefaultOf(field)));
  if (field.options().deprecated()) notes.push_back("deprecated");
  return absl::StrJoin(notes, " ");
}

std::string RowOf(const FieldDescriptor& field) {
  return JoinColumns({NameInPackage(*field.containing_type()), field.name(),
                      absl::StrCat(field.number()), LabelOf(field), TypeOf(field), NotesOn(field)});
}

std::string RowOf(const MethodDescriptor& method) {
  std::string kind = "unary";
  if (method.client_streaming() || method.server_streaming()) {
    kind = absl::StrCat(method.client_streaming() ? "client " : "",
                        method.server_streaming() ? "server " : "", "streaming");
  }
  return JoinColumns({NameInPackage(*method.service()), method.name(),
                      NameInPackage(*method.input_type()), NameInPackage(*method.output_type()),
                      kind});
}

const Descriptor* FindMessage(const std::string& name) {
  return CompiledContract().FindMessageTypeByName(absl::StrCat("distbench.", name));
}

const EnumDescriptor* FindEnum(const std::string& name) {
  return CompiledContract().FindEnumTypeByName(absl::StrCat("distbench.", name));
}

const ServiceDescriptor* FindService(const std::string& name) {
  return CompiledContract().FindServiceByName(absl::StrCat("distbench.", name));
}

// The messages that are compiled, of those that the public format has.
std::vector<const Descriptor*> PublicMessages(const Rows& table) {
  std::set<std::string> names = FirstColumns(table);
  names.insert(std::begin(kMessagesWithoutPublicFields), std::end(kMessagesWithoutPublicFields));
  std::vector<const Descriptor*> messages;
  for (const std::string& name : names) {
    if (const Descriptor* message = FindMessage(name)) messages.push_back(message);
  }
  return messages;
}

Rows FieldsOf(const std::vector<const Descriptor*>& messages, int least_number,
              int greatest_number) {
  Rows rows;
  for (const Descriptor* message : messages) {
    for (int i = 0; i < message->field_count(); ++i) {
      const FieldDescriptor& field = *message->field(i);
      if (field.number() >= least_number && field.number() <= greatest_number) {
        rows.insert(RowOf(field));
      }
    }
  }
  return rows;
}

Rows EnumValues(const Rows& table) {
  Rows rows;
  for (const std::string& name : FirstColumns(table)) {
    const EnumDescriptor* type = FindEnum(name);
    for (int i = 0; type != nullptr && i < type->value_count(); ++i) {
      rows.insert(JoinColumns(
          {name, type->value(i)->name(), absl::StrCat(type->value(i)->number()), "enum"}));
    }
  }
  return rows;
}

Rows Methods(const Rows& table) {
  Rows rows;
  for (const std::string& name : FirstColumns(table)) {
    const ServiceDescriptor* service = FindService(name);
    for (int i = 0; service != nullptr && i < service->method_count(); ++i) {
      rows.insert(RowOf(*service->method(i)));
    }
  }
  return rows;
}

Rows Without(const Rows& rows, const Rows& removed) {
  Rows rest;
  std::set_difference(rows.begin(), rows.end(), removed.begin(), removed.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

void ExpectCompiled(const Rows& expected, const Rows& compiled) {
  for (const std::string& row : Without(expected, compiled)) {
    ADD_FAILURE() << "listed, but not compiled so: " << row;
  }
}

void ExpectNothingElseCompiled(const Rows& expected, const Rows& compiled) {
  for (const std::string& row : Without(compiled, expected)) {
    ADD_FAILURE() << "compiled, but not listed so: " << row;
  }
}

TEST(ContractTest, FieldsAndEnumsAreThoseOfTheTable) {
  const Rows table = ReadTable(kFieldTable);
  ASSERT_THAT(table, Not(IsEmpty())) << kFieldTable;

  Rows compiled = FieldsOf(PublicMessages(table), 1, kFirstExtensionNumber - 1);
  compiled.merge(EnumValues(table));
  Rows listed(std::begin(kLowExtensionFields), std::end(kLowExtensionFields));
  listed.insert(table.begin(), table.end());
  ExpectCompiled(listed, compiled);
  ExpectNothingElseCompiled(listed, compiled);
}

TEST(ContractTest, HigherFieldsOfPublicMessagesAreOurExtensions) {
  const Rows table = ReadTable(kFieldTable);
  ASSERT_THAT(table, Not(IsEmpty())) << kFieldTable;

  const Rows extensions(std::begin(kExtensionFields), std::end(kExtensionFields));
  const Rows compiled =
      FieldsOf(PublicMessages(table), kFirstExtensionNumber, FieldDescriptor::kMaxNumber);
  ExpectCompiled(extensions, compiled);
  ExpectNothingElseCompiled(extensions, compiled);
}

TEST(ContractTest, MessagesWithoutPublicFieldsExist) {
  for (const char* name : kMessagesWithoutPublicFields) {
    EXPECT_NE(FindMessage(name), nullptr) << name;
  }
}

// In proto2 presence can be asked for, and strings need not be UTF-8: peers rely on both.
TEST(ContractTest, PublicMessagesAreProto2) {
  const Rows table = ReadTable(kFieldTable);
  ASSERT_THAT(table, Not(IsEmpty())) << kFieldTable;

  for (const Descriptor* message : PublicMessages(table)) {
    EXPECT_EQ(message->file()->syntax(), FileDescriptor::SYNTAX_PROTO2) << message->full_name();
  }
}

// Further methods are free: a peer that does not know one says so.
TEST(ContractTest, MethodsOfTheTableExist) {
  const Rows table = ReadTable(kServiceTable);
  ASSERT_THAT(table, Not(IsEmpty())) << kServiceTable;

  ExpectCompiled(table, Methods(table));
}

}  // namespace
}  // namespace distbench
