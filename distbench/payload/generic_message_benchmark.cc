// Cost of a message's head, per RPC and side.
#include <algorithm>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "distbench/payload/generic_message.h"

namespace distbench {
namespace {

void BM_EncodeRequest(benchmark::State& state) {
  HeadBuffer buffer;
  RequestHead head = {.rpc_index = 0};
  for (auto _ : state) {
    benchmark::DoNotOptimize(head);
    benchmark::DoNotOptimize(buffer.EncodeRequest(head, state.range(0)));
  }
}
BENCHMARK(BM_EncodeRequest)->Arg(4)->Arg(196)->Arg(16391)->Arg(1 << 20);

void BM_EncodeResponse(benchmark::State& state) {
  HeadBuffer buffer;
  ResponseHead head;
  for (auto _ : state) {
    benchmark::DoNotOptimize(head);
    benchmark::DoNotOptimize(buffer.EncodeResponse(head, state.range(0)));
  }
}
BENCHMARK(BM_EncodeResponse)->Arg(32)->Arg(262144);

// A received message in pieces of 8 KiB, as gRPC reads it.
std::vector<absl::string_view> Fragments(const OutgoingMessage& message) {
  std::vector<absl::string_view> fragments = {message.head};
  ForEachPayloadPiece(message, [&](absl::string_view piece) {
    for (; !piece.empty(); piece.remove_prefix(std::min<size_t>(8192, piece.size()))) {
      fragments.push_back(piece.substr(0, 8192));
    }
  });
  return fragments;
}

void BM_DecodeRequest(benchmark::State& state) {
  HeadBuffer buffer;
  const OutgoingMessage message = buffer.EncodeRequest({.rpc_index = 0}, state.range(0));
  const std::vector<absl::string_view> fragments = Fragments(message);
  std::string storage;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        DecodeRequest({.fragments = fragments, .size = message.size()}, &storage));
  }
}
BENCHMARK(BM_DecodeRequest)->Arg(16)->Arg(262144);

void BM_DecodeResponse(benchmark::State& state) {
  HeadBuffer buffer;
  std::string storage;
  const OutgoingMessage message = buffer.EncodeResponse({}, state.range(0));
  const std::vector<absl::string_view> fragments = Fragments(message);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        DecodeResponse({.fragments = fragments, .size = message.size()}, &storage));
  }
}
BENCHMARK(BM_DecodeResponse)->Arg(32)->Arg(262144);

}  // namespace
}  // namespace distbench
