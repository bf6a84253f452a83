#include "distbench/driver/grpc/grpc_subject.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include "distbench/net/socket_address.h"
#include "glog/logging.h"
#include "google/protobuf/text_format.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

int NewDeadSocket(const std::string& ip) {
  const auto name = SocketName::FromNumeric(ip, 0);
  CHECK(name.ok()) << name.status();
  const int fd = socket(name->family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  PCHECK(fd >= 0);
  PCHECK(bind(fd, name->address(), name->length()) == 0) << ip;
  return fd;
}

// The port is at the same place for both families.
uint16_t PortOf(int fd) {
  sockaddr_storage name = {};
  socklen_t length = sizeof(name);
  PCHECK(getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length) == 0);
  return ntohs(reinterpret_cast<sockaddr_in*>(&name)->sin_port);
}

}  // namespace

GrpcSubject::GrpcSubject(const GrpcSubjectOptions& options)
    : options_(options),
      address_{.bind_ip = options.ip, .advertise_ip = options.ip, .ports = {}},
      dead_socket_(NewDeadSocket(options.ip)),
      grpc_({.shards = options.shards}) {}

ProtocolDriverOptions GrpcSubject::options() const {
  ProtocolDriverOptions options;
  CHECK(google::protobuf::TextFormat::ParseFromString(options_.settings, &options));
  return options;
}

std::string GrpcSubject::dead_address() const {
  return FormatHostPort(options_.ip, PortOf(dead_socket_.fd()));
}

std::string GrpcSubject::dead_responder_info() const { return ResponderInfo(dead_address()); }

ConformanceSubjectMaker GrpcSubjectMaker(std::string name, GrpcSubjectOptions options) {
  return {.name = std::move(name),
          .make = [options] { return std::make_unique<GrpcSubject>(options); }};
}

std::string WordSetting(const std::string& side, const std::string& name,
                        const std::string& value) {
  return side + "_settings { name: '" + name + "' string_value: '" + value + "' } ";
}

std::string NumberSetting(const std::string& side, const std::string& name, int value) {
  return side + "_settings { name: '" + name + "' int64_value: " + std::to_string(value) + " } ";
}

std::string ResponderInfo(const std::string& socket_address) {
  ServerAddress address;
  address.set_socket_address(socket_address);
  return address.SerializeAsString();
}

}  // namespace distbench
