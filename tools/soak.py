#!/usr/bin/env python3
"""Long checks on a cluster of separate processes on this machine; `tools/ci soak` runs them.

Usage: tools/soak.py DISTBENCH_BINARY

Prints a line per check with what it measured, and ends with "N passed, N failed". Takes some
three minutes.
"""

import math
import os
import pathlib
import re
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP))

from checks import Checks  # noqa: E402  (needs the path)
from distbench.cli import daemons  # noqa: E402

NODES = 30
WORKLOADS = ('client_server', 'multi_level_rpc', 'clique', 'tripartite', 'stochastic')


def memory_kib_and_threads(process):
    status = pathlib.Path(f'/proc/{process.pid}/status').read_text()
    return (int(re.search(r'^VmRSS:\s+(\d+)', status, re.M)[1]),
            int(re.search(r'^Threads:\s+(\d+)', status, re.M)[1]))


class Cluster:
    """A sequencer and node managers, each a process of its own."""

    def __init__(self, nodes):
        self.sequencer = daemons.Daemon('test_sequencer', '--port=0')
        self.address = self.sequencer.ready_line.split()[-1]
        self.nodes = [daemons.Daemon('node_manager', f'--test_sequencer={self.address}', '--port=0')
                      for _ in range(nodes)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for daemon in [*self.nodes, self.sequencer]:
            daemon.close()

    def run(self, config, *arguments, timeout=300):
        with tempfile.TemporaryDirectory() as folder:
            return daemons.run('run_tests', f'--test_sequencer={self.address}',
                               f'--outfile={folder}/results.pb', '--binary_output', *arguments,
                               stdin=config, timeout=timeout)

    def usage(self):
        """Memory in KiB and threads of every process, the sequencer first."""
        return [memory_kib_and_threads(d.process) for d in [self.sequencer, *self.nodes]]


def check_counts(name, by_rpc):
    """What the workload's config implies, as a list of what is not so."""
    wrong = []

    def expect(holds, text):
        if not holds:
            wrong.append(text)

    if name == 'clique':
        expected = (625 - 187) * 10 * 9
        expect(by_rpc['clique_query'] == expected, f'{by_rpc}, expected {expected}')
    elif name == 'multi_level_rpc':
        expect(by_rpc['root_query'] == 2001 - 600, f'{by_rpc}, expected 1401 root queries')
        expect(by_rpc['leaf_query'] == 20 * by_rpc['root_query'], f'{by_rpc}, not 20 leaves a root')
    elif name == 'stochastic':
        reads = 10001 - 1000
        mean = 0.7 * 1 + 0.2 * 2 + 0.1 * 5
        variance = 0.7 * 1 + 0.2 * 4 + 0.1 * 25 - mean**2
        sigma = math.sqrt(reads * variance)
        expect(abs(by_rpc['read'] - reads * mean) < 3 * sigma,
               f'{by_rpc}, expected {reads * mean:.0f} within {3 * sigma:.0f}')
    else:
        expect(by_rpc and min(by_rpc.values()) > 0, f'{by_rpc}')
    return wrong


def check_workloads(cluster):
    for name in WORKLOADS:
        finished = cluster.run((TOP / f'workloads/{name}.textproto').read_text())
        by_rpc, totals = daemons.counts(finished.stdout)
        wrong = [str(finished)] if finished.code != 0 else check_counts(name, by_rpc)
        if totals.get('Failed samples') != 0:
            wrong.append(f'failed samples: {totals}')
        yield f'workload {name}', wrong, f'{by_rpc}'


def short_cliques(tests):
    """Cliques on all nodes, 2 s each."""
    clique = (TOP / 'workloads/clique.textproto').read_text()
    clique = clique.replace('count: 10', f'count: {NODES}').replace(
        'max_iteration_count: 625', 'max_iteration_count: 40').replace(
        'open_loop_interval_ns: 16000000', 'open_loop_interval_ns: 50000000').replace(
        'warmup_iterations: 187', 'warmup_iterations: 4')
    return clique * tests


def check_leaks(cluster):
    """Memory and threads after the tenth test are those after the second, within 5 %."""
    finished = [cluster.run(short_cliques(10))]
    usages = []
    for _ in range(10):
        finished.append(cluster.run(short_cliques(1)))
        usages.append(cluster.usage())
    wrong = [str(f) for f in finished if f.code != 0]
    second, tenth = ([sum(column) for column in zip(*usages[i])] for i in (1, 9))
    if any(after > 1.05 * before for before, after in zip(second, tenth)):
        wrong.append('more than 5 % above')
    yield 'no leak', wrong, (f'{second[0]} KiB and {second[1]} threads after the second test, '
                             f'{tenth[0]} KiB and {tenth[1]} threads after the tenth')


ROOTS = '''tests {
  name: "in_flight"
  attributes { key: "test_timeout" value: "60" }
  services { name: "client" count: 1 }
  services { name: "root" count: 1 }
  services { name: "leaf" count: 1 }
  rpc_descriptions { name: "root_query" client: "client" server: "root" }
  rpc_descriptions { name: "leaf_query" client: "root" server: "leaf" }
  action_lists { name: "client" action_names: "ask_root" }
  action_lists { name: "root_query" action_names: "ask_leaf" }
  action_lists { name: "leaf_query" }
  actions { name: "ask_root" rpc_name: "root_query"
            iterations { max_duration_us: 4000000 max_parallel_iterations: IN_FLIGHT } }
  actions { name: "ask_leaf" rpc_name: "leaf_query" }
}'''


def check_threads(cluster):
    """Requests in flight cost memory, not threads."""
    threads = []
    wrong = []
    for in_flight in (10, 10000):
        finished = cluster.run(ROOTS.replace('IN_FLIGHT', str(in_flight)))
        if finished.code != 0:
            wrong.append(str(finished))
        # gRPC keeps the threads that it has made.
        threads.append(max(count for _, count in cluster.usage()))
    limit = 3 * os.cpu_count() + 32
    if threads[0] != threads[1] or threads[1] >= limit:
        wrong.append(f'threads {threads}, limit {limit}')
    yield 'threads', wrong, f'{threads[0]} at 10 and {threads[1]} at 10000 in flight, below {limit}'


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    daemons.BINARY = sys.argv[1]
    checks = Checks()
    with Cluster(NODES) as cluster:
        for check in (check_workloads, check_leaks, check_threads):
            for name, wrong, measured in check(cluster):
                checks.check(not wrong, f'{name}: {measured}')
                for text in wrong:
                    print(f'  {text}')
    sys.exit(checks.conclude())


if __name__ == '__main__':
    main()
