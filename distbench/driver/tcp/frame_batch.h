// FrameBatch: complete frames of one connection, in order, without their bytes.
//
// Frames are handled in batches so that what costs the same for one and for many (a lock, the
// announcement of callbacks) is paid once. Bodies refer to the FrameReader's memory. An event loop
// has one batch, which all its connections fill in turn.
#ifndef DISTBENCH_DRIVER_TCP_FRAME_BATCH_H_
#define DISTBENCH_DRIVER_TCP_FRAME_BATCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "distbench/driver/tcp/frame.h"
#include "distbench/payload/message.h"

namespace distbench {

class FrameBatch {
 public:
  // What the frames of a batch set off is sent before the next batch is handled: few enough for the
  // peer not to run dry meanwhile, enough to be worth a write.
  static constexpr size_t kMaxFrames = 32;

  size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  bool full() const { return end_ == kMaxFrames; }

  const FrameHeader& header(size_t i) const { return frames_[begin_ + i].header; }

  ReceivedMessage body(size_t i) const {
    const Frame& frame = frames_[begin_ + i];
    return {.fragments =
                absl::MakeConstSpan(fragments_).subspan(frame.first_fragment, frame.fragment_count),
            .size = static_cast<int64_t>(frame.header.body_bytes)};
  }

  void Clear() {
    begin_ = end_ = 0;
    fragments_.clear();
  }

  void DropFirst() { ++begin_; }

  // --- To fill

  // Requires: not full.
  void AddFrame(const FrameHeader& header) {
    frames_[end_++] = {.header = header,
                       .first_fragment = static_cast<uint32_t>(fragments_.size()),
                       .fragment_count = 0};
  }

  // Of the frame that was added last.
  void AddFragment(absl::string_view fragment) {
    fragments_.push_back(fragment);
    ++frames_[end_ - 1].fragment_count;
  }

 private:
  struct Frame {
    FrameHeader header;
    uint32_t first_fragment;
    uint32_t fragment_count;
  };

  size_t begin_ = 0;
  size_t end_ = 0;
  std::array<Frame, kMaxFrames> frames_;
  std::vector<absl::string_view> fragments_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_FRAME_BATCH_H_
