#include "test_builder/text_pattern.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/user_file.h"
#include "distbench/cli/user_path.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/parser.h"

namespace distbench {
namespace {

constexpr char kSuffix[] = ".pattern";
constexpr char kDurationUs[] = "duration_us";
constexpr char kDurationSeconds[] = "duration_seconds";

// Text with ${NAME} in it.
class Template {
 public:
  Template() = default;
  explicit Template(std::string text) : text_(std::move(text)) {}

  // An error if it has a name that is not among these, or one that does not end.
  absl::Status Check(const std::vector<std::string>& known) const {
    std::string unknown;
    size_t at = 0;
    while ((at = text_.find("${", at)) != std::string::npos) {
      const size_t end = text_.find('}', at);
      if (end == std::string::npos) return absl::InvalidArgumentError("${ without a }");
      const std::string name = text_.substr(at + 2, end - at - 2);
      if (!absl::c_linear_search(known, name)) {
        return absl::InvalidArgumentError(
            absl::StrCat("${", Escaped(name), "} is no parameter", NearestNameHint(name, known)));
      }
      at = end;
    }
    return absl::OkStatus();
  }

  // Requires: it was checked, and all its names have values.
  std::string Fill(const std::vector<NamedValue>& values) const {
    std::string filled;
    size_t at = 0;
    while (true) {
      const size_t begin = text_.find("${", at);
      filled.append(text_, at, begin - at);
      if (begin == std::string::npos) return filled;
      const size_t end = text_.find('}', begin);
      const absl::string_view name = absl::string_view(text_).substr(begin + 2, end - begin - 2);
      const auto value =
          absl::c_find_if(values, [&](const NamedValue& named) { return named.name == name; });
      if (value != values.end()) filled.append(value->value);
      at = end + 1;
    }
  }

 private:
  std::string text_;
};

struct Declaration {
  std::string name;
  std::string file_name;
  std::string summary;
  std::vector<Parameter> parameters;
  Template alias;
  Template body;
};

class TextPattern final : public Pattern {
 public:
  explicit TextPattern(Declaration declaration) : declaration_(std::move(declaration)) {}

  std::string name() const override { return declaration_.name; }
  std::string summary() const override { return declaration_.summary; }
  std::vector<Parameter> parameters() const override { return declaration_.parameters; }
  std::string Alias(const ParameterValues& values) const override {
    return declaration_.alias.Fill(values.all());
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    std::vector<NamedValue> all = values.all();
    all.push_back({kDurationUs, absl::StrCat(absl::ToInt64Microseconds(duration))});
    all.push_back({kDurationSeconds, absl::StrFormat("%.12g", absl::ToDoubleSeconds(duration))});
    // In the line where the contents begin, so that errors say the right one.
    const std::string text = absl::StrCat("tests { ", declaration_.body.Fill(all), "\n}");
    ASSIGN_OR_RETURN(TestSequence sequence, ParseTestSequence(declaration_.file_name, text));
    if (sequence.tests_size() == 1) return std::move(*sequence.mutable_tests(0));
    return absl::InvalidArgumentError(absl::StrCat(declaration_.file_name, ": has ",
                                                   sequence.tests_size(),
                                                   " tests; a pattern is the contents of one"));
  }

 private:
  const Declaration declaration_;
};

class DeclarationReader {
 public:
  DeclarationReader(const std::string& name, const std::string& file_name)
      : declaration_{.name = name, .file_name = file_name} {}

  absl::StatusOr<Declaration> Read(const std::string& contents) {
    if (!IsParameterName(declaration_.name)) {
      return Error(absl::StrCat(Quoted(declaration_.name),
                                " is no name of a pattern; use letters, digits and underscores"));
    }
    const std::vector<absl::string_view> lines = absl::StrSplit(contents, '\n');
    for (; line_ <= lines.size() && absl::StartsWith(lines[line_ - 1], "#"); ++line_) {
      RETURN_IF_ERROR(TakeHeaderLine(lines[line_ - 1].substr(1)));
    }
    // The head stays as comments, so that errors of the body say the right line.
    declaration_.body = Template(WithoutNames(contents));
    if (!has_alias_) declaration_.alias = DefaultAlias();
    std::vector<std::string> known = NamesOf(declaration_.parameters);
    RETURN_IF_ERROR(InFile(declaration_.alias.Check(known)));
    known.push_back(kDurationUs);
    known.push_back(kDurationSeconds);
    RETURN_IF_ERROR(InFile(declaration_.body.Check(known)));
    return std::move(declaration_);
  }

 private:
  absl::Status Error(absl::string_view message) const {
    return absl::InvalidArgumentError(
        absl::StrCat(declaration_.file_name, ":", line_, ": ", message));
  }
  absl::Status InFile(const absl::Status& status) const {
    if (status.ok()) return status;
    return absl::InvalidArgumentError(absl::StrCat(declaration_.file_name, ": ", status.message()));
  }

  // The contents with empty lines in place of the head.
  std::string WithoutNames(const std::string& contents) const {
    std::vector<std::string> lines = absl::StrSplit(contents, '\n');
    std::fill_n(lines.begin(), line_ - 1, "");
    return absl::StrJoin(lines, "\n");
  }

  Template DefaultAlias() const {
    std::string text = declaration_.name;
    const char* separator = "_";
    for (const Parameter& parameter : declaration_.parameters) {
      absl::StrAppend(&text, separator, "${", parameter.name, "}");
      separator = "x";
    }
    return Template(std::move(text));
  }

  absl::Status TakeHeaderLine(absl::string_view line) {
    line = absl::StripAsciiWhitespace(line);
    if (absl::ConsumePrefix(&line, "summary:")) {
      declaration_.summary = std::string(absl::StripAsciiWhitespace(line));
    } else if (absl::ConsumePrefix(&line, "alias:")) {
      has_alias_ = true;
      declaration_.alias = Template(std::string(absl::StripAsciiWhitespace(line)));
    } else if (absl::ConsumePrefix(&line, "parameter:")) {
      return TakeParameter(line);
    }
    return absl::OkStatus();
  }

  absl::Status TakeParameter(absl::string_view line) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    const size_t equals = words.empty() ? std::string::npos : words[0].find('=');
    if (words.size() < 4 || equals == std::string::npos ||
        !IsParameterName(words[0].substr(0, equals))) {
      return Error(
          "a parameter is declared as NAME=DEFAULT UNIT RANGE HELP; - for no unit or "
          "range");
    }
    Parameter parameter;
    parameter.name = words[0].substr(0, equals);
    parameter.default_text = words[0].substr(equals + 1);
    if (words[1] != "-") parameter.unit = words[1];
    RETURN_IF_ERROR(TakeRange(words[2], &parameter));
    parameter.help = absl::StrJoin(words.begin() + 3, words.end(), " ");
    const std::vector<std::string> names = NamesOf(declaration_.parameters);
    if (absl::c_linear_search(names, parameter.name) || parameter.name == kDurationUs ||
        parameter.name == kDurationSeconds) {
      return Error(absl::StrCat("there is a parameter ", Quoted(parameter.name), " already"));
    }
    if (absl::Status checked = CheckValue(parameter, parameter.default_text); !checked.ok()) {
      return Error(checked.message());
    }
    declaration_.parameters.push_back(std::move(parameter));
    return absl::OkStatus();
  }

  absl::Status TakeRange(const std::string& text, Parameter* parameter) const {
    if (text == "-") return absl::OkStatus();
    const std::vector<std::string> ends = absl::StrSplit(text, "..");
    if (ends.size() != 2) {
      parameter->choices = absl::StrSplit(text, '|');
      return absl::OkStatus();
    }
    int64_t integer = 0;
    const bool is_integer =
        absl::SimpleAtoi(ends[0], &integer) && absl::SimpleAtoi(ends[1], &integer);
    parameter->kind = is_integer ? Parameter::Kind::kInteger : Parameter::Kind::kNumber;
    if (absl::SimpleAtod(ends[0], &parameter->least) &&
        absl::SimpleAtod(ends[1], &parameter->greatest) &&
        parameter->least <= parameter->greatest) {
      return absl::OkStatus();
    }
    return Error(absl::StrCat(Quoted(text), " is no range; write LEAST..GREATEST"));
  }

  Declaration declaration_;
  bool has_alias_ = false;
  size_t line_ = 1;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Pattern>> ParseTextPattern(const std::string& name,
                                                          const std::string& file_name,
                                                          const std::string& contents) {
  ASSIGN_OR_RETURN(Declaration declaration, DeclarationReader(name, file_name).Read(contents));
  return std::make_unique<TextPattern>(std::move(declaration));
}

absl::Status AddTextPatterns(const std::string& folder, PatternRegistry* registry) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator file(UserPath(folder), error), end;
       !error && file != end; file.increment(error)) {
    if (file->path().extension() == kSuffix) files.push_back(file->path());
  }
  if (error) {
    return absl::InvalidArgumentError(absl::StrCat("cannot read ", folder, ": ", error.message()));
  }
  if (files.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("no file NAME", kSuffix, " in ", folder));
  }
  absl::c_sort(files);
  for (const std::filesystem::path& file : files) {
    ASSIGN_OR_RETURN(const std::string contents, ReadUserFile(file.string()));
    ASSIGN_OR_RETURN(std::unique_ptr<Pattern> pattern,
                     ParseTextPattern(file.stem().string(), file.string(), contents));
    if (absl::Status added = registry->Add(std::move(pattern)); !added.ok()) {
      return absl::Status(added.code(), absl::StrCat(file.string(), ": ", added.message()));
    }
  }
  return absl::OkStatus();
}

}  // namespace distbench
