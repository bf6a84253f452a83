// The modes of the program, each in the file of its name.
#ifndef DISTBENCH_CLI_MODES_H_
#define DISTBENCH_CLI_MODES_H_

#include <memory>

#include "distbench/cli/mode.h"

namespace distbench {

std::unique_ptr<Mode> NewTestSequencerMode();
std::unique_ptr<Mode> NewNodeManagerMode();
std::unique_ptr<Mode> NewRunTestsMode();
std::unique_ptr<Mode> NewCheckTestMode();
std::unique_ptr<Mode> NewTestPreviewMode();
std::unique_ptr<Mode> NewExportMode();
std::unique_ptr<Mode> NewDrawMode();

}  // namespace distbench

#endif  // DISTBENCH_CLI_MODES_H_
