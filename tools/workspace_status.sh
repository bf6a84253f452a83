#!/bin/sh
# What the build is told of the source tree. Keys that begin with STABLE_ rebuild what reads them
# when they change; only the release form of one small file reads them.
commit=$(git describe --always --abbrev=12 --exclude='*' --dirty=-modified 2>/dev/null) ||
  commit=unknown
echo "STABLE_DISTBENCH_COMMIT ${commit:-unknown}"
