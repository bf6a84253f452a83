#include "distbench/cli/descriptor_buffer.h"

#include <unistd.h>

#include <cerrno>

namespace distbench {

DescriptorBuffer::DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
  setp(block_.data(), block_.data() + block_.size());
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type byte) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(byte, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(byte);
    pbump(1);
  }
  return traits_type::not_eof(byte);
}

int DescriptorBuffer::sync() {
  const char* next = pbase();
  while (error_ == 0 && next < pptr()) {
    const ssize_t written = write(descriptor_, next, pptr() - next);
    if (written >= 0) next += written;
    if (written < 0 && errno != EINTR) error_ = errno;
  }
  setp(block_.data(), block_.data() + block_.size());
  return error_ == 0 ? 0 : -1;
}

}  // namespace distbench
