// What only the build knows; the values are generated, see the targets `build_stamp*`.
#ifndef DISTBENCH_RESULTS_BUILD_STAMP_H_
#define DISTBENCH_RESULTS_BUILD_STAMP_H_

namespace distbench {

extern const char kBuildCommit[];
// Version of the glog that the program was linked with; its headers do not tell. May be empty.
extern const char kGlogVersion[];

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_BUILD_STAMP_H_
