#include "distbench/config/name_table.h"

#include "absl/strings/str_cat.h"

namespace distbench {

void NameTable::Define(const std::string& name, Reporter& report) {
  const size_t position = names_.size();
  names_.push_back(name);
  used_.push_back(false);
  if (name.empty()) {
    report.Error(ElementPath(field_, position, "name"),
                 absl::StrCat("this ", kind_, " has no name; set `name`"));
    MarkUsed(position);
    return;
  }
  const auto [it, is_new] = positions_.try_emplace(name, position);
  if (is_new) return;
  report.Error(ElementPath(field_, position, "name"),
               absl::StrCat(Quoted(name), " is the name of ", field_, "[", it->second,
                            "] already; rename one of them"));
  MarkUsed(position);
}

std::optional<size_t> NameTable::Find(absl::string_view name) const {
  const auto it = positions_.find(name);
  if (it == positions_.end()) return std::nullopt;
  return it->second;
}

std::optional<size_t> NameTable::Resolve(absl::string_view name, absl::string_view path,
                                         Reporter& report) {
  const std::optional<size_t> position = Find(name);
  if (position.has_value()) {
    MarkUsed(*position);
  } else {
    report.Error(path, absl::StrCat("there is no ", kind_, " ", Quoted(name), Hint(name)));
  }
  return position;
}

std::string NameTable::Hint(absl::string_view name) {
  if (hints_left_ == 0) return "";
  --hints_left_;
  return NearestNameHint(name, names_);
}

void NameTable::WarnOfUnused(Reporter& report) const {
  for (size_t i = 0; i < names_.size(); ++i) {
    if (used_[i]) continue;
    report.Warning(ElementPath(field_, i),
                   absl::StrCat("nothing uses the ", kind_, " ", Quoted(names_[i])));
  }
}

}  // namespace distbench
