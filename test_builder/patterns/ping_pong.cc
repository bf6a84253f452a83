// ping_pong: bouncers that throw messages at mirrors.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

constexpr char kHost[] = "host";  // the attribute of nodes

// `instance`, which may be a glob, is to be on a node of that host.
void RequireHost(const std::string& instance, const std::string& host,
                 DistributedSystemDescription* test) {
  Constraint* const constraint =
      (*test->mutable_service_constraints())[instance].add_constraint_sets()->add_constraints();
  constraint->set_attribute_name(kHost);
  constraint->set_relation(Constraint::EQUAL);
  constraint->add_string_values(host);
}

class PingPongPattern final : public Pattern {
 public:
  std::string name() const override { return "ping_pong"; }
  std::string summary() const override {
    return "Bouncers send messages to mirrors, each to its own or all to one.";
  }
  std::vector<Parameter> parameters() const override {
    return {
        InstanceCount("pair_count", 1, "Bouncers."),
        {.name = "mirrors",
         .default_text = "own",
         .unit = "",
         .help = "Whether each bouncer has its own mirror, or all of them have one.",
         .choices = {"own", "one"}},
        {.name = "way",
         .default_text = "two_way",
         .unit = "",
         .help =
             "Whether the mirror sends the message back, or the bouncer does not wait: over tcp "
             "until the receiver's credits are used up, over grpc without such a bound. Over "
             "tcp a test with work_us ends when all is served; over grpc what is not served a "
             "second after the end is lost.",
         .choices = {"two_way", "one_way"}},
        ParallelQueries(1),
        MessageSize("message_size", 48, "The message, and the answer of a mirror."),
        IntegerParameter("work_us", 0, "us",
                         "How long a mirror, which has one queue, waits on each message.", 0,
                         60'000'000),
        {.name = "placement",
         .default_text = "any",
         .unit = "",
         .help = "A mirror in the process of its bouncer, on its host, or on the other one.",
         .choices = {"any", "same_process", "same_host", "other_host"}},
        {.name = "bouncer_host",
         .default_text = "a",
         .unit = "",
         .help = "same_host, other_host: what nodes for bouncers say as their attribute host."},
        {.name = "other_host",
         .default_text = "b",
         .unit = "",
         .help = "other_host: what nodes for mirrors say."},
        WarmupSeconds(1),
        WarmupIterationsInstead()};
  }
  std::string Alias(const ParameterValues& values) const override {
    return absl::StrCat("ping_pong_", values.Text("way"), "_", values.Text("pair_count"), "x",
                        values.Text("mirrors"), "x", values.Text("parallel_queries"));
  }
  std::string NameEnding(const ParameterValues& values) const override {
    const std::string& placement = values.Text("placement");
    return placement == "any" ? "" : absl::StrCat("-", placement);
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    const int64_t bouncers = values.Integer("pair_count");
    const bool has_own_mirrors = values.Text("mirrors") == "own";
    const bool is_one_way = values.Text("way") == "one_way";
    DistributedSystemDescription test;
    AddService("bouncer", bouncers, &test);
    AddService("mirror", has_own_mirrors ? bouncers : 1, &test);
    RpcDraft draft = {.name = "bounce",
                      .client = "bouncer",
                      .server = "mirror",
                      .fanout = has_own_mirrors ? "same_x" : "",
                      .request_size = values.Integer("message_size"),
                      .response_size = values.Integer("message_size")};
    if (is_one_way) draft.response_size.reset();
    RpcSpec* const rpc = AddRpc(draft, &test);
    if (is_one_way) rpc->set_one_way(true);
    const bool works = values.Integer("work_us") > 0;
    if (works) {
      rpc->mutable_server_dispatch()->set_mode("serial_queue");
      AddActivity("work", "SleepFor", values.Integer("work_us"), &test);
      AddAction("work", &test)->set_activity_config_name("work");
    }
    AddList("bouncer", {"throw"}, &test);
    SetClosedLoop({.parallel = values.Integer("parallel_queries"),
                   .warmup_iterations = WarmupIterationsOf(values),
                   .warmup = WarmupOf(values),
                   .duration = duration},
                  AddRpcAction("throw", "bounce", &test)->mutable_iterations());
    AddList("bounce", works ? std::vector<std::string>{"work"} : std::vector<std::string>{}, &test);
    Place(values, bouncers, has_own_mirrors, &test);
    return test;
  }

 private:
  static void Place(const ParameterValues& values, int64_t bouncers, bool has_own_mirrors,
                    DistributedSystemDescription* test) {
    const std::string& placement = values.Text("placement");
    if (placement == "any") return;
    if (placement == "same_process") {
      for (int64_t i = 0; i < bouncers; ++i) {
        const std::string node = absl::StrCat("node", has_own_mirrors ? i : 0);
        ServiceBundle& bundle = (*test->mutable_node_service_bundles())[node];
        bundle.add_services(absl::StrCat("bouncer/", i));
        if (has_own_mirrors || i == 0) bundle.add_services(absl::StrCat("mirror/", i));
      }
      return;
    }
    RequireHost("bouncer/*", values.Text("bouncer_host"), test);
    RequireHost("mirror/*", values.Text(placement == "same_host" ? "bouncer_host" : "other_host"),
                test);
  }
};

}  // namespace

std::unique_ptr<Pattern> NewPingPongPattern() { return std::make_unique<PingPongPattern>(); }

}  // namespace distbench
