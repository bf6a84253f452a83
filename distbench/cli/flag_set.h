// FlagSet: the flags of one mode, bound to the fields that they set. Not thread-safe.
//
// A mode declares what it takes and nothing else is accepted, so that its help is complete and a
// misspelt flag is an error instead of a default. Flags are fields, not globals: two modes may have
// flags of the same name with different meanings, and tests make as many sets as they like.
//
//   struct Options { int port = 10000; std::vector<std::string> files; };
//   FlagSet flags;
//   flags.Add("port", &options.port, "PORT", "where to listen; 0: any free port");
//   flags.AddList("infile", &options.files, "FILE", "read tests from FILE");
//   ASSIGN_OR_RETURN(auto words, flags.Parse(arguments));
#ifndef DISTBENCH_CLI_FLAG_SET_H_
#define DISTBENCH_CLI_FLAG_SET_H_

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/flags/marshalling.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace distbench {

class FlagSet {
 public:
  // `--name=VALUE` or `--name VALUE` sets `*value`; the last one wins. A bool is a switch:
  // `--name`, `--noname`, `--name=false`. One dash will do; names of one letter are shown with one,
  // behind which their value may follow at once: `-t5`.
  // `placeholder` stands for the value in the help. The field outlives
  // the set; what it holds now is the default.
  template <typename Value>
  void Add(std::string name, Value* value, std::string placeholder, std::string help) {
    Flag flag;
    flag.name = std::move(name);
    flag.placeholder = std::move(placeholder);
    flag.help = std::move(help);
    flag.default_text = absl::UnparseFlag<Value>(*value);
    flag.is_switch = std::is_same_v<Value, bool>;
    flag.set = [value](absl::string_view text, std::string* reason) {
      return absl::ParseFlag<Value>(text, value, reason);
    };
    flags_.push_back(std::move(flag));
  }

  // The same, for one that may be repeated: each value is appended.
  void AddList(std::string name, std::vector<std::string>* values, std::string placeholder,
               std::string help);

  // Takes the flags out of `arguments` and returns the other words. Flags may stand anywhere; after
  // `--` everything is a word.
  absl::StatusOr<std::vector<std::string>> Parse(const std::vector<std::string>& arguments);

  // Names of the flags that Parse has found, one for each time.
  const std::vector<std::string>& given() const { return given_; }

  // One flag a paragraph, in the order of declaration.
  std::string Help() const;

 private:
  struct Flag {
    std::string name;
    std::string placeholder;
    std::string help;
    std::string default_text;
    bool is_switch = false;
    std::function<bool(absl::string_view text, std::string* reason)> set;
  };

  // Handles one argument that begins with a dash; `next` is the one after it, null if there is
  // none.
  absl::Status ParseFlag(absl::string_view argument, const std::string* next, bool* took_next);
  absl::Status SetFlag(const Flag& flag, absl::string_view value);
  // The flag that `name` means; `*negated` says whether by its "no" form. Null if there is none.
  const Flag* Find(absl::string_view name, bool* negated) const;
  // The flag of one letter in front of its value, in an argument without its dash; or null.
  const Flag* FindAttached(absl::string_view argument) const;
  absl::Status UnknownFlag(absl::string_view name) const;

  std::vector<Flag> flags_;
  std::vector<std::string> given_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_FLAG_SET_H_
