#include "distbench/driver/tcp/tcp_subject.h"

#include <sys/socket.h>

#include <utility>

#include "glog/logging.h"
#include "google/protobuf/text_format.h"

namespace distbench {
namespace {

int NewDeadSocket(const std::string& ip) {
  const auto name = ToKernelAddress({.address = {.host = ip, .port = 0}});
  CHECK(name.ok()) << name.status();
  const int fd = socket(name->family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  PCHECK(fd >= 0);
  PCHECK(bind(fd, name->get(), name->length) == 0) << ip;
  return fd;
}

}  // namespace

TcpSubject::TcpSubject(const TcpSubjectOptions& options)
    : options_(options),
      address_{.bind_ip = options.ip, .advertise_ip = options.ip, .ports = {}},
      dead_socket_(NewDeadSocket(options.ip)),
      dead_endpoint_{.address = {.host = options.ip, .port = ListeningPort(dead_socket_)}},
      factory_({.shards = options.shards}) {}

ProtocolDriverOptions TcpSubject::options() const {
  ProtocolDriverOptions options;
  CHECK(google::protobuf::TextFormat::ParseFromString(options_.settings, &options));
  return options;
}

ConformanceSubjectMaker TcpSubjectMaker(std::string name, TcpSubjectOptions options) {
  return {.name = std::move(name),
          .make = [options] { return std::make_unique<TcpSubject>(options); }};
}

}  // namespace distbench
