#include "distbench/results/sample_columns.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

// Nothing if all values are 0, one element if they are equal, else an element for each.
template <typename Column, typename GetValue>
void WriteColumn(absl::Span<const SampleRow> rows, GetValue get_value, Column* column) {
  const auto first = get_value(rows.front());
  const bool all_equal = std::all_of(rows.begin(), rows.end(),
                                     [&](const SampleRow& row) { return get_value(row) == first; });
  if (all_equal) {
    if (first != decltype(first){}) column->Add(first);
    return;
  }
  column->Reserve(static_cast<int>(rows.size()));
  for (const SampleRow& row : rows) column->AddAlreadyReserved(get_value(row));
}

void WriteStarts(absl::Span<const SampleRow> rows, SampleRun& run) {
  run.set_first_start_timestamp_ns(rows.front().start_timestamp_ns);
  if (rows.size() == 1) return;
  auto& deltas = *run.mutable_start_deltas_ns();
  deltas.Reserve(static_cast<int>(rows.size()));
  int64_t last_ns = rows.front().start_timestamp_ns;
  for (const SampleRow& row : rows) {
    deltas.AddAlreadyReserved(row.start_timestamp_ns - last_ns);
    last_ns = row.start_timestamp_ns;
  }
}

// Reads one column by the same rule.
template <typename Column>
class ColumnReader {
 public:
  explicit ColumnReader(const Column& column) : column_(column) {}
  auto Get(int64_t row) const {
    if (column_.empty()) return typename Column::value_type{};
    return column_.Get(column_.size() == 1 ? 0 : static_cast<int>(row));
  }

 private:
  const Column& column_;
};
template <typename Column>
ColumnReader(const Column&) -> ColumnReader<Column>;

template <typename Column>
absl::Status CheckColumn(const char* name, const Column& column, int64_t count) {
  const int64_t size = column.size();
  if (size == 0 || size == count || (size == 1 && count > 0)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, " has ", size, " elements for ", count, " samples"));
}

// Wraps around: a file is not trusted.
int64_t WrappingSum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// The run's server_instance: that of its samples, if all of them have the same.
std::optional<int32_t> CommonServerInstance(absl::Span<const RpcSample* const> samples) {
  std::optional<int32_t> common;
  for (const RpcSample* sample : samples) {
    if (!sample->has_server_instance()) return std::nullopt;
    if (common.value_or(sample->server_instance()) != sample->server_instance()) {
      return std::nullopt;
    }
    common = sample->server_instance();
  }
  return common;
}

// In a run of that server_instance.
bool FitsColumns(const RpcSample& sample, std::optional<int32_t> server_instance) {
  return !sample.has_trace_context() &&
         sample.has_server_instance() == server_instance.has_value() &&
         (!sample.has_latency_weight() || sample.latency_weight() != 0);
}

SampleRow RowOf(const RpcSample& sample) {
  return {.start_timestamp_ns = sample.start_timestamp_ns(),
          .latency_ns = sample.latency_ns(),
          .latency_weight = sample.has_latency_weight() ? sample.latency_weight() : 0,
          .request_size = sample.request_size(),
          .response_size = sample.response_size(),
          .error_index = sample.error_index(),
          .warmup = sample.warmup()};
}

}  // namespace

void WriteSample(const SampleRow& row, RpcSample& sample) {
  sample.set_request_size(row.request_size);
  sample.set_response_size(row.response_size);
  sample.set_start_timestamp_ns(row.start_timestamp_ns);
  sample.set_latency_ns(row.latency_ns);
  if (row.latency_weight != 0) sample.set_latency_weight(row.latency_weight);
  if (row.warmup) sample.set_warmup(true);
  if (row.error_index != 0) sample.set_error_index(row.error_index);
}

void WriteColumns(absl::Span<const SampleRow> rows, SampleRun& run) {
  if (rows.empty()) return;
  run.set_count(static_cast<int64_t>(rows.size()));
  WriteStarts(rows, run);
  const auto write = [&](auto get_value, auto* column) { WriteColumn(rows, get_value, column); };
  write([](const SampleRow& row) { return row.latency_ns; }, run.mutable_latencies_ns());
  write([](const SampleRow& row) { return row.latency_weight; }, run.mutable_latency_weights());
  write([](const SampleRow& row) { return row.request_size; }, run.mutable_request_sizes());
  write([](const SampleRow& row) { return row.response_size; }, run.mutable_response_sizes());
  write([](const SampleRow& row) { return row.warmup; }, run.mutable_warmup());
  write([](const SampleRow& row) { return row.error_index; }, run.mutable_error_indices());
}

void WriteSamples(absl::Span<const RpcSample* const> samples, SampleRun& run) {
  const std::optional<int32_t> server_instance = CommonServerInstance(samples);
  if (server_instance) run.set_server_instance(*server_instance);
  std::vector<SampleRow> rows;
  for (const RpcSample* sample : samples) {
    if (FitsColumns(*sample, server_instance)) {
      rows.push_back(RowOf(*sample));
    } else {
      *run.add_whole_samples() = *sample;
    }
  }
  WriteColumns(rows, run);
}

absl::Status CheckRun(const SampleRun& run) {
  const int64_t count = run.count();
  if (run.peer().empty()) return absl::InvalidArgumentError("peer is empty");
  if (run.rpc_index() < 0) {
    return absl::InvalidArgumentError(absl::StrCat("rpc_index is ", run.rpc_index()));
  }
  if (count < 0 || count > kMaxBlockSamples) {
    return absl::InvalidArgumentError(
        absl::StrCat("count is ", count, "; expected 0 to ", kMaxBlockSamples));
  }
  RETURN_IF_ERROR(CheckColumn("start_deltas_ns", run.start_deltas_ns(), count));
  RETURN_IF_ERROR(CheckColumn("latencies_ns", run.latencies_ns(), count));
  RETURN_IF_ERROR(CheckColumn("latency_weights", run.latency_weights(), count));
  RETURN_IF_ERROR(CheckColumn("request_sizes", run.request_sizes(), count));
  RETURN_IF_ERROR(CheckColumn("response_sizes", run.response_sizes(), count));
  RETURN_IF_ERROR(CheckColumn("warmup", run.warmup(), count));
  return CheckColumn("error_indices", run.error_indices(), count);
}

absl::Status ForEachSample(const SampleRun& run, absl::FunctionRef<void(const RpcSample&)> visit) {
  RETURN_IF_ERROR(CheckRun(run));
  const ColumnReader deltas(run.start_deltas_ns());
  const ColumnReader latencies(run.latencies_ns());
  const ColumnReader weights(run.latency_weights());
  const ColumnReader request_sizes(run.request_sizes());
  const ColumnReader response_sizes(run.response_sizes());
  const ColumnReader warmup(run.warmup());
  const ColumnReader errors(run.error_indices());
  int64_t start_ns = run.first_start_timestamp_ns();
  RpcSample sample;
  for (int64_t i = 0; i < run.count(); ++i) {
    start_ns = WrappingSum(start_ns, deltas.Get(i));
    sample.Clear();
    WriteSample({.start_timestamp_ns = start_ns,
                 .latency_ns = latencies.Get(i),
                 .latency_weight = weights.Get(i),
                 .request_size = request_sizes.Get(i),
                 .response_size = response_sizes.Get(i),
                 .error_index = errors.Get(i),
                 .warmup = warmup.Get(i)},
                sample);
    if (run.has_server_instance()) sample.set_server_instance(run.server_instance());
    visit(sample);
  }
  for (const RpcSample& whole : run.whole_samples()) visit(whole);
  return absl::OkStatus();
}

int64_t SampleCount(const SampleRun& run) { return run.count() + run.whole_samples_size(); }

int64_t SampleCount(const SampleBlock& block) {
  int64_t samples = 0;
  for (const SampleRun& run : block.runs()) samples += SampleCount(run);
  return samples;
}

}  // namespace distbench
