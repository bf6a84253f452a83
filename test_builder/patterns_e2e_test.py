"""Each pattern on a local cluster, over each driver.

Takes one argument: for how many seconds each test measures.
"""

import re
import sys
import unittest

from distbench.cli import daemons
from test_builder.builder_testing import OK, BuilderTest

DRIVERS = [':grpc:client_type=callback:server_type=handoff', ':grpc', ':tcp']

SECONDS = sys.argv.pop(1)
# Open loops start 100 times a second, 0.1 s of which are warmup.
OPEN = 'rpc_interval_us=10000:warmup_seconds=0.1'
QPS = 'qps=100:warmup_seconds=0.1'
STARTS, WARMUP_STARTS = round(100 * float(SECONDS)), 10


class Expected:
    """Measured RPCs by name, and how many were warmup."""

    def __init__(self, warmup, **measured):
        self.warmup, self.measured = warmup, measured


# Of closed loops how many RPCs there are is not known, but what they add up to: a count of None is
# any but zero, a word is the count of that RPC, and a negative one a multiple.
PATTERNS = {
    'client_server:client_count=2:server_count=2:parallel_queries=2:warmup_iterations=10':
        Expected(2 * 2 * 10, client_server_rpc=-2),
    f'clique:node_count=3:{OPEN}': Expected(WARMUP_STARTS * 6, clique_query=STARTS * 6),
    f'rectangular:x_size=2:y_size=2:{OPEN}':
        Expected(WARMUP_STARTS * 4, rectangular_query=STARTS * 4),
    'tripartite:data_count=2:warmup_iterations=10':
        Expected(2 * 10, index_query=None, data_query='index_query'),
    f'multi_level_rpc:root_count=2:leaf_count=3:{QPS}':
        Expected(WARMUP_STARTS * 4, root_query=STARTS, leaf_query=STARTS * 3),
    f'variable_response_multi_level_rpc:root_count=2:leaf_count=3:{QPS}':
        Expected(WARMUP_STARTS * 4, root_query=STARTS, leaf_query=STARTS * 3),
    f'call_graph:depth=2:width=2:{QPS}':
        Expected(WARMUP_STARTS * 3, client_to_front=STARTS, front_to_front_0=STARTS,
                 front_to_front_1=STARTS),
    f'ring:node_count=3:{OPEN}': Expected(WARMUP_STARTS * 3, pass_on=STARTS * 3),
    'all_to_all:node_count=3:warmup_iterations=10': Expected(10 * 6, exchange=-2),
    f'incast:sender_count=3:{OPEN}': Expected(WARMUP_STARTS * 3, deliver=STARTS * 3),
    'scatter_gather:leaf_count=3:parallel_queries=2:warmup_iterations=10':
        Expected(10 * 3, ask_leaf=-3),
    'ping_pong:pair_count=2:parallel_queries=2:warmup_iterations=10': Expected(20, bounce=None),
    'ping_pong:pair_count=2:mirrors=one:way=one_way:parallel_queries=2:warmup_iterations=10':
        Expected(20, bounce=None),
    'ping_pong:work_us=500:warmup_iterations=10': Expected(10, bounce=None),
    'ping_pong:placement=same_process:warmup_iterations=10': Expected(10, bounce=None),
    'command_mix:node_count=3:worker_count=2:compute_us=50:global_weight=0:serial_weight=30:'
    'spawn_weight=30:local_weight=0:warmup_iterations=10':
        Expected(30, remote=None, serial=None, spawn=None),
    'command_mix:node_count=3:compute=memory:compute_us=100:background_spinners=1:'
    'warmup_iterations=0': Expected(0, remote=None),
    'command_mix:node_count=3:remote_weight=0:global_weight=1:local_weight=0:warmup_iterations=10':
        Expected(30 * 2, **{'global': -2}),
    f'pipeline:stage_count=3:stage_time_us=100:{QPS}':
        Expected(WARMUP_STARTS * 3, stage_1_query=STARTS, stage_2_query=STARTS,
                 stage_3_query=STARTS),
}


class PatternsTest(BuilderTest):
    def check(self, pattern, expected, summary):
        by_rpc, totals = daemons.counts(summary)
        self.assertEqual(totals['Failed samples'], 0, summary)
        self.assertEqual(totals['Warmup samples'], expected.warmup, summary)
        self.assertEqual(totals['Total samples'], sum(by_rpc.values()) + expected.warmup, summary)
        self.assertEqual(set(by_rpc), set(expected.measured), pattern)
        for rpc, count in expected.measured.items():
            measured = by_rpc[rpc]
            if isinstance(count, str):
                self.assertEqual(measured, by_rpc[count], summary)
            elif count is None or count < 0:
                self.assertGreater(measured, 0, summary)
                self.assertEqual(measured % -(count or -1), 0, summary)
            else:
                self.assertEqual(measured, count, summary)
        for sent, served in re.findall(r': sent: (\d+) served: (\d+) ', summary):
            self.assertEqual(sent, served, summary)

    def test_each_pattern_makes_the_rpcs_that_its_parameters_imply_over_each_driver(self):
        sequencer = self.cluster(6)
        configs = [(pattern, pattern.replace(':', driver + ':', 1))
                   for pattern in PATTERNS for driver in DRIVERS]
        finished = self.finish('-s', sequencer, '-o', self.directory, '-t', SECONDS,
                               *[config for _, config in configs])
        self.assertEqual(finished.returncode, OK, finished.stderr)
        checked = daemons.run('check_test', f'--infile={self.directory}/test_sequence.config')
        self.assertEqual(checked.code, OK, checked)
        summaries = finished.stdout.split('Test summary:\n')[1:]
        self.assertEqual(len(summaries), len(configs))
        for (pattern, config), summary in zip(configs, summaries):
            with self.subTest(config):
                self.check(pattern, PATTERNS[pattern], summary)
        self.assertEqual(len(list(self.directory.glob('*.pb.gz'))), len(configs))

    def test_homa_cp_node_makes_as_many_as_its_rate_implies(self):
        sequencer = self.cluster(3)
        configs = [f'homa_cp_node{driver}:node_count=3:workload=w2:gbps=0.0003:warmup_seconds=0.1'
                   for driver in DRIVERS]
        finished = self.finish('-s', sequencer, '-o', self.directory, '-t', SECONDS,
                               *configs)
        self.assertEqual(finished.returncode, OK, finished.stderr)
        for summary in finished.stdout.split('Test summary:\n')[1:]:
            by_rpc, totals = daemons.counts(summary)
            self.assertEqual(totals['Failed samples'], 0, summary)
            # Messages of w2 have 425 bytes: 88.2 of them a second are 0.0003 Gbit/s.
            self.assertAlmostEqual(by_rpc['clique_query'], 3 * 88.2 * float(SECONDS), delta=3,
                                   msg=summary)


if __name__ == '__main__':
    unittest.main()
