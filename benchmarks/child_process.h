// ChildProcess: a program that this one starts, talks to by lines, and ends.
//
// It is killed when the object goes away, and when this process dies. Its standard error is ours.
// Not thread-safe; made by a thread that outlives it.
#ifndef BENCHMARKS_CHILD_PROCESS_H_
#define BENCHMARKS_CHILD_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace distbench {

class ChildProcess {
 public:
  // `command_line` begins with the program's path.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const std::vector<std::string>& command_line);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }

  absl::Status WriteLine(const std::string& line);

  // The next line of its standard output, without the line's end. An error if none comes within
  // `timeout` or the process ends; it names the program.
  absl::StatusOr<std::string> ReadLine(absl::Duration timeout);

 private:
  ChildProcess(std::string name, pid_t pid, int input, int output)
      : name_(std::move(name)), pid_(pid), input_(input), output_(output) {}

  const std::string name_;  // for messages
  const pid_t pid_;
  const int input_;   // we write, it reads
  const int output_;  // it writes, we read
  std::string unread_;
};

}  // namespace distbench

#endif  // BENCHMARKS_CHILD_PROCESS_H_
