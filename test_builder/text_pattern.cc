#include "test_builder/text_pattern.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
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
#include "test_builder/test_parameters.h"

namespace distbench {
namespace {

constexpr char kSuffix[] = ".pattern";
// Names that declare something in the head of a file.
constexpr absl::string_view kHeadWords[] = {"summary:", "alias:", "parameter:"};
constexpr char kDriverEntry[] = "default_protocol_driver_options";
constexpr char kDurationUs[] = "duration_us";
constexpr char kDurationSeconds[] = "duration_seconds";

absl::Status ErrorIn(const std::string& file_name, size_t line, absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat(file_name, ":", line, ": ", message));
}

// Text with ${NAME} in it.
class Template {
 public:
  Template() = default;
  // It begins in this line of its file.
  Template(std::string text, size_t line) : text_(std::move(text)), line_(line) {}

  // An error if it has a name that is not among these, or one that does not end.
  absl::Status Check(const std::string& file_name, const std::vector<std::string>& known) const {
    size_t at = 0;
    while ((at = text_.find("${", at)) != std::string::npos) {
      const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(at);
      const auto line = line_ + static_cast<size_t>(std::count(text_.begin(), begin, '\n'));
      const size_t end = text_.find('}', at);
      if (end == std::string::npos) return ErrorIn(file_name, line, "${ without a }");
      const std::string name = text_.substr(at + 2, end - at - 2);
      if (!absl::c_linear_search(known, name)) {
        return ErrorIn(
            file_name, line,
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
  size_t line_ = 1;
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
    if (sequence.tests_size() != 1) {
      return Error(
          absl::StrCat("has ", sequence.tests_size(), " tests; a pattern is the contents of one"));
    }
    DistributedSystemDescription& test = *sequence.mutable_tests(0);
    // As in a config that was copied: it would meet the entry of the driver that the user chooses.
    for (const ProtocolDriverOptions& options : test.protocol_driver_options()) {
      if (options.name() != kDriverEntry) continue;
      return Error(absl::StrCat("protocol_driver_options ", Quoted(kDriverEntry),
                                " are those of the driver that the command line names "
                                "(PATTERN:DRIVER:NAME=VALUE); leave them out, or rename them"));
    }
    return std::move(test);
  }

 private:
  absl::Status Error(absl::string_view message) const {
    return absl::InvalidArgumentError(absl::StrCat(declaration_.file_name, ": ", message));
  }

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
    if (absl::c_linear_search(kCommandWords, declaration_.name)) {
      return Error(absl::StrCat(Quoted(declaration_.name),
                                " is a word of the command line; call the pattern otherwise"));
    }
    std::vector<std::string> lines = absl::StrSplit(contents, '\n');
    // Empty lines take the place of the head, so that errors of the body say the right line.
    for (; line_ <= lines.size() && IsOfHead(lines[line_ - 1]); ++line_) {
      RETURN_IF_ERROR(TakeHeadLine(lines[line_ - 1]));
      lines[line_ - 1].clear();
    }
    const bool has_contents = line_ <= lines.size();
    declaration_.body = Template(absl::StrJoin(lines, "\n"), 1);
    for (; line_ <= lines.size(); ++line_) {
      if (!DeclaresSomething(lines[line_ - 1])) continue;
      return Error("declarations stand in front of the contents of the test; move this there");
    }
    if (!has_alias_) declaration_.alias = DefaultAlias();
    std::vector<std::string> known = NamesOf(declaration_.parameters);
    RETURN_IF_ERROR(declaration_.alias.Check(declaration_.file_name, known));
    known.push_back(kDurationUs);
    known.push_back(kDurationSeconds);
    RETURN_IF_ERROR(declaration_.body.Check(declaration_.file_name, known));
    if (!has_contents) {
      return ErrorIn(declaration_.file_name, lines.size(),
                     "the contents of the test are missing; they stand behind the head");
    }
    return std::move(declaration_);
  }

 private:
  absl::Status Error(absl::string_view message) const {
    return ErrorIn(declaration_.file_name, line_, message);
  }

  // Comments and empty lines.
  static bool IsOfHead(absl::string_view line) {
    line = absl::StripAsciiWhitespace(line);
    return line.empty() || line.front() == '#';
  }

  static bool DeclaresSomething(absl::string_view line) {
    line = absl::StripAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&line, "#")) return false;
    line = absl::StripLeadingAsciiWhitespace(line);
    return absl::c_any_of(kHeadWords,
                          [&](absl::string_view word) { return absl::StartsWith(line, word); });
  }

  Template DefaultAlias() const {
    std::string text = declaration_.name;
    const char* separator = "_";
    for (const Parameter& parameter : declaration_.parameters) {
      absl::StrAppend(&text, separator, "${", parameter.name, "}");
      separator = "x";
    }
    return Template(std::move(text), line_);
  }

  absl::Status TakeHeadLine(absl::string_view line) {
    line = absl::StripAsciiWhitespace(line);
    absl::ConsumePrefix(&line, "#");
    line = absl::StripLeadingAsciiWhitespace(line);
    if (absl::ConsumePrefix(&line, "summary:")) {
      declaration_.summary = std::string(absl::StripAsciiWhitespace(line));
    } else if (absl::ConsumePrefix(&line, "alias:")) {
      has_alias_ = true;
      line = absl::StripAsciiWhitespace(line);
      if (line.empty()) return Error("the alias is empty; leave the line out, or write one");
      declaration_.alias = Template(std::string(line), line_);
    } else if (absl::ConsumePrefix(&line, "parameter:")) {
      return TakeParameter(line);
    } else {
      return CheckComment(line);
    }
    return absl::OkStatus();
  }

  // That a comment is not a declaration with a slip in its first word.
  absl::Status CheckComment(absl::string_view line) const {
    const absl::string_view word = absl::StripAsciiWhitespace(line.substr(0, line.find(':')));
    if (!absl::StrContains(line, ':') || !IsParameterName(word)) return absl::OkStatus();
    const std::string hint = NearestNameHint(word, {"summary", "alias", "parameter"});
    if (!absl::StrContains(hint, "did you mean")) return absl::OkStatus();
    return Error(absl::StrCat(Quoted(word), ": declares nothing", hint));
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
    if (absl::c_linear_search(TakenNames(), parameter.name)) {
      return Error(absl::StrCat(Quoted(parameter.name),
                                " is a parameter or an attribute of all tests, or a parameter of a "
                                "driver; call yours otherwise"));
    }
    if (absl::Status checked = CheckValue(parameter, parameter.default_text); !checked.ok()) {
      return Error(checked.message());
    }
    declaration_.parameters.push_back(std::move(parameter));
    return absl::OkStatus();
  }

  // 5 and 1e3 are; 0.5, 1e-3 and 5.0 are not.
  static bool IsWhole(const std::string& number) {
    double value = 0;
    return !absl::StrContains(number, '.') && absl::SimpleAtod(number, &value) &&
           value == std::floor(value);
  }

  absl::Status TakeRange(const std::string& text, Parameter* parameter) const {
    if (text == "-") return absl::OkStatus();
    const std::vector<std::string> ends = absl::StrSplit(text, "..");
    if (ends.size() != 2) {
      parameter->choices = absl::StrSplit(text, '|');
      return absl::OkStatus();
    }
    if (!absl::SimpleAtod(ends[0], &parameter->least) ||
        !absl::SimpleAtod(ends[1], &parameter->greatest) || !std::isfinite(parameter->least) ||
        !std::isfinite(parameter->greatest) || parameter->least > parameter->greatest) {
      return Error(absl::StrCat(Quoted(text), " is no range; write LEAST..GREATEST"));
    }
    const bool is_integer = absl::c_all_of(ends, IsWhole);
    parameter->kind = is_integer ? Parameter::Kind::kInteger : Parameter::Kind::kNumber;
    return absl::OkStatus();
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
