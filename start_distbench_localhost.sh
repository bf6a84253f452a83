#!/usr/bin/env bash
# A cluster on this machine: a test sequencer on port 10000 and its node managers in one process,
# until Ctrl-C. Then, in another shell:
#   bazel-bin/distbench/distbench run_tests --test_sequencer=localhost:10000 --infile=...
set -uo pipefail

node_count=1
log_level=warning
build_options=(-c opt)
port=10000

usage() {
  cat <<TXT
Usage: $0 [-n COUNT] [-v] [-d] [-c OPTIONS] [-h]
  -n COUNT    node managers; each hosts one service instance of a test ($node_count)
  -v          verbose: log what happens
  -d          debug: log more, and build for a debugger
  -c OPTIONS  build options (${build_options[*]})
  -h          show this
TXT
}

refuse() {
  printf '%s\n' "$@" >&2
  exit 2
}

while getopts 'n:vdc:h' option; do
  case $option in
    n) node_count=$OPTARG ;;
    v) log_level=info ;;
    d) log_level=debug build_options=(-c dbg) ;;
    c) read -ra build_options <<<"$OPTARG" ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
(($# == 0)) || refuse "$0: unexpected word '$1'; see $0 -h"
[[ $node_count =~ ^[1-9][0-9]*$ ]] || refuse "$0: -n $node_count: expected a positive number"

cd "$(dirname "${BASH_SOURCE[0]}")" || exit
read -ra bazel <<<"${BAZEL:-bazel}"
echo "Building with ${build_options[*]}" >&2
"${bazel[@]}" build --noshow_progress --show_result=0 --ui_event_filters=-info \
  "${build_options[@]}" //distbench || exit
distbench=bazel-bin/distbench/distbench

# In a session of its own: Ctrl-C reaches this script, which then tells the daemon.
exec {output}< <(exec setsid "$distbench" test_sequencer \
  --port="$port" --local_nodes="$node_count" --log_level="$log_level")
daemon=$!
trap 'kill "$daemon" 2>/dev/null' EXIT INT TERM

# The daemon prints a line when everything is there. What goes wrong it says on stderr itself.
read -r line <&"$output" || { wait "$daemon"; exit; }
"$distbench" run_tests --test_sequencer="localhost:$port" --outfile=/dev/null </dev/null || exit
echo "$line"
echo "Ctrl-C ends it."
wait "$daemon"
status=$?
# A signal interrupts the first wait; the daemon ends in order meanwhile.
trap - EXIT
((status <= 128)) || { wait "$daemon"; status=$?; }
exit "$status"
