#include "distbench/cli/flag_set.h"

#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"

namespace distbench {

namespace {

constexpr size_t kHelpWidth = 80;
constexpr char kHelpIndent[] = "      ";

// A flag as one types it.
std::string Dashed(absl::string_view name) {
  return absl::StrCat(name.size() == 1 ? "-" : "--", name);
}

// Breaks `text` at spaces into indented lines.
std::string Wrapped(absl::string_view text) {
  std::string lines;
  std::string line = kHelpIndent;
  bool empty = true;
  for (absl::string_view word : absl::StrSplit(text, ' ')) {
    if (!empty && line.size() + 1 + word.size() > kHelpWidth) {
      absl::StrAppend(&lines, line, "\n");
      line = kHelpIndent;
      empty = true;
    }
    absl::StrAppend(&line, empty ? "" : " ", word);
    empty = false;
  }
  return absl::StrCat(lines, line, "\n");
}

}  // namespace

void FlagSet::AddList(std::string name, std::vector<std::string>* values, std::string placeholder,
                      std::string help) {
  Flag flag;
  flag.name = std::move(name);
  flag.placeholder = std::move(placeholder);
  flag.help = absl::StrCat(help, " May be repeated.");
  flag.set = [values](absl::string_view text, std::string*) {
    values->emplace_back(text);
    return true;
  };
  flags_.push_back(std::move(flag));
}

absl::StatusOr<std::vector<std::string>> FlagSet::Parse(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (*argument == "--") {
      words.insert(words.end(), argument + 1, arguments.end());
      break;
    }
    if (argument->size() < 2 || argument->front() != '-') {
      words.push_back(*argument);
      continue;
    }
    const std::string* next = argument + 1 == arguments.end() ? nullptr : &*(argument + 1);
    bool took_next = false;
    RETURN_IF_ERROR(ParseFlag(*argument, next, &took_next));
    if (took_next) ++argument;
  }
  return words;
}

absl::Status FlagSet::ParseFlag(absl::string_view argument, const std::string* next,
                                bool* took_next) {
  const bool has_one_dash = !absl::StartsWith(argument, "--");
  argument.remove_prefix(has_one_dash ? 1 : 2);
  const size_t equals = argument.find('=');
  const bool has_value = equals != absl::string_view::npos;
  const absl::string_view name = argument.substr(0, equals);
  bool negated = false;
  const Flag* flag = Find(name, &negated);
  if (flag == nullptr && has_one_dash) {
    const Flag* const attached = FindAttached(argument);
    if (attached != nullptr) return SetFlag(*attached, argument.substr(1));
  }
  if (flag == nullptr) return UnknownFlag(name);
  if (negated && has_value) {
    return absl::InvalidArgumentError(absl::StrCat(Dashed(name), " takes no value"));
  }
  absl::string_view value;
  if (has_value) {
    value = argument.substr(equals + 1);
  } else if (flag->is_switch) {
    value = negated ? "false" : "true";
  } else if (next != nullptr) {
    value = *next;
    *took_next = true;
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat(Dashed(name), " needs a value: ", Dashed(name), "=", flag->placeholder));
  }
  return SetFlag(*flag, value);
}

absl::Status FlagSet::SetFlag(const Flag& flag, absl::string_view value) {
  given_.push_back(flag.name);
  std::string reason;
  if (flag.set(value, &reason)) return absl::OkStatus();
  const std::string expected = reason.empty() ? flag.placeholder : reason;
  return absl::InvalidArgumentError(absl::StrCat(Dashed(flag.name), "=", value, ": expected ",
                                                 expected.empty() ? "true or false" : expected));
}

std::string FlagSet::Help() const {
  std::string text;
  for (const Flag& flag : flags_) {
    const bool is_short = flag.name.size() == 1;
    absl::StrAppend(
        &text, "  ",
        flag.is_switch && !is_short ? absl::StrCat("--[no]", flag.name) : Dashed(flag.name));
    if (!flag.is_switch) absl::StrAppend(&text, is_short ? " " : "=", flag.placeholder);
    const bool has_default = !flag.default_text.empty() && !flag.is_switch;
    if (has_default) absl::StrAppend(&text, " (", flag.default_text, ")");
    absl::StrAppend(&text, "\n", Wrapped(flag.help));
  }
  return text;
}

const FlagSet::Flag* FlagSet::Find(absl::string_view name, bool* negated) const {
  for (const Flag& flag : flags_) {
    if (flag.name == name) return &flag;
  }
  for (const Flag& flag : flags_) {
    if (flag.is_switch && name == absl::StrCat("no", flag.name)) {
      *negated = true;
      return &flag;
    }
  }
  return nullptr;
}

const FlagSet::Flag* FlagSet::FindAttached(absl::string_view argument) const {
  bool negated = false;
  const Flag* const flag = Find(argument.substr(0, 1), &negated);
  return flag == nullptr || flag->is_switch || negated ? nullptr : flag;
}

absl::Status FlagSet::UnknownFlag(absl::string_view name) const {
  std::vector<std::string> names;
  for (const Flag& flag : flags_) names.push_back(Dashed(flag.name));
  const std::string given = Dashed(name);
  return absl::InvalidArgumentError(
      absl::StrCat("unknown flag ", Quoted(given), NearestNameHint(given, names)));
}

}  // namespace distbench
