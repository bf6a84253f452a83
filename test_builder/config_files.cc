#include "test_builder/config_files.h"

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/user_file.h"
#include "distbench/config/text_config.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/config_text.h"

namespace distbench {
namespace {

constexpr char kSequenceFile[] = "test_sequence.config";

std::string ConfigFileName(const BuiltTest& test) {
  return absl::StrCat(test.file_stem, ".config");
}

std::string ShellWord(const std::string& argument) {
  const bool is_plain = !argument.empty() && absl::c_all_of(argument, [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           absl::string_view("_-+.,:/=@%").find(c) != absl::string_view::npos;
  });
  if (is_plain) return argument;
  const bool has_control = absl::c_any_of(
      argument, [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); });
  if (has_control) return absl::StrCat("$'", absl::CEscape(argument), "'");
  return absl::StrCat("'", absl::StrReplaceAll(argument, {{"'", "'\\''"}}), "'");
}

void AppendShellWord(std::string* out, const std::string& argument) {
  out->append(ShellWord(argument));
}

// Between what a file holds and the test.
std::string DifferenceTo(const BuiltTest& test, const std::string& contents) {
  TestSequence sequence;
  if (ParseTextConfig(contents, sequence).empty() && sequence.tests_size() == 1) {
    return TestDifference(sequence.tests(0), test.config);
  }
  return FirstDifference(contents, test.text);
}

}  // namespace

std::string ProducedBy(const std::vector<std::string>& arguments) {
  return absl::StrCat("# produced by test_builder ", absl::StrJoin(arguments, " ", AppendShellWord),
                      "\n");
}

std::string SequenceText(const std::string& produced_by, const std::vector<BuiltTest>& tests) {
  std::string text = produced_by;
  for (const BuiltTest& test : tests) absl::StrAppend(&text, test.text);
  return text;
}

absl::Status CheckConfigs(const std::string& folder, const std::vector<BuiltTest>& tests) {
  for (const BuiltTest& test : tests) {
    const std::string name = ConfigFileName(test);
    if (!HasFile(folder, name)) continue;
    const std::string path = absl::StrCat(folder, "/", name);
    ASSIGN_OR_RETURN(const std::string contents, ReadUserFile(path));
    const std::string difference = DifferenceTo(test, contents);
    if (difference.empty()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        path, " is there with other contents; choose another -o, -l or -c, or remove it and ",
        ResultFileName(test.file_stem), ":\n", difference));
  }
  return absl::OkStatus();
}

absl::Status WriteConfigs(const std::string& produced_by, const std::vector<BuiltTest>& tests,
                          const std::string& sequence_prefix, ResultFiles& files) {
  for (const BuiltTest& test : tests) {
    if (HasFile(files.folder(), ConfigFileName(test))) continue;
    RETURN_IF_ERROR(files.Write(ConfigFileName(test), absl::StrCat(produced_by, test.text)));
  }
  if (tests.size() < 2) return absl::OkStatus();
  return files.Write(absl::StrCat(sequence_prefix, kSequenceFile),
                     SequenceText(produced_by, tests));
}

}  // namespace distbench
