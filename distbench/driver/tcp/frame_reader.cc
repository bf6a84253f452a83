#include "distbench/driver/tcp/frame_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/string_view.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

// A read that could bring less than this is not worth its system call.
constexpr size_t kLeastRoom = ChunkPool::kChunkBytes / 2;

}  // namespace

size_t FrameReader::PrepareRoom(absl::Span<iovec> room) {
  const size_t missing = has_header_ ? header_.body_bytes - unread_bytes_ : 0;
  const size_t wanted = std::max(missing, kLeastRoom);
  size_t count = 0;
  size_t prepared = 0;
  Position at = write_;
  while (prepared < wanted && count < kMaxRoom) {
    if (at.offset == kChunkBytes) at = {.chunk = at.chunk + 1, .offset = 0};
    if (at.chunk == chunks_.size()) chunks_.push_back(pool_->Take());
    const size_t bytes = kChunkBytes - at.offset;
    room[count++] = {.iov_base = chunks_[at.chunk].get() + at.offset, .iov_len = bytes};
    prepared += bytes;
    at.offset = kChunkBytes;
  }
  return count;
}

void FrameReader::Commit(size_t bytes) {
  unread_bytes_ += bytes;
  while (bytes > 0) {
    if (write_.offset == kChunkBytes) write_ = {.chunk = write_.chunk + 1, .offset = 0};
    const size_t here = std::min(bytes, kChunkBytes - write_.offset);
    write_.offset += here;
    bytes -= here;
  }
}

absl::Status FrameReader::NextFrames(FrameBatch* batch) {
  batch->Clear();
  while (!batch->full()) {
    if (!has_header_) {
      if (unread_bytes_ < kFrameHeaderBytes) break;
      ReadHeader();
    }
    if (!IsPlainMessage()) {
      const absl::Status legal = CheckFrameHeader(header_, max_message_bytes_);
      if (!legal.ok()) return batch->empty() ? legal : absl::OkStatus();
    }
    if (unread_bytes_ < header_.body_bytes) break;
    TakeBody(batch);
  }
  return absl::OkStatus();
}

// How many unread bytes lie together at the place to read.
size_t FrameReader::BytesAtOnce() const {
  const size_t end = read_.chunk == write_.chunk ? write_.offset : kChunkBytes;
  return end - read_.offset;
}

void FrameReader::ReadHeader() {
  has_header_ = true;
  if (BytesAtOnce() >= kFrameHeaderBytes) {
    header_ = DecodeFrameHeader(chunks_[read_.chunk].get() + read_.offset);
    read_.offset += kFrameHeaderBytes;
    unread_bytes_ -= kFrameHeaderBytes;
    return;
  }
  char bytes[kFrameHeaderBytes];
  CopyOut(bytes, kFrameHeaderBytes);
  header_ = DecodeFrameHeader(bytes);
}

void FrameReader::CopyOut(char* out, size_t bytes) {
  unread_bytes_ -= bytes;
  while (bytes > 0) {
    if (read_.offset == kChunkBytes) read_ = {.chunk = read_.chunk + 1, .offset = 0};
    const size_t here = std::min(bytes, BytesAtOnce());
    std::memcpy(out, chunks_[read_.chunk].get() + read_.offset, here);
    read_.offset += here;
    out += here;
    bytes -= here;
  }
}

void FrameReader::TakeBody(FrameBatch* batch) {
  batch->AddFrame(header_);
  has_header_ = false;
  size_t left = header_.body_bytes;
  unread_bytes_ -= left;
  while (left > 0) {
    if (read_.offset == kChunkBytes) read_ = {.chunk = read_.chunk + 1, .offset = 0};
    const size_t here = std::min(left, BytesAtOnce());
    batch->AddFragment(absl::string_view(chunks_[read_.chunk].get() + read_.offset, here));
    read_.offset += here;
    left -= here;
  }
}

void FrameReader::ReleaseConsumed() {
  if (unread_bytes_ == 0 && !has_header_) return Clear();
  // Room that was prepared and not used.
  while (chunks_.size() > write_.chunk + 1) {
    pool_->Return(std::move(chunks_.back()));
    chunks_.pop_back();
  }
  // A chunk that was read to its end has nothing more to give.
  if (read_.offset == kChunkBytes && read_.chunk < write_.chunk) {
    read_ = {.chunk = read_.chunk + 1, .offset = 0};
  }
  if (read_.chunk == 0) return;
  for (size_t i = 0; i < read_.chunk; ++i) pool_->Return(std::move(chunks_[i]));
  chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<ptrdiff_t>(read_.chunk));
  write_.chunk -= read_.chunk;
  read_.chunk = 0;
}

void FrameReader::Clear() {
  // Last taken, first returned: the first chunk, which every read uses, comes out first again.
  while (!chunks_.empty()) {
    pool_->Return(std::move(chunks_.back()));
    chunks_.pop_back();
  }
  read_ = write_ = {};
  unread_bytes_ = 0;
  has_header_ = false;
}

}  // namespace distbench
