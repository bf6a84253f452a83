#include "distbench/export/summary_json.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/export/json_text.h"
#include "distbench/export/summary_document.h"
#include "protos/distbench.pb.h"
#include "protos/summary_json.pb.h"

namespace distbench {

absl::Status WriteSummaryJson(const TestSequenceResults& results, std::ostream& out) {
  summary_json::Document document;
  document.set_schema(kSummarySchema);
  for (int i = 0; i < results.test_results_size(); ++i) {
    const absl::Status filled = FillSummary(results.test_results(i), *document.add_tests());
    if (filled.ok()) continue;
    return absl::InvalidArgumentError(absl::StrCat("test_results[", i, "]: ", filled.message()));
  }
  ASSIGN_OR_RETURN(const std::string text, JsonText(&document, JsonLayout::kIndented));
  out << text;
  return absl::OkStatus();
}

}  // namespace distbench
