#!/usr/bin/env bash
# Draws each pattern of test_builder, as its config in test_builder/golden has it, to
# workloads/images/PATTERN.svg. Needs Graphviz (Debian: graphviz).
#
#   tools/draw_patterns.sh [DISTBENCH]        DISTBENCH: the program; else bazel builds it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

distbench=${1:-}
if [[ -z $distbench ]]; then
  bazel build -c opt //distbench
  distbench=bazel-bin/distbench/distbench
fi
mkdir -p workloads/images
for config in test_builder/golden/*.config; do
  name=$(basename "$config" .config)
  # Some are a second config of a pattern, or several tests: one picture of each pattern is enough.
  [[ -e test_builder/patterns/$name.cc ]] || continue
  "$distbench" draw --infile="$config" | dot -Tsvg -Gbgcolor=white >"workloads/images/$name.svg"
done
