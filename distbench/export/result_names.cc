#include "distbench/export/result_names.h"

#include "absl/strings/str_cat.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

std::string UniqueNames::Take(const std::string& name) {
  std::string unique = name;
  for (int number = 2; !taken_.insert(unique).second; ++number) {
    unique = absl::StrCat(name, "_", number);
  }
  return unique;
}

std::string TakeTestLabel(const TestResult& test, int index, UniqueNames& names) {
  const std::string& name = test.traffic_config().name();
  return names.Take(name.empty() ? absl::StrCat("test", index + 1) : name);
}

std::vector<std::string> TestLabels(const TestSequenceResults& results) {
  UniqueNames names;
  std::vector<std::string> labels;
  for (int i = 0; i < results.test_results_size(); ++i) {
    labels.push_back(TakeTestLabel(results.test_results(i), i, names));
  }
  return labels;
}

std::string RpcName(const TestResult& test, int32_t rpc) {
  const auto& rpcs = test.traffic_config().rpc_descriptions();
  if (rpc >= 0 && rpc < rpcs.size() && !rpcs[rpc].name().empty()) return rpcs[rpc].name();
  return absl::StrCat("unknown RPC ", rpc);
}

std::string ErrorText(const ErrorDictionary& dictionary, int32_t error_index) {
  if (error_index < 0 || error_index >= dictionary.error_message_size()) {
    return absl::StrCat("unknown error (error_index ", error_index,
                        " is not in the error_dictionary)");
  }
  const std::string& text = dictionary.error_message(error_index);
  return text.empty() ? "unknown error" : text;
}

}  // namespace distbench
