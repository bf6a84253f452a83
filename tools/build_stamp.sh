#!/bin/sh
# Prints the C++ file that tells the program what only its build knows.
#   build_stamp.sh [STATUS_FILE]   the commit stands in Bazel's status file; without one: unstamped
commit=unstamped
[ $# -eq 0 ] || commit=$(sed -n 's/^STABLE_DISTBENCH_COMMIT //p' "$1")
glog=$(sed -n 's/^Version: *//p' /usr/lib/*/pkgconfig/libglog.pc 2>/dev/null | head -n 1)
cat <<CC
#include "distbench/results/build_stamp.h"

namespace distbench {

const char kBuildCommit[] = "${commit:-unknown}";
const char kGlogVersion[] = "$glog";

}  // namespace distbench
CC
