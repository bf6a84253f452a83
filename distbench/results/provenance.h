// Provenance: what a result must say of the program and the machine behind it, so that two figures
// can be compared or told apart years later. Stateless.
#ifndef DISTBENCH_RESULTS_PROVENANCE_H_
#define DISTBENCH_RESULTS_PROVENANCE_H_

#include <string>
#include <vector>

namespace distbench {

class Provenance;

// The program's version: the one place where it stands.
inline constexpr char kProgramVersion[] = "0.1.0";

// The commit that the program was built from, with "-modified" after it if the tree held changes.
// "unstamped" in builds without -c opt, which do not rebuild with every commit.
const char* ProgramCommit();

// Everything that can be known of this process and this machine; what cannot is left out. The CPUs
// are those of the calling thread. `command_line` begins with the program's name.
Provenance ProgramProvenance(const std::vector<std::string>& command_line);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_PROVENANCE_H_
