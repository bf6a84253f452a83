#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <deque>
#include <thread>

#include "absl/strings/str_cat.h"
#include "benchmarks/floors/client_commands.h"
#include "benchmarks/floors/epoll_loop.h"
#include "benchmarks/floors/roles.h"

namespace distbench {
namespace {

// Sends each body back as it came.
void Echo(EpollLoop* loop) {
  while (true) {
    loop->Wait([loop](FramedSocket* socket) {
      const bool is_open =
          socket->Read([socket](uint64_t id, absl::string_view body) { socket->Append(id, body); });
      if (is_open && loop->Flush(socket)) return;
      loop->Remove(socket);
      delete socket;
    });
  }
}

// Connections go to the loops in turn.
void AcceptForEver(int listener, std::deque<EpollLoop>* loops) {
  for (size_t accepted = 0;; ++accepted) {
    const int descriptor = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) return;
    (*loops)[accepted % loops->size()].Add(new FramedSocket(descriptor));
  }
}

}  // namespace

absl::Status RunTcpBareServer(const FloorOptions& options) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener, SOMAXCONN) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return absl::ErrnoToStatus(errno, "listening on 127.0.0.1");
  }
  std::deque<EpollLoop> loops(static_cast<size_t>(options.threads));
  for (EpollLoop& loop : loops) std::thread(Echo, &loop).detach();
  std::thread(AcceptForEver, listener, &loops).detach();
  const absl::Status status =
      ServeUntilInputEnds(absl::StrCat("127.0.0.1:", ntohs(address.sin_port)));
  std::_Exit(status.ok() ? 0 : 1);
}

}  // namespace distbench
