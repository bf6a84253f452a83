#include "distbench/export/analysis_tree.h"

#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/export/logged_samples.h"
#include "distbench/export/result_names.h"
#include "distbench/export/trace_path.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using Samples = std::vector<const RpcSample*>;

constexpr char kSummary[] = "summary";
constexpr size_t kMaxPartBytes = 200;  // file systems take 255, numbers and endings included

// Gives names in folders to what has names of its own: the same each time for the same, and no two
// alike in a folder.
class FolderNames {
 public:
  // Path of `name` below `folder`.
  std::string Below(const std::string& folder, const std::string& name) {
    Folder& names = folders_[folder];
    if (names.paths.empty()) names.taken.Take(kSummary);
    std::string& path = names.paths[name];
    if (path.empty()) path = absl::StrCat(folder, "/", names.taken.Take(PathPart(name)));
    return path;
  }

 private:
  struct Folder {
    UniqueNames taken;
    absl::flat_hash_map<std::string, std::string> paths;  // by name
  };
  absl::flat_hash_map<std::string, Folder> folders_;
};

// An instance's name: the service, and the rest behind the first slash.
struct InstanceName {
  explicit InstanceName(const std::string& instance)
      : service(instance.substr(0, instance.find('/'))),
        rest(service.size() < instance.size() ? instance.substr(service.size() + 1) : "") {}
  std::string service;
  std::string rest;
};

// The samples of each file of one test.
class TestTree {
 public:
  explicit TestTree(std::string root) : root_(std::move(root)) {}

  void Add(const LoggedSample& logged) {
    // Samples come in runs of the same client, server and RPC.
    const auto origin = std::tie(logged.client, logged.server, logged.rpc);
    if (files_of_origin_.empty() || origin != origin_) {
      origin_ = origin;
      files_of_origin_ = FilesOf(logged);
    }
    for (Samples* samples : files_of_origin_) samples->push_back(&logged.sample);
  }

  bool empty() const { return files_.empty(); }

  absl::Status Write(const AnalysisOptions& options, FileMaker make_file) const {
    for (const auto& [path, samples] : files_) {
      const auto write = [&](std::ostream& out) {
        if (options.has_headers) WriteAnalysisHeader(options.format, out);
        WriteAnalysisLines(options.format, samples, out);
      };
      RETURN_IF_ERROR(make_file(path, write));
    }
    return absl::OkStatus();
  }

 private:
  // Those that show the sample.
  std::vector<Samples*> FilesOf(const LoggedSample& logged) {
    const InstanceName client(logged.client);
    const InstanceName server(logged.server);
    std::string folder = root_;
    std::vector<Samples*> files = {SummaryOf(folder)};
    for (const std::string* name : {&client.service, &client.rest, &server.service, &server.rest}) {
      folder = names_.Below(folder, *name);
      files.push_back(SummaryOf(folder));
    }
    files.push_back(&files_[absl::StrCat(names_.Below(folder, logged.rpc), ".txt")]);
    return files;
  }

  Samples* SummaryOf(const std::string& folder) {
    return &files_[absl::StrCat(folder, "/", kSummary, ".txt")];
  }

  const std::string root_;
  FolderNames names_;
  std::map<std::string, Samples> files_;  // by path
  std::tuple<std::string, std::string, std::string> origin_;
  std::vector<Samples*> files_of_origin_;  // of the sample added last
};

bool IsWanted(const LoggedSample& logged, const AnalysisOptions& options) {
  if (logged.failed || logged.replay_record.has_value()) return false;
  if (logged.sample.warmup() && !options.considers_warmups) return false;
  return options.format != AnalysisFormat::kTraceContext ||
         !logged.sample.trace_context().action_iterations().empty();
}

}  // namespace

absl::Status WriteAnalysisTree(const TestSequenceResults& results, const AnalysisOptions& options,
                               FileMaker make_file) {
  const std::vector<std::string> labels = TestLabels(results);
  UniqueNames roots;
  bool has_samples = false;
  for (int i = 0; i < results.test_results_size(); ++i) {
    TestTree tree(roots.Take(PathPart(labels[i])));
    ForEachSample(results.test_results(i), [&](const LoggedSample& logged) {
      if (IsWanted(logged, options)) tree.Add(logged);
    });
    has_samples = has_samples || !tree.empty();
    RETURN_IF_ERROR(tree.Write(options, make_file));
  }
  if (has_samples) return absl::OkStatus();
  if (options.format == AnalysisFormat::kTraceContext) return NoTracedRpcsError();
  return absl::NotFoundError(
      "these results have no successful samples to analyze; run the test with "
      "tests_setting.keep_instance_log left at true, and --consider_warmups if all is warmup");
}

std::string PathPart(absl::string_view name) {
  std::string part(name.substr(0, kMaxPartBytes));
  for (char& c : part) {
    const bool stays = absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                       absl::string_view("._+=@%{}:-").find(c) != absl::string_view::npos;
    if (!stays) c = '_';
  }
  return part.empty() || part.front() == '.' ? absl::StrCat("_", part) : part;
}

}  // namespace distbench
