// FramedSocket: a non-blocking TCP socket that carries frames, read and written in batches.
//
//   frame: u64 length of the body, u64 id, body; little-endian as the machine has it
//
// Not thread-safe.
#ifndef BENCHMARKS_FLOORS_FRAMED_SOCKET_H_
#define BENCHMARKS_FLOORS_FRAMED_SOCKET_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/strings/string_view.h"

namespace distbench {

class FramedSocket {
 public:
  // Takes the descriptor over, makes it non-blocking and sends without delay.
  explicit FramedSocket(int descriptor);
  ~FramedSocket();
  FramedSocket(const FramedSocket&) = delete;
  FramedSocket& operator=(const FramedSocket&) = delete;

  int descriptor() const { return descriptor_; }

  // Reads what is there, once, and calls `frame(uint64_t id, absl::string_view body)` for each
  // whole frame. False if the peer has gone or sends frames of an absurd length.
  template <typename OnFrame>
  bool Read(OnFrame on_frame) {
    if (!Receive()) return false;
    size_t offset = 0;
    while (received_ - offset >= sizeof(Header)) {
      Header header;
      std::memcpy(&header, &input_[offset], sizeof(header));
      if (header.body_bytes > kMaxBodyBytes) return false;
      const size_t frame_bytes = sizeof(header) + header.body_bytes;
      if (received_ - offset < frame_bytes) break;
      on_frame(header.id, absl::string_view(&input_[offset + sizeof(header)], header.body_bytes));
      offset += frame_bytes;
    }
    Discard(offset);
    return true;
  }

  void Append(uint64_t id, absl::string_view body) {
    const Header header = {.body_bytes = body.size(), .id = id};
    const size_t end = output_.size();
    output_.resize(end + sizeof(header) + body.size());
    std::memcpy(&output_[end], &header, sizeof(header));
    std::memcpy(&output_[end + sizeof(header)], body.data(), body.size());
  }

  // Writes what was appended, as far as the socket takes it. False if the peer has gone.
  bool Flush();
  bool has_unsent() const { return sent_ < output_.size(); }

  // Kept by the EpollLoop that the socket belongs to.
  bool waits_to_write = false;

 private:
  struct Header {
    uint64_t body_bytes;
    uint64_t id;
  };
  static constexpr size_t kMaxBodyBytes = 1 << 16;

  bool Receive();
  void Discard(size_t bytes);

  const int descriptor_;
  std::vector<char> input_;
  size_t received_ = 0;  // bytes of input_ that hold something
  std::vector<char> output_;
  size_t sent_ = 0;  // bytes of output_ that have been written
};

}  // namespace distbench

#endif  // BENCHMARKS_FLOORS_FRAMED_SOCKET_H_
