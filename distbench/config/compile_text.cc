#include "distbench/config/compile_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "google/protobuf/text_format.h"

namespace distbench {
namespace {

std::string KindOf(const Diagnostic& diagnostic) {
  if (diagnostic.severity == Diagnostic::Severity::kWarning) return "warning";
  return diagnostic.code == absl::StatusCode::kUnimplemented ? "unsupported" : "error";
}

}  // namespace

std::vector<std::string> CompiledText::Lines() const {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics) {
    lines.push_back(
        absl::StrCat(KindOf(diagnostic), " ", diagnostic.field_path, ": ", diagnostic.message));
  }
  return lines;
}

KnownDrivers DriversForTest() {
  return {.names = {"fake", "grpc"},
          .check = [](const std::string& protocol, const ProtocolDriverOptions& options) {
            for (const NamedSetting& setting : options.server_settings()) {
              const std::string message =
                  absl::StrCat(protocol, " has no setting ", setting.name());
              if (setting.name() == "bad") return absl::InvalidArgumentError(message);
              if (setting.name() == "future") return absl::UnimplementedError(message);
            }
            return absl::OkStatus();
          }};
}

DistributedSystemDescription ParseTest(const std::string& text) {
  DistributedSystemDescription config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &config)) << text;
  return config;
}

CompiledText CompileText(const std::string& text) {
  Diagnostics diagnostics;
  CompiledText compiled;
  compiled.plan = CompileTest(ParseTest(text), DriversForTest(), &diagnostics);
  compiled.diagnostics = diagnostics.all();
  return compiled;
}

std::string ClientServerWith(const std::string& more) {
  return absl::StrCat(R"(
    name: 'small'
    services { name: 'client' count: 1 }
    services { name: 'server' count: 2 }
    rpc_descriptions { name: 'query' client: 'client' server: 'server' }
    actions { name: 'run' rpc_name: 'query' iterations { max_iteration_count: 10 } }
    action_lists { name: 'client' action_names: 'run' }
    action_lists { name: 'query' }
  )",
                      more);
}

void ExpectLines(const std::vector<ChangedConfig>& cases) {
  for (const ChangedConfig& changed : cases) {
    const bool is_added = changed.part.empty();
    std::string config = ClientServerWith(is_added ? changed.text : "");
    if (!is_added) {
      ASSERT_THAT(config, testing::HasSubstr(changed.part));
      config = absl::StrReplaceAll(config, {{changed.part, changed.text}});
    }
    const CompiledText compiled = CompileText(config);
    EXPECT_THAT(compiled.Lines(), testing::ElementsAreArray(changed.lines)) << changed.text;
    const bool is_wrong = !absl::StartsWith(changed.lines.front(), "warning");
    EXPECT_EQ(compiled.plan == nullptr, is_wrong) << changed.text;
  }
}

}  // namespace distbench
