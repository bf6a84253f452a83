"""Sweeps that are interrupted, and what is left of them."""

import gzip
import signal
import unittest

from distbench.cli.daemons import RUN_SECONDS, run
from test_builder.builder_testing import CANCELLED, FAILED, OK, UNAVAILABLE, BuilderTest


class ResumeTest(BuilderTest):
    SWEEP = ['-t', '0.5', 'parameter_sweep', 'parallel_queries', '1,2',
             'parameter_sweep', 'request_size', '64', 'x2', '128',
             'parameter_sweep', 'response_size', '64', '64', '128',
             'client_server:tcp:warmup_iterations=10']

    def files(self, directory):
        return sorted(path.name for path in directory.iterdir())

    def test_an_interrupted_sweep_goes_on_and_ends_with_the_same_files(self):
        sequencer = self.cluster(2)
        undisturbed = self.directory / 'undisturbed'
        finished = self.finish('-s', sequencer, '-o', undisturbed, *self.SWEEP)
        self.assertEqual(finished.returncode, OK, finished.stderr)
        self.assertEqual(len(list(undisturbed.glob('*.pb.gz'))), 8)

        disturbed = self.directory / 'disturbed'
        command = ['-s', sequencer, '-o', disturbed, *self.SWEEP]
        process = self.start(*command)
        self.wait_for_traffic_of(2, process)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=RUN_SECONDS)
        self.assertEqual(process.returncode, CANCELLED, stderr)
        self.assertIn('stopping this test, whose result is not kept; again to quit at once', stderr)
        self.assertIn('the same command goes on', stderr)
        # What is not kept is not judged either.
        self.assertEqual(stdout.count('Test summary:\n'), len(list(disturbed.glob('*.pb.gz'))))
        self.assertEqual([name for name in self.files(disturbed) if 'unfinished' in name], [])
        self.assertLess(len(list(disturbed.glob('*.pb.gz'))), 8)
        complete = {path.name: path.read_bytes() for path in disturbed.glob('*.pb.gz')}
        self.assertNotEqual(complete, {})

        process = self.start(*command)
        self.wait_for_traffic_of(4, process)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=RUN_SECONDS)
        self.assertLess(len(list(disturbed.glob('*.pb.gz'))), 8)

        finished = self.finish(*command)
        self.assertEqual(finished.returncode, OK, finished.stderr)
        self.assertEqual(self.files(disturbed), self.files(undisturbed))
        for name, contents in complete.items():
            self.assertEqual((disturbed / name).read_bytes(), contents, name)
        for path in disturbed.glob('*.pb.gz'):
            self.assertGreater(len(gzip.decompress(path.read_bytes())), 0, path)
            exported = run('export', '--format=text', f'--infile={path}')
            self.assertIn('Failed samples: 0', exported.stdout, exported)

    def test_a_result_counts_for_the_test_that_it_is_of(self):
        command = ['-s', self.cluster(2), '-o', self.directory]
        test = 'ring:tcp:warmup_seconds=0:node_count=2'
        finished = self.finish(*command, '-t', '0.3', test)
        self.assertEqual(finished.returncode, OK, finished.stderr)
        result, = self.directory.glob('*.pb.gz')
        whole = result.read_bytes()

        # The same test, now of a sweep.
        finished = self.finish(*command, '-t', '0.3', 'parameter_sweep', 'node_count', '2,',
                               test.removesuffix(':node_count=2'))
        self.assertEqual(finished.returncode, OK, finished.stderr)
        self.assertIn('1 of 1 tests have a result', finished.stderr)

        next(self.directory.glob('*.config')).unlink()
        finished = self.finish(*command, '-t', '0.4', test)
        self.assertEqual(finished.returncode, FAILED, finished.stderr)
        self.assertIn('+   attributes { key: "test_duration" value: "0.4" }', finished.stderr)
        self.assertEqual(list(self.directory.glob('*.config')), [])
        self.assertEqual(result.read_bytes(), whole)

        result.write_bytes(gzip.compress(gzip.decompress(whole)[:300]))
        finished = self.finish(*command, '-t', '0.3', test)
        self.assertEqual(finished.returncode, OK, finished.stderr)
        self.assertIn('its test is to be run again', finished.stderr)
        self.assertGreater(len(gzip.decompress(result.read_bytes())), 300)

    def test_without_a_sequencer_nothing_runs(self):
        finished = self.finish('-s', '127.0.0.1:1', '-o', self.directory, *self.SWEEP)
        self.assertEqual(finished.returncode, UNAVAILABLE, finished.stderr)
        self.assertIn('127.0.0.1:1', finished.stderr)
        self.assertIn('or correct -s.', finished.stderr)
        self.assertEqual(list(self.directory.glob('*.pb.gz')), [])

    def test_a_test_that_fails_leaves_the_others(self):
        sequencer = self.cluster(2)
        command = ['-s', sequencer, '-o', self.directory, '-t', '0.3',
                   'client_server:tcp:server_count=5', 'client_server:tcp']
        finished = self.finish(*command)
        self.assertEqual(finished.returncode, FAILED, finished.stderr)
        failed = 'client_server_1x5x100-tcp'
        self.assertIn(f'1 of 2 tests failed:\n  {failed}\n', finished.stderr)
        # Its reason is told once, after its name and nothing else.
        self.assertEqual(finished.stderr.count(f'{failed}: '), 1, finished.stderr)
        self.assertNotIn('test 1', finished.stderr)
        self.assertEqual([path.name for path in self.directory.glob('*.pb.gz')
                          if 'failed' not in path.name], ['client_server_1x1x100-tcp.pb.gz'])

    def test_a_node_that_is_lost_ends_only_the_tests_that_need_it(self):
        sequencer = self.cluster(0)
        nodes = [self.daemon('node_manager', f'--test_sequencer={sequencer}') for _ in range(3)]
        process = self.start('-s', sequencer, '-o', self.directory, '-t', '2',
                             'client_server:tcp:server_count=2', 'client_server:tcp',
                             'client_server:tcp:parallel_queries=1')
        self.wait_for_traffic_of(1, process)
        nodes[2].kill()
        _, stderr = process.communicate(timeout=RUN_SECONDS)
        self.assertEqual(process.returncode, UNAVAILABLE, stderr)
        self.assertIn('1 of 3 tests failed:\n  client_server_1x2x100-tcp\n', stderr)
        self.assertEqual([name for name in self.files(self.directory) if name.endswith('.pb.gz')],
                         ['client_server_1x1x1-tcp.pb.gz', 'client_server_1x1x100-tcp.pb.gz',
                          'client_server_1x2x100-tcp.failed.pb.gz'])

    def test_a_reader_who_leaves_stops_no_test(self):
        sequencer = self.cluster(2)
        process = self.start('-s', sequencer, '-o', self.directory, '-t', '0.3',
                             'parameter_sweep', 'parallel_queries', '1,2,3', 'client_server:tcp')
        process.stdout.close()
        _, stderr = process.communicate(timeout=RUN_SECONDS)
        self.assertEqual(process.returncode, FAILED, stderr)
        self.assertEqual(stderr.count('summaries cannot be written any more'), 1, stderr)
        self.assertIn('cannot write all of it to standard output', stderr)
        self.assertEqual(len(list(self.directory.glob('*.pb.gz'))), 3)


if __name__ == '__main__':
    unittest.main()
