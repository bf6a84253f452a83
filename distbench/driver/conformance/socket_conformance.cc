// What a driver takes from the process: as much as its factory says before.
#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdlib>
#include <map>
#include <set>

#include "distbench/driver/conformance/driver_conformance.h"

namespace distbench {
namespace {

// 0: the socket has none.
int PortOf(int descriptor) {
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  const auto* ip4 = reinterpret_cast<const sockaddr_in*>(&address);
  const auto* ip6 = reinterpret_cast<const sockaddr_in6*>(&address);
  if (address.ss_family == AF_INET) return ntohs(ip4->sin_port);
  return address.ss_family == AF_INET6 ? ntohs(ip6->sin6_port) : 0;
}

// The ports of all sockets of the process that listen, by what the kernel knows them by: a number
// of a descriptor may be another socket's a moment later.
std::map<ino_t, int> ListeningSockets() {
  std::map<ino_t, int> ports;
  DIR* directory = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(directory)) {
    const int descriptor = std::atoi(entry->d_name);  // "." and ".." are no sockets either
    int listens = 0;
    socklen_t size = sizeof(listens);
    struct stat file;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0) continue;
    if (listens != 0 && fstat(descriptor, &file) == 0) ports[file.st_ino] = PortOf(descriptor);
  }
  closedir(directory);
  return ports;
}

TEST_P(DriverConformanceTest, ListensOnTheSocketsAndPortsThatItsFactoryCounts) {
  TestServer handler;
  const std::map<ino_t, int> before = ListeningSockets();
  auto server = NewServer(&handler);
  int64_t sockets = 0;
  std::set<int> ports;
  for (const auto& [socket, port] : ListeningSockets()) {
    if (before.contains(socket)) continue;
    ++sockets;
    if (port != 0) ports.insert(port);
  }
  const DriverFactory& factory = subject_->factory();
  EXPECT_EQ(sockets, factory.ListenersPerEngine(subject_->options()));
  EXPECT_EQ(static_cast<int64_t>(ports.size()), factory.PortsPerEngine(subject_->options()));
  EXPECT_EQ(server->Stop(Soon()), 0);
}

}  // namespace
}  // namespace distbench
