#include "distbench/export/gzip_testing.h"

#include <zlib.h>

#include <cstdlib>

namespace distbench {

std::string Gzip(const std::string& contents) {
  constexpr int kGzipWindowBits = 15 + 16;
  constexpr int kDefaultMemory = 8;
  z_stream zlib{};
  if (deflateInit2(&zlib, Z_BEST_SPEED, Z_DEFLATED, kGzipWindowBits, kDefaultMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    std::abort();
  }
  std::string compressed(deflateBound(&zlib, contents.size()), '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  zlib.avail_in = static_cast<uInt>(contents.size());
  zlib.next_out = reinterpret_cast<Bytef*>(compressed.data());
  zlib.avail_out = static_cast<uInt>(compressed.size());
  if (deflate(&zlib, Z_FINISH) != Z_STREAM_END) std::abort();
  compressed.resize(zlib.total_out);
  deflateEnd(&zlib);
  return compressed;
}

}  // namespace distbench
