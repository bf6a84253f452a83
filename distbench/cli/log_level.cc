#include "distbench/cli/log_level.h"

#include "glog/logging.h"

namespace distbench {

namespace {

struct LevelName {
  LogLevel level;
  const char* name;
};
constexpr LevelName kLevelNames[] = {
    {LogLevel::kError, "error"},
    {LogLevel::kWarning, "warning"},
    {LogLevel::kInfo, "info"},
    {LogLevel::kDebug, "debug"},
};

int GlogSeverity(LogLevel level) {
  switch (level) {
    case LogLevel::kError:
      return google::GLOG_ERROR;
    case LogLevel::kWarning:
      return google::GLOG_WARNING;
    case LogLevel::kInfo:
    case LogLevel::kDebug:
      break;
  }
  return google::GLOG_INFO;
}

}  // namespace

bool AbslParseFlag(absl::string_view text, LogLevel* level, std::string* error) {
  for (const LevelName& known : kLevelNames) {
    if (text == known.name) {
      *level = known.level;
      return true;
    }
  }
  *error = "error, warning, info or debug";
  return false;
}

std::string AbslUnparseFlag(LogLevel level) {
  for (const LevelName& known : kLevelNames) {
    if (level == known.level) return known.name;
  }
  return "";
}

void StartLogging(LogLevel least_severe, const char* program_name) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = GlogSeverity(least_severe);
  FLAGS_v = least_severe == LogLevel::kDebug ? 1 : 0;
  if (!google::IsGoogleLoggingInitialized()) google::InitGoogleLogging(program_name);
}

}  // namespace distbench
