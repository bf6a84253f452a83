// GunzipStream: what a gzip file holds, inflated while it is read. Not thread-safe.
//
// A stream that ends before the file's own end mark, or whose checksum is wrong, ends like any
// other for its reader, which may be content with what it got; status() then tells. Members of a
// file that was put together from several gzip files are read one after another.
#ifndef DISTBENCH_EXPORT_GUNZIP_STREAM_H_
#define DISTBENCH_EXPORT_GUNZIP_STREAM_H_

#include <zlib.h>

#include <array>
#include <cstdint>

#include "absl/status/status.h"
#include "google/protobuf/io/zero_copy_stream.h"

namespace distbench {

class GunzipStream final : public google::protobuf::io::ZeroCopyInputStream {
 public:
  // `compressed` outlives this.
  explicit GunzipStream(google::protobuf::io::ZeroCopyInputStream& compressed);
  GunzipStream(const GunzipStream&) = delete;
  GunzipStream& operator=(const GunzipStream&) = delete;
  ~GunzipStream() override;

  bool Next(const void** data, int* size) override;
  void BackUp(int count) override;
  bool Skip(int count) override;
  int64_t ByteCount() const override { return inflated_bytes_ - unread_; }

  // Why the stream ended. OK: it is complete, or has not ended yet.
  const absl::Status& status() const { return status_; }

 private:
  static constexpr int kBlockBytes = 1 << 16;

  // Gives zlib more input, unless it has some. False: there is no more.
  bool HasInput();
  // Inflates until there is output, the stream ends, or an error.
  void Inflate();
  void End(absl::Status status);

  google::protobuf::io::ZeroCopyInputStream& compressed_;
  z_stream zlib_{};
  std::array<unsigned char, kBlockBytes> block_;
  int block_size_ = 0;  // inflated bytes in `block_`
  int unread_ = 0;      // of those, the last ones, which Next has not returned or got back
  int64_t inflated_bytes_ = 0;
  bool ended_ = false;
  absl::Status status_;
};

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_GUNZIP_STREAM_H_
