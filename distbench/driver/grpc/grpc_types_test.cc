// The types and numbers of the settings mean what they say: which threads receive, handle and
// complete RPCs, and over how many connections they go. Threads are told apart by their names.
#include <dirent.h>
#include <pthread.h>

#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr InstanceIndex kPeer(1);

std::string ThreadName() {
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof(name));
  return name;
}

// A call that remembers the thread of its end.
class NamedEndCall final : public ClientCall {
 public:
  explicit NamedEndCall(ProtocolDriver& driver) : driver_(driver) {
    driver_state = driver.NewCallState();
    peer = kPeer;
    request = {.head = "head"};
  }

  // The name of the thread that completed it.
  std::string Run() {
    driver_.StartCall(this);
    done_.WaitForNotification();
    EXPECT_TRUE(status_.ok()) << status_;
    driver_.ReleaseCall(this);
    return thread_;
  }

  void OnCallDone(const absl::Status& status, const ReceivedMessage&) override {
    status_ = status;
    thread_ = ThreadName();
    done_.Notify();
  }

 private:
  ProtocolDriver& driver_;
  absl::Notification done_;
  absl::Status status_;
  std::string thread_;
};

// A driver that calls itself.
class Scene {
 public:
  explicit Scene(const GrpcSubjectOptions& options)
      : subject_(options),
        handler_([this](const ReceivedMessage& request, Responder responder) {
          SetHandlingThread();
          Echo(request, std::move(responder));
        }),
        driver_(*subject_.factory().Create(subject_.options(), subject_.environment())) {
    EXPECT_TRUE(driver_->StartServer(&handler_).ok());
    info_ = *driver_->AcceptConnection("");
    absl::Notification connected;
    driver_->Connect(kPeer, info_, Soon(), [&](const absl::Status& status) {
      EXPECT_TRUE(status.ok()) << status;
      connected.Notify();
    });
    connected.WaitForNotification();
  }
  ~Scene() { EXPECT_EQ(driver_->Stop(Soon()), 0); }

  void RunCall() { completing_thread_ = NamedEndCall(*driver_).Run(); }

  // Of the last call.
  std::string handling_thread() const {
    absl::MutexLock lock(&mutex_);
    return handling_thread_;
  }
  const std::string& completing_thread() const { return completing_thread_; }

  ProtocolDriver& driver() { return *driver_; }
  int port() const {
    ServerAddress address;
    EXPECT_TRUE(address.ParseFromString(info_));
    return address.port();
  }

 private:
  void SetHandlingThread() {
    absl::MutexLock lock(&mutex_);
    handling_thread_ = ThreadName();
  }

  GrpcSubject subject_;
  TestServer handler_;
  const std::unique_ptr<ProtocolDriver> driver_;
  std::string info_;
  mutable absl::Mutex mutex_;
  std::string handling_thread_ ABSL_GUARDED_BY(mutex_);
  std::string completing_thread_;
};

std::string ServerType(const std::string& type) {
  return WordSetting("server", "server_type", type);
}

// Much of gRPC's callback interface lives in headers, whose order with the rest of gRPC the thread
// sanitizer does not see.
#if defined(DISTBENCH_TSAN)
constexpr bool kKnowsCallbacks = false;
#else
constexpr bool kKnowsCallbacks = true;
#endif

TEST(GrpcTypesTest, PollingClientAndInlineServerUseTheProcesssLoops) {
  Scene scene({});
  scene.RunCall();
  EXPECT_TRUE(absl::StartsWith(scene.handling_thread(), "db-grpc-")) << scene.handling_thread();
  EXPECT_FALSE(absl::StrContains(scene.handling_thread(), "pool"));
  EXPECT_EQ(scene.completing_thread(), "db-grpc-0");  // of the call's shard
}

TEST(GrpcTypesTest, CallbackClientIsCompletedByGrpcsOwnThreads) {
  if (!kKnowsCallbacks) GTEST_SKIP();
  Scene scene({.settings = WordSetting("client", "client_type", "callback")});
  scene.RunCall();
  EXPECT_FALSE(absl::StartsWith(scene.completing_thread(), "db-")) << scene.completing_thread();
  EXPECT_TRUE(absl::StartsWith(scene.handling_thread(), "db-grpc-")) << scene.handling_thread();
}

TEST(GrpcTypesTest, HandoffAndPollingServersHandleInAThreadPool) {
  for (const char* type : {"handoff", "polling"}) {
    Scene scene({.settings = ServerType(type)});
    scene.RunCall();
    EXPECT_EQ(scene.handling_thread(), "db-grpc-pool") << type;
  }
}

TEST(GrpcTypesTest, WithoutAPoolHandoffIsInlineAndPollingHasALoopOfItsOwn) {
  Scene handoff(
      {.settings = ServerType("handoff") + WordSetting("server", "threadpool_type", "null")});
  handoff.RunCall();
  EXPECT_TRUE(absl::StartsWith(handoff.handling_thread(), "db-grpc-")) << handoff.handling_thread();
  Scene polling(
      {.settings = ServerType("polling") + WordSetting("server", "threadpool_type", "null")});
  polling.RunCall();
  EXPECT_EQ(polling.handling_thread(), "db-grpcs-0");
}

TEST(GrpcTypesTest, AsyncCallbackIsCallbackAndHandoff) {
  if (!kKnowsCallbacks) GTEST_SKIP();
  Scene scene({.async_callback = true});
  scene.RunCall();
  EXPECT_FALSE(absl::StartsWith(scene.completing_thread(), "db-")) << scene.completing_thread();
  EXPECT_EQ(scene.handling_thread(), "db-grpc-pool");
}

// Established connections whose local end is `port`, which is a server's.
int ConnectionsTo(int port) {
  const std::string port_text = absl::StrFormat(":%04X", port);
  int count = 0;
  for (const char* name : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream table(name);
    for (std::string line; std::getline(table, line);) {
      std::istringstream fields(line);
      std::string number, local, remote, state;
      fields >> number >> local >> remote >> state;
      count += absl::EndsWith(local, port_text) && state == "01";
    }
  }
  return count;
}

TEST(GrpcTypesTest, EachChannelIsAConnection) {
  Scene one({});
  EXPECT_EQ(ConnectionsTo(one.port()), 1);
  Scene five({.settings = NumberSetting("client", "channels", 5)});
  for (int i = 0; i < 10; ++i) five.RunCall();
  EXPECT_EQ(ConnectionsTo(five.port()), 5);
}

TEST(GrpcTypesTest, EachQueueHasAsManyThreadsAsAreAskedFor) {
  Scene scene({.settings = NumberSetting("client", "completion_queues", 3) +
                           NumberSetting("client", "threads_per_queue", 2)});
  std::set<std::string> seen;
  for (int i = 0; i < 1000 && seen.size() < 2; ++i) {
    scene.RunCall();
    seen.insert(scene.completing_thread());
  }
  // Shard 0 of two has queues 0 and 2 with threads 0, 1 and 4, 5.
  for (const std::string& name : seen) {
    EXPECT_TRUE(name == "db-grpc-0" || name == "db-grpc-1" || name == "db-grpc-4" ||
                name == "db-grpc-5")
        << name;
  }
  EXPECT_GE(seen.size(), 2u);
}

size_t ThreadsNamed(const std::string& prefix) {
  size_t count = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* task = readdir(tasks)) {
    std::ifstream file(std::string("/proc/self/task/") + task->d_name + "/comm");
    std::string name;
    if (std::getline(file, name)) count += absl::StartsWith(name, prefix);
  }
  closedir(tasks);
  return count;
}

TEST(GrpcTypesTest, LoopsAndPoolsAreMadeForTheFirstDriverThatNeedsThem) {
  GrpcSubject subject(
      {.settings = ServerType("handoff") + NumberSetting("server", "threadpool_size", 3)});
  EXPECT_EQ(ThreadsNamed("db-grpc"), 0u);
  const auto first = subject.factory().Create(subject.options(), subject.environment());
  EXPECT_EQ(ThreadsNamed("db-grpc-pool"), 3u);
  const size_t all = ThreadsNamed("db-grpc");
  const auto second = subject.factory().Create(subject.options(), subject.environment());
  EXPECT_EQ(ThreadsNamed("db-grpc"), all);
}

}  // namespace
}  // namespace distbench
