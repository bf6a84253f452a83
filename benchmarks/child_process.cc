#include "benchmarks/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"

namespace distbench {
namespace {

constexpr int kCouldNotExecute = 127;

absl::Status SystemError(const char* what) { return absl::ErrnoToStatus(errno, what); }

struct Pipes {
  int to_child[2] = {-1, -1};    // a socket, so that writing to one who has gone is no signal
  int from_child[2] = {-1, -1};  // read end, write end

  ~Pipes() {
    for (const int end : {to_child[0], to_child[1], from_child[0], from_child[1]}) {
      if (end >= 0) close(end);
    }
  }
};

// Runs in the child between fork and exec, where only calls are allowed that take no lock.
[[noreturn]] void Become(const Pipes& pipes, pid_t parent, char* const* arguments) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCouldNotExecute);
  dup2(pipes.to_child[0], STDIN_FILENO);
  dup2(pipes.from_child[1], STDOUT_FILENO);
  execv(arguments[0], arguments);
  _exit(kCouldNotExecute);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(
    const std::vector<std::string>& command_line) {
  std::vector<char*> arguments;
  for (const std::string& word : command_line) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (access(arguments[0], X_OK) != 0) return SystemError(arguments[0]);
  Pipes pipes;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pipes.to_child) != 0 ||
      pipe2(pipes.from_child, O_CLOEXEC) != 0) {
    return SystemError("a pipe");
  }
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return SystemError("fork");
  if (pid == 0) Become(pipes, parent, arguments.data());
  return std::unique_ptr<ChildProcess>(new ChildProcess(
      absl::StrJoin(command_line.begin(), command_line.begin() + 2, " "), pid,
      std::exchange(pipes.to_child[1], -1), std::exchange(pipes.from_child[0], -1)));
}

ChildProcess::~ChildProcess() {
  kill(pid_, SIGKILL);
  close(input_);
  close(output_);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

absl::Status ChildProcess::WriteLine(const std::string& line) {
  const std::string bytes = line + "\n";
  size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t n = send(input_, bytes.data() + written, bytes.size() - written, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) return SystemError(name_.c_str());
    written += static_cast<size_t>(std::max<ssize_t>(n, 0));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ChildProcess::ReadLine(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  size_t end;
  while ((end = unread_.find('\n')) == std::string::npos) {
    pollfd readable = {.fd = output_, .events = POLLIN, .revents = 0};
    const int64_t left_ms = absl::ToInt64Milliseconds(deadline - absl::Now());
    const int ready = poll(&readable, 1, static_cast<int>(std::max<int64_t>(left_ms, 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      return absl::DeadlineExceededError(
          absl::StrCat(name_, ": said nothing within ", absl::FormatDuration(timeout)));
    }
    char bytes[4096];
    const ssize_t n = read(output_, bytes, sizeof(bytes));
    if (n == 0) return absl::UnavailableError(absl::StrCat(name_, ": has ended"));
    if (n > 0) unread_.append(bytes, static_cast<size_t>(n));
  }
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

}  // namespace distbench
