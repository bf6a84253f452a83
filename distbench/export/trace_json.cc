#include "distbench/export/trace_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/numeric/int128.h"
#include "distbench/base/status_macros.h"
#include "distbench/export/json_text.h"
#include "distbench/export/trace_path.h"
#include "distbench/export/trace_spans.h"
#include "protos/distbench.pb.h"
#include "protos/trace_event.pb.h"

namespace distbench {
namespace {

using ::distbench::trace_event::Event;

// Numbers in the file are from 1.
int32_t Number(size_t position) { return static_cast<int32_t>(position) + 1; }

// Prints events one by one, so that no more than one is in memory.
class TraceWriter {
 public:
  TraceWriter(const TraceSpans& trace, std::ostream& out) : trace_(trace), out_(out) {
    const auto earlier = [](const TraceSpan& a, const TraceSpan& b) {
      return a.start_ns < b.start_ns;
    };
    origin_ns_ = std::min_element(trace.spans.begin(), trace.spans.end(), earlier)->start_ns;
  }

  absl::Status Write() {
    out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    for (size_t i = 0; i < trace_.processes.size(); ++i) RETURN_IF_ERROR(WriteProcess(i));
    for (size_t i = 0; i < trace_.spans.size(); ++i) {
      RETURN_IF_ERROR(WriteSlice(i));
      if (trace_.spans[i].parent.has_value()) RETURN_IF_ERROR(WriteArrow(i));
    }
    out_ << "\n]}\n";
    return absl::OkStatus();
  }

 private:
  absl::Status WriteProcess(size_t position);
  absl::Status WriteSlice(size_t position);
  absl::Status WriteArrow(size_t child_position);
  absl::Status Print(Event event);

  double Microseconds(int64_t time_ns) const {
    return static_cast<double>(absl::int128(time_ns) - origin_ns_) / 1000;
  }
  static void Place(const TraceSpan& span, Event* event) {
    event->set_pid(Number(span.process));
    event->set_tid(Number(span.lane));
  }

  const TraceSpans& trace_;
  std::ostream& out_;
  int64_t origin_ns_ = 0;
  bool is_first_ = true;
};

absl::Status TraceWriter::WriteProcess(size_t position) {
  Event event;
  event.set_name("process_name");
  event.set_ph("M");
  event.set_pid(Number(position));
  event.mutable_args()->set_name(trace_.processes[position].name);
  return Print(std::move(event));
}

absl::Status TraceWriter::WriteSlice(size_t position) {
  const TraceSpan& span = trace_.spans[position];
  Event event;
  event.set_name(span.rpc);
  event.set_cat("rpc");
  event.set_ph("X");
  event.set_ts(Microseconds(span.start_ns));
  event.set_dur(Microseconds(span.end_ns) - Microseconds(span.start_ns));
  Place(span, &event);
  trace_event::Arguments& args = *event.mutable_args();
  args.set_span(Number(position));
  if (span.parent.has_value()) args.set_parent(Number(*span.parent));
  args.set_path(span.path);
  args.set_server(span.server);
  args.set_request_bytes(static_cast<double>(span.sample->request_size()));
  args.set_response_bytes(static_cast<double>(span.sample->response_size()));
  args.set_start_timestamp_ns(span.start_ns);
  if (span.sample->warmup()) args.set_warmup(true);
  if (!span.error.empty()) args.set_error(span.error);
  return Print(std::move(event));
}

absl::Status TraceWriter::WriteArrow(size_t child_position) {
  const TraceSpan& child = trace_.spans[child_position];
  const TraceSpan& parent = trace_.spans[*child.parent];
  Event from;
  from.set_name("causes");
  from.set_cat("rpc");
  from.set_ph("s");
  // An arrow leaves from within its slice, whatever the clocks of two nodes say.
  from.set_ts(Microseconds(std::clamp(child.start_ns, parent.start_ns, parent.end_ns)));
  from.set_id(Number(child_position));
  Event to = from;
  Place(parent, &from);
  to.set_ph("f");
  to.set_bp("e");
  to.set_ts(Microseconds(child.start_ns));
  Place(child, &to);
  RETURN_IF_ERROR(Print(std::move(from)));
  return Print(std::move(to));
}

absl::Status TraceWriter::Print(Event event) {
  ASSIGN_OR_RETURN(const std::string text, JsonText(&event, JsonLayout::kOneLine));
  out_ << (is_first_ ? "\n" : ",\n") << text;
  is_first_ = false;
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteTraceJson(const TestSequenceResults& results, std::ostream& out) {
  const TraceSpans trace = CollectTraceSpans(results);
  if (trace.spans.empty()) return NoTracedRpcsError();
  return TraceWriter(trace, out).Write();
}

}  // namespace distbench
