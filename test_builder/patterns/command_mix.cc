// command_mix: equals that draw commands by weight and give them to each other.
//
// After the commands of DE-Bench (A. Ghaffari, "Investigating the scalability limits of distributed
// Erlang", Erlang Workshop 2014): point to point, through a server process, by a new process, and
// global ones, which all nodes take part in. No node coordinates the others while it runs.
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "test_builder/patterns/common_parameters.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {
namespace {

struct Command {
  const char* name;    // of the RPC, if it has one
  const char* weight;  // the parameter
  const char* default_weight;
  const char* help;
  const char* server;    // the service that the command goes to; empty: it goes nowhere
  const char* fanout;    // within that
  const char* dispatch;  // of the RPC; empty: inline
  bool echoes = true;    // the data comes back

  bool is_local() const { return *server == '\0'; }
};

constexpr char kNode[] = "node";
constexpr char kServer[] = "server";

constexpr Command kCommands[] = {
    {"remote", "remote_weight", "90", "A node that was drawn works, and sends the data back.",
     kNode, "random", ""},
    {"serial", "serial_weight", "0", "The same, through the one queue of a server of all nodes.",
     kServer, "", "serial_queue"},
    {"spawn", "spawn_weight", "0", "Like remote, on a thread that is made for it.", kNode, "random",
     "fresh_thread"},
    {"global", "global_weight", "0",
     "Complete when all other nodes have done the work, each one command at a time.", kNode, "all",
     "serial_queue", false},
    {"local", "local_weight", "10", "The work alone, where the command was drawn.", "", "", ""},
};

constexpr char kWork[] = "work";
constexpr int64_t kAcknowledgementSize = 16;
constexpr int64_t kSpinnerUs = 1000;

Parameter Weight(const Command& command) {
  return {.name = command.weight,
          .default_text = command.default_weight,
          .unit = "",
          .help = command.help,
          .kind = Parameter::Kind::kNumber,
          .least = 0,
          .greatest = 1e9};
}

class CommandMixPattern final : public Pattern {
 public:
  std::string name() const override { return "command_mix"; }
  std::string summary() const override {
    return "Workers on each node draw commands by weight and give them to nodes that they draw.";
  }
  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> parameters = {
        InstanceCount("node_count", 10, "Nodes, each of which is a peer of all others.", 2),
        IntegerParameter("worker_count", 1, "workers", "How many each node has.", 1, 1'000'000),
        MessageSize("data_size", 1024, "What a command carries, there and back."),
        IntegerParameter("compute_us", 0, "us", "How long the work of a command takes.", 0,
                         60'000'000),
        {.name = "compute",
         .default_text = "cpu",
         .unit = "",
         .help = "What that is: calibrated work on a CPU, the same on memory, or waiting.",
         .choices = {"cpu", "memory", "wait"}},
        IntegerParameter("background_spinners", 0, "threads",
                         "How many each node has that do nothing but take a CPU.", 0, 1000),
        WarmupSeconds(1),
        WarmupIterationsInstead()};
    for (const Command& command : kCommands) parameters.push_back(Weight(command));
    return parameters;
  }
  std::string Alias(const ParameterValues& values) const override {
    std::string alias =
        absl::StrCat("command_mix_", values.Text("node_count"), "x", values.Text("worker_count"),
                     "x", values.Text("data_size"), "x", values.Text("compute_us"));
    for (const Command& command : kCommands) {
      if (values.Number(command.weight) == 0) continue;
      absl::StrAppend(&alias, "_", command.name, values.Text(command.weight));
    }
    return alias;
  }
  absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                     absl::Duration duration) const override {
    DistributedSystemDescription test;
    AddService(kNode, values.Integer("node_count"), &test);
    if (values.Number("serial_weight") > 0) AddService(kServer, 1, &test);
    const bool works = values.Integer("compute_us") > 0;
    if (works) AddWork(values, &test);
    std::vector<std::string> actions = {"give_commands"};
    const int64_t spinners = values.Integer("background_spinners");
    if (spinners > 0) actions.push_back("spin");
    AddList(kNode, actions, &test);
    Action* const give = AddAction("give_commands", &test);
    give->set_action_list_name("command");
    SetClosedLoop({.parallel = values.Integer("worker_count"),
                   .warmup_iterations = WarmupIterationsOf(values),
                   .warmup = WarmupOf(values),
                   .duration = duration},
                  give->mutable_iterations());
    if (spinners > 0) AddSpinners(spinners, WarmupOf(values) + duration, &test);
    RETURN_IF_ERROR(AddCommands(values, works, &test));
    return test;
  }

 private:
  static void AddWork(const ParameterValues& values, DistributedSystemDescription* test) {
    const std::string& compute = values.Text("compute");
    const bool waits = compute == "wait";
    ActivityConfig* const work = AddActivity(kWork, waits ? "SleepFor" : "CalibratedWork",
                                             values.Integer("compute_us"), test);
    if (!waits) {
      NamedSetting* const kind = work->add_activity_settings();
      kind->set_name("kind");
      kind->set_string_value(compute);
    }
    AddAction(kWork, test)->set_activity_config_name(kWork);
  }

  static void AddSpinners(int64_t count, absl::Duration duration,
                          DistributedSystemDescription* test) {
    AddActivity("spin", "SpinFor", kSpinnerUs, test);
    Action* const spin = AddAction("spin", test);
    spin->set_activity_config_name("spin");
    SetClosedLoop({.parallel = count, .duration = duration}, spin->mutable_iterations());
  }

  // The list `command`, of which each run gives one; an error if there is none to draw.
  static absl::Status AddCommands(const ParameterValues& values, bool works,
                                  DistributedSystemDescription* test) {
    std::vector<std::string> actions;
    PredicateChoice choice;
    for (const Command& command : kCommands) {
      const double weight = values.Number(command.weight);
      if (weight == 0) continue;
      actions.push_back(absl::StrCat("give_", command.name));
      PredicateChoice::Alternative* const alternative = choice.add_alternatives();
      alternative->set_predicate(absl::StrCat("is_", command.name));
      alternative->set_weight(weight);
      Action* const give = AddAction(actions.back(), test);
      give->add_predicates(alternative->predicate());
      if (command.is_local()) {
        if (works) give->set_activity_config_name(kWork);
        continue;
      }
      give->set_rpc_name(command.name);
      AddRpcOf(command, values, works, test);
    }
    if (actions.empty()) {
      return absl::InvalidArgumentError(
          "all weights are 0, so there is no command to draw; set one of remote_weight, "
          "serial_weight, spawn_weight, global_weight and local_weight above 0");
    }
    AddList("command", actions, test);
    *test->mutable_action_lists()->rbegin()->add_predicate_choices() = choice;
    return absl::OkStatus();
  }

  static void AddRpcOf(const Command& command, const ParameterValues& values, bool works,
                       DistributedSystemDescription* test) {
    RpcDraft draft = {.name = command.name,
                      .client = kNode,
                      .server = command.server,
                      .fanout = command.fanout,
                      .request_size = kAcknowledgementSize,
                      .response_size = kAcknowledgementSize};
    if (command.echoes) {
      draft.request_size = values.Integer("data_size");
      draft.response_size.reset();
    }
    RpcSpec* const rpc = AddRpc(draft, test);
    if (command.echoes) rpc->set_echo_request(true);
    if (*command.dispatch != '\0') rpc->mutable_server_dispatch()->set_mode(command.dispatch);
    AddList(command.name, works ? std::vector<std::string>{kWork} : std::vector<std::string>{},
            test);
  }
};

}  // namespace

std::unique_ptr<Pattern> NewCommandMixPattern() { return std::make_unique<CommandMixPattern>(); }

}  // namespace distbench
