// RawPeer, RawListener: one end of a connection in the hands of a test, which may break all rules.
#ifndef DISTBENCH_DRIVER_TCP_RAW_PEER_H_
#define DISTBENCH_DRIVER_TCP_RAW_PEER_H_

#include <optional>
#include <string>

#include "distbench/driver/tcp/endpoint.h"
#include "distbench/driver/tcp/frame.h"
#include "distbench/driver/tcp/stream_socket.h"

namespace distbench {

struct RawFrame {
  FrameHeader header;
  std::string body;
};

std::string EncodeRaw(FrameType type, CallId id, const std::string& body);

// Blocks in all that it does.
class RawPeer {
 public:
  static RawPeer ConnectTo(const TcpEndpoint& endpoint);
  explicit RawPeer(SharedSocket socket);

  // As much of the bytes as the connection takes; false if it is broken.
  bool Send(const std::string& bytes);
  bool SendFrame(FrameType type, CallId id, const std::string& body = "") {
    return Send(EncodeRaw(type, id, body));
  }
  void SendHello(HelloRole role) { SendFrame(FrameType::kHello, {}, EncodeHello(role)); }

  // False if the connection takes nothing for a while.
  bool TakesBytes() const;

  // The next frame; none if the connection ends.
  std::optional<RawFrame> Receive();

  // Waits for the end of the connection, whatever comes before.
  void AwaitEnd();

  void Close() { socket_.reset(); }
  // As a process that is killed with data unread.
  void Reset();

 private:
  bool ReceiveBytes(size_t size, std::string* bytes);

  SharedSocket socket_;
};

class RawListener {
 public:
  RawListener();
  const TcpEndpoint& endpoint() const { return endpoint_; }

  RawPeer Accept();
  // With hellos both ways.
  RawPeer AcceptAndGreet();

 private:
  SharedSocket socket_;
  TcpEndpoint endpoint_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_RAW_PEER_H_
