"""Holds `distbench export --format=hdr` against HdrHistogram itself: what it reads from the log
must be what the same results say as JSON. Needs javac and Debian's libhdrhistogram-java, which
`tools/ci setup` installs.
"""

import json
import pathlib
import subprocess
import tempfile
import unittest

from distbench.export.exporting import OK, TESTDATA, export

JAR = '/usr/share/java/hdrhistogram.jar'
JAVA_SECONDS = 120

# Quantiles in parts per million, and our name for each.
QUANTILES = {'500000': 'p50', '900000': 'p90', '990000': 'p99', '999000': 'p99_9',
             '999900': 'p99_99', '1000000': 'max'}
# Ours have 512 buckets a factor of two.
BUCKET_WIDTH = 1 / 512

FIRST_START_NS = 1700000000_000000000
SPACING_NS = 100_000


def results_with(name, latencies_ns):
    """A result of one test whose RPC took these times."""
    samples = ''.join(
        f'successful_rpc_samples {{ start_timestamp_ns: {FIRST_START_NS + i * SPACING_NS} '
        f'latency_ns: {latency} }}\n' for i, latency in enumerate(latencies_ns))
    return f'''test_results {{
      traffic_config {{ name: "{name}" rpc_descriptions {{ name: "ask it" }} }}
      service_logs {{ instance_logs {{ key: "client/0" value {{
        peer_logs {{ key: "server/0" value {{ rpc_logs {{ key: 0 value {{ {samples} }} }} }} }}
      }} }} }}
    }}
    '''


def run_java(*command):
    finished = subprocess.run(command, capture_output=True, text=True, timeout=JAVA_SECONDS)
    if finished.returncode != 0:
        raise AssertionError(f'{command}: {finished.stdout}{finished.stderr}')
    return finished.stdout


class HdrJavaTest(unittest.TestCase):
    TESTS = {
        'microseconds': [5_000 + 7 * i for i in range(2_000)],
        'wide': [int(1_000 * 1.0005 ** i) for i in range(20_000)],
        'small': [i % 400 for i in range(4_000)],
    }

    @classmethod
    def setUpClass(cls):
        if not pathlib.Path(JAR).exists():
            raise AssertionError(f'{JAR} is missing: install libhdrhistogram-java (tools/ci setup)')
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        folder = pathlib.Path(directory.name)
        infile = folder / 'results.textproto'
        infile.write_text(''.join(results_with(*test) for test in cls.TESTS.items()))
        log = folder / 'log.hlog'
        for arguments in (['--format=hdr', f'--outfile={log}'],
                          ['--format=json', f'--outfile={folder}/json']):
            finished = export(f'--infile={infile}', *arguments)
            if finished.code != OK:
                raise AssertionError(str(finished))
        cls.ours = [test['rpcs'][0]['measured_success']
                    for test in json.loads((folder / 'json').read_text())['tests']]
        run_java('javac', '-cp', JAR, '-d', str(folder), f'{TESTDATA}/LogQuantiles.java')
        cls.lines = [line.split() for line in run_java(
            'java', '-cp', f'{JAR}:{folder}', 'LogQuantiles', str(log), *QUANTILES).splitlines()]

    def test_every_histogram_is_there_under_its_tag(self):
        self.assertEqual([line[0] for line in self.lines],
                         [f'{name}/ask_it' for name in self.TESTS])

    def test_interval_is_from_the_first_start_to_the_last_end(self):
        for line, latencies in zip(self.lines, self.TESTS.values()):
            end_ns = max(FIRST_START_NS + i * SPACING_NS + latency
                         for i, latency in enumerate(latencies))
            self.assertEqual(int(line[1]), FIRST_START_NS // 1_000_000)
            self.assertLessEqual(abs(int(line[2]) - end_ns // 1_000_000), 1)

    def test_counts_are_the_same(self):
        for line, ours in zip(self.lines, self.ours):
            self.assertEqual(int(line[3]), ours['count'])

    def test_least_value_is_the_same_within_a_bucket(self):
        for line, ours in zip(self.lines, self.ours):
            self.expect_near(int(line[4]), ours['service_time_ns']['min'])

    def test_quantiles_are_the_same_within_a_bucket(self):
        for line, ours in zip(self.lines, self.ours):
            for theirs, field in zip(line[5:], QUANTILES.values()):
                self.expect_near(int(theirs), ours['service_time_ns'][field])

    def expect_near(self, theirs, ours):
        self.assertLessEqual(abs(theirs - ours), BUCKET_WIDTH * ours, (theirs, ours))


if __name__ == '__main__':
    unittest.main()
