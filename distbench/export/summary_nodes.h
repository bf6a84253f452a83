// Who ran a test and what it cost them, as summary JSON has it. Pure.
#ifndef DISTBENCH_EXPORT_SUMMARY_NODES_H_
#define DISTBENCH_EXPORT_SUMMARY_NODES_H_

namespace distbench {

class TestResult;
namespace summary_json {
class Test;
}  // namespace summary_json

// Adds the nodes, in natural order, and the sequencer.
void WriteNodes(const TestResult& test, summary_json::Test& summary);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_SUMMARY_NODES_H_
