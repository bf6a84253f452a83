#include "distbench/export/gunzip_stream.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

// The greatest window, and a gzip header around the data.
constexpr int kGzipWindowBits = 15 + 16;

}  // namespace

GunzipStream::GunzipStream(google::protobuf::io::ZeroCopyInputStream& compressed)
    : compressed_(compressed) {
  if (inflateInit2(&zlib_, kGzipWindowBits) != Z_OK) {
    End(absl::ResourceExhaustedError("no memory to inflate it"));
  }
}

GunzipStream::~GunzipStream() { inflateEnd(&zlib_); }

bool GunzipStream::Next(const void** data, int* size) {
  if (unread_ == 0 && !ended_) Inflate();
  if (unread_ == 0) return false;
  *data = block_.data() + (block_size_ - unread_);
  *size = std::exchange(unread_, 0);
  return true;
}

void GunzipStream::BackUp(int count) { unread_ = count; }

bool GunzipStream::Skip(int count) {
  const void* data = nullptr;
  int size = 0;
  while (count > 0) {
    if (!Next(&data, &size)) return false;
    if (size > count) BackUp(size - count);
    count -= std::min(size, count);
  }
  return true;
}

bool GunzipStream::HasInput() {
  const void* data = nullptr;
  int size = 0;
  while (zlib_.avail_in == 0) {
    if (!compressed_.Next(&data, &size)) return false;
    zlib_.next_in = static_cast<Bytef*>(const_cast<void*>(data));
    zlib_.avail_in = static_cast<uInt>(size);
  }
  return true;
}

void GunzipStream::Inflate() {
  zlib_.next_out = block_.data();
  zlib_.avail_out = kBlockBytes;
  while (!ended_ && zlib_.avail_out == kBlockBytes) {
    if (!HasInput()) {
      End(absl::DataLossError("it is truncated: the end of the gzip data is missing"));
      break;
    }
    const int result = inflate(&zlib_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      if (HasInput()) {
        inflateReset(&zlib_);
      } else {
        End(absl::OkStatus());
      }
    } else if (result != Z_OK) {
      End(absl::DataLossError(absl::StrCat("it is damaged: zlib says ",
                                           zlib_.msg != nullptr ? zlib_.msg : zError(result))));
    }
  }
  block_size_ = kBlockBytes - static_cast<int>(zlib_.avail_out);
  unread_ = block_size_;
  inflated_bytes_ += block_size_;
}

void GunzipStream::End(absl::Status status) {
  status_ = std::move(status);
  ended_ = true;
}

}  // namespace distbench
