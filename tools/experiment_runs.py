"""Runs the commands of workloads/README.md and reads what they measured, for experiments.py."""

import json
import pathlib
import re
import shlex
import subprocess

from distbench.cli import daemons

README = pathlib.Path(__file__).resolve().parent.parent / 'workloads/README.md'
SECTION = '## Experiments'
TEST_BUILDER = 'test_builder/test_builder -s localhost:10000 -o results '
SECONDS = 1200


def commands():
    """By title of an experiment the command lines that it shows, without TEST_BUILDER."""
    section = README.read_text().split(f'\n{SECTION}\n')[1].split('\n## ')[0]
    by_title = {}
    for part in section.split('\n### ')[1:]:
        title = part.split('\n', 1)[0]
        shown = '\n'.join(re.findall(r'^```\n(.*?)^```', part, re.M | re.S))
        lines = shown.replace('\\\n', ' ').splitlines()
        of_title = [shlex.split(line.removeprefix(TEST_BUILDER))
                    for line in lines if line.startswith(TEST_BUILDER)]
        if of_title:
            by_title[title] = of_title
    return by_title


class Result:
    """What one test measured."""

    def __init__(self, path):
        exported = daemons.run('export', f'--infile={path}', '--format=json', timeout=SECONDS)
        self._test = json.loads(exported.stdout)['tests'][0]
        self._summary = daemons.run('export', f'--infile={path}', timeout=SECONDS).stdout
        self.name = self._test['name']

    def parameter(self, name):
        return self._test['attributes'][name]

    def seconds(self):
        return self._test['total_time_seconds']

    def problems(self, greatest_cpu_percent):
        """What speaks against the figures, in words; empty: nothing."""
        problems = [reason['text'] for reason in self._test['verdict'].get('reasons', [])]
        counts = self._test['counts']
        for kind in ('measured_failures', 'warmup_failures', 'cancelled', 'abandoned'):
            if counts[kind] > 0:
                problems.append(f'{counts[kind]:.0f} {kind}')
        if self.cpu_percent() > greatest_cpu_percent:
            problems.append(f'{self.cpu_percent()} % CPU')
        return problems

    def cpu_seconds(self):
        return float(re.search(r'CPU: (\d+\.\d+)s', self._summary)[1])

    def cpu_percent(self):
        return max(float(p) for p in re.findall(r'\((\d+\.\d+)% of \d+ CPUs\)', self._summary))

    def _rpc(self, name):
        return next((rpc for rpc in self._test['rpcs'] if rpc['name'] == name), None)

    def count(self, rpc):
        found = self._rpc(rpc)
        return int(found['counts']['measured_successes']) if found else 0

    def rate(self, rpc):
        return self._rpc(rpc)['rate_per_second']

    def median_ms(self, rpc):
        return self._rpc(rpc)['measured_success']['service_time_ns']['p50'] / 1e6

    def served(self, rpc):
        """How many the servers have counted."""
        found = next(served for served in self._test['served_rpcs'] if served['name'] == rpc)
        return int(found['queue_time_ns']['count'])


def run(test_builder, sequencer, arguments, folder):
    """Results of the tests of a command line, in their order."""
    finished = subprocess.run([test_builder, '-s', sequencer, '-o', folder, *arguments],
                              capture_output=True, text=True, timeout=SECONDS)
    if finished.returncode != 0:
        raise RuntimeError(f'test_builder {shlex.join(arguments)}: {finished.stderr}')
    names = re.findall(r'^\[\d+/\d+\] (.+); about .* left$', finished.stderr, re.M)
    return [Result(pathlib.Path(folder, f'{name}.pb.gz')) for name in names]
