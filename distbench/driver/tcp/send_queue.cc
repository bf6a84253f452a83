#include "distbench/driver/tcp/send_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace distbench {
namespace {

// Forgets the first `*first` elements once they are more than half of all.
template <typename T>
void Compact(std::vector<T>* items, size_t* first) {
  if (*first <= items->size() / 2) return;
  items->erase(items->begin(), items->begin() + static_cast<ptrdiff_t>(*first));
  *first = 0;
}

}  // namespace

void SendQueue::AppendFrame(FrameType type, CallId id, const OutgoingMessage& body) {
  const FrameHeader header = {
      .type = type, .body_bytes = static_cast<uint64_t>(body.size()), .id = id};
  const bool copies_payload = body.payload_size <= kMaxCopiedPayload;
  const size_t copied_payload = copies_payload ? static_cast<size_t>(body.payload_size) : 0;
  const size_t copied = kFrameHeaderBytes + body.head.size() + copied_payload;
  if (copied <= kChunkBytes) {
    char* out = AppendRoom(copied);
    EncodeFrameHeader(header, out);
    if (!body.head.empty()) {
      std::memcpy(out + kFrameHeaderBytes, body.head.data(), body.head.size());
    }
    std::memcpy(out + copied - copied_payload, PayloadPattern().data() + body.payload_offset,
                copied_payload);
  } else {
    EncodeFrameHeader(header, AppendRoom(kFrameHeaderBytes));
    AppendCopy(body.head);
    AppendCopy(PayloadPattern().substr(body.payload_offset, copied_payload));
  }
  if (copies_payload) return;
  // As if what lies before its offset had been written.
  segments_.push_back(
      {.size = body.payload_offset + body.payload_size, .written = body.payload_offset});
  size_bytes_ += body.payload_size;
}

char* SendQueue::AppendRoom(size_t size) {
  if (kChunkBytes - chunk_used_ < size) BeginChunk();
  char* room = chunks_.back().get() + chunk_used_;
  chunk_used_ += size;
  size_bytes_ += static_cast<int64_t>(size);
  Segment* last = first_segment_ < segments_.size() ? &segments_.back() : nullptr;
  if (last != nullptr && last->data != nullptr && last->data + last->size == room) {
    last->size += static_cast<int64_t>(size);
  } else {
    segments_.push_back({.data = room, .size = static_cast<int64_t>(size)});
  }
  return room;
}

void SendQueue::AppendCopy(absl::string_view bytes) {
  while (!bytes.empty()) {
    if (chunk_used_ == kChunkBytes) BeginChunk();
    const size_t here = std::min(bytes.size(), kChunkBytes - chunk_used_);
    std::memcpy(AppendRoom(here), bytes.data(), here);
    bytes.remove_prefix(here);
  }
}

void SendQueue::BeginChunk() {
  Segment* last_copied = LastCopiedSegment();
  if (last_copied == nullptr && !chunks_.empty()) {
    // All that was in the last chunk has been written.
    chunk_used_ = 0;
    return;
  }
  if (last_copied != nullptr) last_copied->ends_chunk = true;
  if (free_.empty()) {
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(kChunkBytes));
  } else {
    chunks_.push_back(std::move(free_.back()));
    free_.pop_back();
  }
  chunk_used_ = 0;
}

// Null if there is none. At most one segment of a payload follows it.
SendQueue::Segment* SendQueue::LastCopiedSegment() {
  for (size_t i = segments_.size(); i > first_segment_; --i) {
    if (segments_[i - 1].data != nullptr) return &segments_[i - 1];
  }
  return nullptr;
}

size_t SendQueue::Gather(absl::Span<iovec> pieces) const {
  size_t count = 0;
  for (size_t i = first_segment_; i < segments_.size() && count < pieces.size(); ++i) {
    const Segment& segment = segments_[i];
    if (segment.data != nullptr) {
      pieces[count++] = {.iov_base = const_cast<char*>(segment.data) + segment.written,
                         .iov_len = static_cast<size_t>(segment.size - segment.written)};
      continue;
    }
    for (int64_t at = segment.written; at < segment.size && count < pieces.size();) {
      const auto in_pattern = static_cast<size_t>(at) % kPayloadPatternSize;
      const size_t size =
          std::min(static_cast<size_t>(segment.size - at), kPayloadPatternSize - in_pattern);
      pieces[count++] = {.iov_base = const_cast<char*>(PayloadPattern().data()) + in_pattern,
                         .iov_len = size};
      at += static_cast<int64_t>(size);
    }
  }
  return count;
}

void SendQueue::Consume(size_t bytes) {
  auto left = static_cast<int64_t>(bytes);
  size_bytes_ -= left;
  if (size_bytes_ == 0) return Rewind();
  while (left > 0) {
    Segment& segment = segments_[first_segment_];
    const int64_t here = std::min(left, segment.size - segment.written);
    segment.written += here;
    left -= here;
    if (segment.written == segment.size) DropFirstSegment();
  }
  Compact(&segments_, &first_segment_);
  Compact(&chunks_, &first_chunk_);
}

void SendQueue::DropFirstSegment() {
  if (segments_[first_segment_].ends_chunk) free_.push_back(std::move(chunks_[first_chunk_++]));
  ++first_segment_;
}

// Everything was written: the last chunk is used again from its start, as it is in the cache.
void SendQueue::Rewind() {
  segments_.clear();
  first_segment_ = 0;
  while (first_chunk_ + 1 < chunks_.size()) free_.push_back(std::move(chunks_[first_chunk_++]));
  if (chunks_.empty()) return;
  if (first_chunk_ > 0) {
    chunks_.front() = std::move(chunks_.back());
    chunks_.resize(1);
    first_chunk_ = 0;
  }
  chunk_used_ = 0;
}

void SendQueue::Clear() {
  size_bytes_ = 0;
  Rewind();
}

}  // namespace distbench
