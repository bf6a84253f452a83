"""Daemons and tests as separate processes on this machine, the way a user runs them.

Each case has a time limit, because what must never happen is that something hangs.
"""

import pathlib
import re
import resource
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from distbench.cli.daemons import BINARY, RUN_SECONDS, Daemon, counts, finish, run

WORKLOADS = pathlib.Path('workloads')

OK, FAILED, USAGE, UNAVAILABLE, CANCELLED = range(5)

# What a bad input may take to be told.
ERROR_SECONDS = 20
# How soon daemons are quiet after those who asked for traffic are gone; the promise is a second.
QUIET_SECONDS = 10


def client_server(duration_ms, name='short', requests=None):
    """A test that keeps ten requests in flight from one client to one server, for a time or until
    it has sent so many."""
    limit = (f'max_iteration_count: {requests}' if requests
             else f'max_duration_us: {duration_ms * 1000}')
    return f'''tests {{
      name: "{name}"
      attributes {{ key: "test_timeout" value: "60" }}
      services {{ name: "client" count: 1 }}
      services {{ name: "server" count: 1 }}
      rpc_descriptions {{ name: "query" client: "client" server: "server" }}
      action_lists {{ name: "client" action_names: "run" }}
      actions {{
        name: "run" rpc_name: "query"
        iterations {{ {limit} max_parallel_iterations: 10 }}
      }}
      action_lists {{ name: "query" }}
    }}'''


class E2ETest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def daemon(self, *arguments):
        daemon = Daemon(*arguments)
        self.addCleanup(daemon.close)
        return daemon

    def sequencer(self, *arguments, port=0):
        daemon = self.daemon('test_sequencer', f'--port={port}', '--control_bind=127.0.0.1',
                             '--data_bind=127.0.0.1', *arguments)
        daemon.address = daemon.ready_line.split()[-1]
        return daemon

    def node(self, sequencer, *arguments, port=0):
        return self.daemon('node_manager', f'--test_sequencer={sequencer.address}',
                           f'--port={port}', '--control_bind=127.0.0.1', '--data_bind=127.0.0.1',
                           *arguments)

    def cluster(self, nodes=2):
        sequencer = self.sequencer()
        return sequencer, [self.node(sequencer) for _ in range(nodes)]

    def run_tests(self, sequencer, config, *arguments):
        return run('run_tests', f'--test_sequencer={sequencer.address}', '--outfile=/dev/null',
                   *arguments, stdin=config)

    def start_tests(self, sequencer, config, outfile='/dev/null'):
        """run_tests in the background."""
        infile = self.directory / 'background.textproto'
        infile.write_text(config)
        process = subprocess.Popen(
            [BINARY, 'run_tests', f'--test_sequencer={sequencer.address}', f'--infile={infile}',
             f'--outfile={outfile}'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for_traffic(self, process, test='short'):
        """Returns when run_tests says that RPCs of the test have ended."""
        for line in iter(process.stderr.readline, ''):
            if re.search(rf"'{test}': .* [1-9]\d* RPCs, ", line):
                return
        self.fail(f'run_tests ended without traffic of {test}')

    def wait_for_quiet(self, node):
        self.poll(lambda: self.ticks_in_a_moment(node) <= 1, 'traffic did not stop',
                  seconds=QUIET_SECONDS)

    def ticks_in_a_moment(self, node):
        before = node.cpu_ticks()
        time.sleep(0.3)
        return node.cpu_ticks() - before

    def poll(self, holds, otherwise, seconds=RUN_SECONDS):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, otherwise)

    def expect_usable(self, sequencer):
        finished = self.run_tests(sequencer, client_server(200))
        self.assertEqual(finished.code, OK, finished)


class RunTest(E2ETest):
    def test_workload_ends_without_failures_and_leaves_its_results(self):
        sequencer, _ = self.cluster()
        outfile = self.directory / 'results.textproto'
        finished = run('run_tests', f'--test_sequencer={sequencer.address}',
                       f'--infile={WORKLOADS}/client_server.textproto', f'--outfile={outfile}',
                       '--set=tests.actions[run_queries].iterations.max_duration_us=1000000',
                       '--set=tests.actions[run_queries].iterations.warmup_iterations=10')
        self.assertEqual(finished.code, OK, finished)
        self.assertTrue(finished.stdout.startswith('Test summary:\nRPC latency summary:\n'),
                        finished)
        self.assertTrue(finished.stdout.endswith('\n\n'), finished)
        by_rpc, totals = counts(finished.stdout)
        self.assertGreater(by_rpc['client_server_rpc'], 100)
        self.assertEqual(totals['Failed samples'], 0)
        self.assertEqual(totals['Warmup samples'], 10)
        self.assertEqual(totals['Total samples'], by_rpc['client_server_rpc'] + 10)
        results = outfile.read_text()
        self.assertIn('Failed samples: 0', results)
        self.assertIn('command_line: "node_manager"', results)
        self.assertIn('command_line: "test_sequencer"', results)
        self.assertEqual([p.name for p in self.directory.iterdir()], ['results.textproto'])

    def test_native_results_hold_every_sample_wherever_the_node_kept_them(self):
        sequencer = self.sequencer()
        self.node(sequencer, '--sample_memory_mib=0', f'--sample_folder={self.directory}')
        self.node(sequencer)
        outfile = self.directory / 'results'
        finished = run('run_tests', f'--test_sequencer={sequencer.address}', f'--outfile={outfile}',
                       '--native_output', stdin=client_server(0, requests=30000))
        self.assertEqual(finished.code, OK, finished)
        self.assertIn('Total samples: 30000', finished.stdout)
        self.assertNotIn('left out', finished.stdout)
        self.assertLess(outfile.stat().st_size, 32 * 30000)
        exported = run('export', f'--infile={outfile}', '--format=csv')
        self.assertEqual(exported.code, OK, exported)
        self.assertEqual(exported.stdout.count('\n'), 1 + 30000)
        self.assertEqual(exported.stderr, '')
        self.assertEqual([p.name for p in self.directory.iterdir()], ['results'])

    def test_full_disk_fails_the_test_and_loses_no_figure(self):
        sequencer = self.sequencer()
        node = self.node(sequencer, '--sample_memory_mib=0', f'--sample_folder={self.directory}')
        self.node(sequencer)
        mib = 1 << 20
        resource.prlimit(node.process.pid, resource.RLIMIT_FSIZE, (mib, mib))
        finished = self.run_tests(sequencer, client_server(0, requests=100000), '--native_output')
        self.assertEqual(finished.code, FAILED, finished)
        self.assertIn('Total samples: 100000', finished.stdout)
        self.assertRegex(finished.stderr, 'writing samples to .*: File too large; make room there')
        self.expect_usable(sequencer)

    def test_results_go_to_stdout_and_the_summary_to_stderr_by_default(self):
        sequencer, _ = self.cluster()
        finished = run('run_tests', f'--test_sequencer={sequencer.address}',
                       stdin=client_server(200))
        self.assertEqual(finished.code, OK, finished)
        self.assertTrue(finished.stdout.startswith('test_results {'), finished.stdout[:200])
        self.assertIn('Test summary:\n', finished.stderr)

    def test_counts_are_what_the_workloads_imply(self):
        sequencer = self.sequencer('--local_nodes=25')
        cases = {
            'clique': (['clique_queries].iterations.max_iteration_count=30',
                        'clique_queries].iterations.warmup_iterations=0'],
                       lambda n: self.assertEqual(n, {'clique_query': 30 * 10 * 9})),
            'multi_level_rpc': (['generate_load].iterations.max_duration_us=500000',
                                 'generate_load].iterations.warmup_iterations=0'],
                                lambda n: self.assertEqual(n, {'root_query': 101,
                                                               'leaf_query': 101 * 20})),
            'tripartite': (['run_lookups].iterations.max_iteration_count=500',
                            'run_lookups].iterations.warmup_iterations=0'],
                           lambda n: self.assertEqual(n, {'index_query': 500,
                                                          'data_query': 500})),
            # 1.6 servers a read, standard deviation 1.2; five of them here.
            'stochastic': (['run_reads].iterations.max_duration_us=999999',
                            'run_reads].iterations.warmup_iterations=0'],
                           lambda n: self.assertAlmostEqual(n['read'], 1600,
                                                            delta=5 * 1.2 * 1000 ** 0.5)),
        }
        for workload, (settings, check) in cases.items():
            with self.subTest(workload):
                finished = run('run_tests', f'--test_sequencer={sequencer.address}',
                               f'--infile={WORKLOADS}/{workload}.textproto', '--outfile=/dev/null',
                               *(f'--set=tests.actions[{s}' for s in settings))
                self.assertEqual(finished.code, OK, finished)
                by_rpc, totals = counts(finished.stdout)
                check(by_rpc)
                self.assertEqual(totals['Failed samples'], 0)

    def test_seeded_draws_are_the_same_in_every_run(self):
        sequencer = self.sequencer('--local_nodes=7')
        runs = [self.counts_of_cache(sequencer) for _ in range(2)]
        self.assertEqual(runs[0], runs[1])
        by_rpc, failed = runs[0]
        self.assertEqual((by_rpc['get'], failed), (4 * 1000, 0))
        # One in ten misses; five standard deviations.
        self.assertAlmostEqual(by_rpc['fetch'], 400, delta=5 * (4000 * 0.1 * 0.9) ** 0.5)

    def counts_of_cache(self, sequencer):
        loop = 'tests.actions[read].iterations'
        settings = (f'{loop}.max_iteration_count=1000', f'{loop}.warmup_iterations=0',
                    f'{loop}.open_loop_interval_ns=100000',
                    'tests.actions[neighbour].iterations.max_iteration_count=20')
        finished = run('run_tests', f'--test_sequencer={sequencer.address}',
                       f'--infile={WORKLOADS}/cache.textproto', '--outfile=/dev/null',
                       *(f'--set={setting}' for setting in settings))
        self.assertEqual(finished.code, OK, finished)
        by_rpc, totals = counts(finished.stdout)
        return by_rpc, totals['Failed samples']

    def test_several_tests_run_in_order(self):
        sequencer, _ = self.cluster()
        finished = self.run_tests(sequencer,
                                  client_server(100, 'first') + client_server(100, 'second'))
        self.assertEqual(finished.code, OK, finished)
        self.assertEqual(finished.stdout.count('Test summary:\n'), 2)

    def test_empty_sequence_answers_at_once(self):
        sequencer = self.sequencer()
        finished = self.run_tests(sequencer, '')
        self.assertEqual((finished.code, finished.stdout), (OK, ''), finished)

    def test_preview_needs_no_cluster(self):
        finished = run('test_preview', '--outfile=/dev/null', stdin=client_server(300))
        self.assertEqual(finished.code, OK, finished)
        by_rpc, totals = counts(finished.stdout)
        self.assertGreater(by_rpc['query'], 0)
        self.assertEqual(totals['Failed samples'], 0)


class EndOfTrafficTest(E2ETest):
    def test_newer_sequence_preempts_the_one_that_runs(self):
        sequencer, nodes = self.cluster()
        first = self.start_tests(sequencer, client_server(50_000))
        self.wait_for_traffic(first)
        self.expect_usable(sequencer)
        finished = finish(first)
        self.assertEqual(finished.code, CANCELLED, finished)
        self.assertIn('preempted', finished.stderr)

    def test_ctrl_c_ends_the_traffic_and_loses_no_result(self):
        sequencer, nodes = self.cluster()
        outfile = self.directory / 'results.textproto'
        process = self.start_tests(sequencer,
                                   client_server(None, 'first', requests=10) +
                                   client_server(50_000, 'second') +
                                   client_server(50_000, 'third'), outfile)
        self.wait_for_traffic(process, 'second')
        process.send_signal(signal.SIGINT)
        finished = finish(process)
        self.assertEqual(finished.code, CANCELLED, finished)
        self.assertIn('stopping the tests; again to quit without results', finished.stderr)
        self.assertIn("test 2 'second' ended early", finished.stderr)
        self.assertIn('1 of 3 tests were not run', finished.stderr)
        first, second = finished.stdout.split('Test summary:\n')[1:]
        for summary in first, second:
            by_rpc, _ = counts(summary)
            self.assertGreater(by_rpc['query'], 0, finished)
        self.assertNotIn('Test ended early', first)
        self.assertIn('Test ended early', second)
        self.assertEqual(outfile.read_text().count('test_results {'), 2)
        self.wait_for_quiet(nodes[0])
        self.expect_usable(sequencer)

    def test_second_ctrl_c_quits_at_once(self):
        sequencer, nodes = self.cluster()
        process = self.start_tests(sequencer, client_server(50_000))
        self.wait_for_traffic(process)
        # The node cannot end its traffic, and so neither can the test.
        nodes[0].process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        self.assertIn('stopping', process.stderr.readline())
        process.send_signal(signal.SIGINT)
        finished = finish(process)
        nodes[0].process.send_signal(signal.SIGCONT)
        self.assertEqual(finished.code, CANCELLED, finished)
        self.assertEqual(finished.stdout, '')
        self.wait_for_quiet(nodes[0])

    def test_traffic_stops_when_run_tests_is_killed(self):
        sequencer, nodes = self.cluster()
        process = self.start_tests(sequencer, client_server(50_000))
        self.wait_for_traffic(process)
        process.kill()
        self.wait_for_quiet(nodes[0])
        self.expect_usable(sequencer)

    def test_loss_of_a_node_ends_the_test_with_an_error(self):
        sequencer = self.sequencer()
        client = self.node(sequencer)
        server = self.node(sequencer)
        port = server.ready_line.rsplit(':', 1)[1]
        process = self.start_tests(sequencer, client_server(50_000))
        self.wait_for_traffic(process)
        server.kill()
        finished = finish(process)
        self.assertEqual(finished.code, UNAVAILABLE, finished)
        self.assertRegex(finished.stderr, r'node1 \(.*:\d+\) was lost during the test')
        # One that comes back with the same address is the same node.
        self.node(sequencer, port=port)
        self.expect_usable(sequencer)

    def test_loss_of_the_sequencer_ends_run_tests_with_an_error(self):
        sequencer, nodes = self.cluster()
        process = self.start_tests(sequencer, client_server(50_000))
        self.wait_for_traffic(process)
        sequencer.kill()
        finished = finish(process)
        self.assertEqual(finished.code, UNAVAILABLE, finished)
        self.assertIn(sequencer.address, finished.stderr)
        self.wait_for_quiet(nodes[0])

    def test_sequencer_that_is_started_anew_gets_its_nodes_back(self):
        sequencer = self.sequencer()
        nodes = [self.node(sequencer, name) for name in ('node3', 'node7')]
        self.expect_usable(sequencer)
        port = sequencer.address.rsplit(':', 1)[1]
        sequencer.kill()
        sequencer = self.sequencer(port=port)
        self.poll(lambda: self.run_tests(sequencer, client_server(200)).code == OK,
                  'the nodes did not come back')
        # However long it was away, that is told once, and so is its return.
        self.assertLessEqual(len(nodes[0].stderr().splitlines()), 2, nodes[0].stderr())

    def test_name_of_a_dead_node_is_free(self):
        sequencer = self.sequencer()
        self.node(sequencer, 'node0')
        self.node(sequencer, 'node1').kill()
        self.node(sequencer, 'node1')
        self.expect_usable(sequencer)

    def test_test_that_fails_does_not_keep_the_others_from_running(self):
        sequencer, _ = self.cluster()
        short = '--set=tests[first].attributes[test_timeout]=1'
        finished = self.run_tests(sequencer, client_server(50_000, 'first') +
                                  client_server(200, 'second'), short)
        self.assertEqual(finished.code, FAILED, finished)
        self.assertIn("test 1 'first' ended early", finished.stderr)
        self.assertNotIn("'second' ended early", finished.stderr)
        first, second = finished.stdout.split('Test summary:\n')[1:]
        self.assertIn('Test ended early', first)
        self.assertNotIn('Test ended early', second)
        self.assertGreater(counts(second)[0]['query'], 0)

    def test_max_test_duration_ends_a_longer_test(self):
        sequencer, _ = self.cluster()
        finished = self.run_tests(sequencer, client_server(50_000), '--max_test_duration=1s')
        self.assertEqual(finished.code, FAILED, finished)
        self.assertIn('ended early', finished.stderr)

    def test_daemons_end_in_order_on_sigterm(self):
        sequencer, nodes = self.cluster()
        self.expect_usable(sequencer)
        for daemon in [*nodes, sequencer]:
            self.assertEqual(daemon.terminate(), OK, daemon.stderr())
            self.assertEqual(daemon.stderr(), '')

    def test_sequence_may_shut_the_cluster_down(self):
        sequencer, nodes = self.cluster()
        finished = self.run_tests(
            sequencer, client_server(100) + ' tests_setting { shutdown_after_tests: true }')
        self.assertEqual(finished.code, OK, finished)
        for daemon in [*nodes, sequencer]:
            self.assertEqual(daemon.process.wait(timeout=RUN_SECONDS), OK, daemon.stderr())


def changed(old, new):
    config = client_server(100)
    assert old in config, old
    return config.replace(old, new)


BAD_CONFIGS = {
    'garbage': ('\x00\x01 garbage', r'/dev/stdin'),
    'unknown field': (changed('rpc_name:', 'rcp_name:'), r'/dev/stdin:\d+:\d+: .*rcp_name'),
    'unknown rpc': (changed('rpc_name: "query"', 'rpc_name: "qurey"'), r"'qurey'.*'query'"),
    'unknown action': (changed('action_names: "run"', 'action_names: "walk"'), r"'walk'"),
    'cycle': (changed('rpc_name: "query"', 'rpc_name: "query" dependencies: "run"'), r'run'),
    'zero count': (changed('"server" count: 1', '"server" count: 0'), r'services\[1\].count'),
    'negative count': (changed('"server" count: 1', '"server" count: -1'), r'services\[1\].count'),
    'huge count': (changed('"server" count: 1', '"server" count: 2147483647'),
                   r'services\[1\].count'),
    'rpc without list': (changed('action_lists { name: "query" }', ''), r"query"),
}


class BadInputTest(E2ETest):
    def test_error_in_a_config_is_told_before_and_during_a_run(self):
        sequencer, _ = self.cluster()
        for name, (config, expected) in BAD_CONFIGS.items():
            for finished in [
                    run('check_test', stdin=config, timeout=ERROR_SECONDS),
                    run('test_preview', stdin=config, timeout=ERROR_SECONDS),
                    run('run_tests', f'--test_sequencer={sequencer.address}', stdin=config,
                        timeout=ERROR_SECONDS)]:
                with self.subTest(name):
                    self.assertEqual(finished.code, FAILED, finished)
                    self.assertRegex(finished.stderr, expected)
                    self.assertEqual(finished.stdout, '')
        self.expect_usable(sequencer)

    def test_good_config_is_said_to_be_good(self):
        infile = self.directory / 'good.textproto'
        infile.write_text(client_server(100))
        finished = run('check_test', f'--infile={infile}')
        self.assertEqual(finished.code, OK, finished)
        self.assertTrue(finished.stdout.endswith(f'Result: {infile} parsed successfully.\n'),
                        finished)
        # A count without sizes is a line; that is what differs.
        self.assertIn('x_size: 1', finished.stdout)

    def test_workloads_are_good(self):
        for workload in sorted(WORKLOADS.glob('*.textproto')):
            finished = run('check_test', f'--infile={workload}')
            self.assertEqual((finished.code, finished.stderr), (OK, ''), finished)

    def test_too_few_nodes_are_an_error_that_says_how_many(self):
        sequencer, _ = self.cluster(nodes=1)
        finished = self.run_tests(sequencer, client_server(100))
        self.assertEqual(finished.code, FAILED, finished)
        self.assertIn('server/0', finished.stderr)

    def test_port_in_use_is_an_error_that_names_it(self):
        with socket.create_server(('127.0.0.1', 0)) as taken:
            port = taken.getsockname()[1]
            sequencer = self.sequencer()
            for finished in [
                    run('test_sequencer', f'--port={port}', '--control_bind=127.0.0.1',
                        timeout=ERROR_SECONDS),
                    run('node_manager', f'--port={port}', '--control_bind=127.0.0.1',
                        f'--test_sequencer={sequencer.address}', timeout=ERROR_SECONDS)]:
                self.assertEqual(finished.code, FAILED, finished)
                self.assertIn(str(port), finished.stderr)

    def test_unreachable_sequencer_is_an_error_that_names_it(self):
        with socket.create_server(('127.0.0.1', 0)) as closed:
            port = closed.getsockname()[1]
        finished = run('run_tests', f'--test_sequencer=127.0.0.1:{port}', stdin=client_server(100),
                       timeout=ERROR_SECONDS)
        self.assertEqual(finished.code, UNAVAILABLE, finished)
        self.assertIn(f'127.0.0.1:{port}', finished.stderr)
        self.assertIn('or correct --test_sequencer.\n', finished.stderr)

    def test_command_line_that_is_not_understood_is_a_usage_error(self):
        for arguments in [[], ['run_test'], ['run_tests', '--infle=x'], ['run_tests'],
                          ['run_tests', '--test_sequencer=nowhere'],
                          ['run_tests', '--test_sequencer=a:1', '--outfile=x.gz'],
                          ['node_manager', '--test_sequencer=a:1', 'nodule'],
                          ['node_manager', '--test_sequencer=a:1', '--data_ports=9-1'],
                          ['test_sequencer', '--local_nodes=-1'], ['check_test', 'x']]:
            with self.subTest(arguments):
                finished = run(*arguments, timeout=ERROR_SECONDS)
                self.assertEqual(finished.code, USAGE, finished)
                self.assertTrue(finished.stderr.startswith(('distbench', 'Usage')), finished)

    def test_occupied_node_name_is_an_error(self):
        sequencer = self.sequencer()
        self.node(sequencer, 'node7')
        finished = run('node_manager', 'node7', f'--test_sequencer={sequencer.address}', '--port=0',
                       timeout=ERROR_SECONDS)
        self.assertEqual(finished.code, FAILED, finished)
        self.assertIn('node7', finished.stderr)


if __name__ == '__main__':
    unittest.main()
