// Names in a config that mean no instance of it.
#ifndef DISTBENCH_CONFIG_UNKNOWN_INSTANCE_H_
#define DISTBENCH_CONFIG_UNKNOWN_INSTANCE_H_

#include <string>

#include "distbench/config/compile_context.h"

namespace distbench {

struct UnknownInstance {
  std::string path;     // the field that has the name
  std::string name;     // of an instance, or a glob
  std::string problem;  // "there is no instance", before the name
};

// An error that says what the name may have meant. Nothing if its service has no instances because
// of an error that has been reported.
void ReportUnknownInstance(CompileContext& context, const UnknownInstance& unknown);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_UNKNOWN_INSTANCE_H_
