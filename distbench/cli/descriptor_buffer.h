// DescriptorBuffer: a stream buffer over a file descriptor, which unlike that of std::ofstream
// tells why a write failed. Not thread-safe.
//
//   DescriptorBuffer buffer(descriptor);
//   std::ostream out(&buffer);
//   out << ...;
//   if (!out.flush()) return ErrorOf(buffer.error());
#ifndef DISTBENCH_CLI_DESCRIPTOR_BUFFER_H_
#define DISTBENCH_CLI_DESCRIPTOR_BUFFER_H_

#include <array>
#include <streambuf>

namespace distbench {

class DescriptorBuffer final : public std::streambuf {
 public:
  // Does not own `descriptor`, which stays open as long as this.
  explicit DescriptorBuffer(int descriptor);
  DescriptorBuffer(const DescriptorBuffer&) = delete;
  DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

  // errno of the first write that failed; 0: none did. Writes after it do nothing.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type byte) override;
  int sync() override;

 private:
  const int descriptor_;
  int error_ = 0;
  std::array<char, 1 << 16> block_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_DESCRIPTOR_BUFFER_H_
