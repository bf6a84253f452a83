// The program test_builder: what its command line asks for.
#ifndef TEST_BUILDER_PROGRAM_H_
#define TEST_BUILDER_PROGRAM_H_

#include <iosfwd>
#include <string>
#include <vector>

#include "distbench/cli/exit_code.h"

namespace distbench {

// `command_line` begins with the program's name. Configs, help and summaries go to `out`, errors
// and progress to `err`. Where `out` does not take all of it the program fails, but not before it
// has done the rest.
ExitCode RunTestBuilder(const std::vector<std::string>& command_line, std::ostream& out,
                        std::ostream& err);

}  // namespace distbench

#endif  // TEST_BUILDER_PROGRAM_H_
