"""Runs `distbench export` the way a user does."""

import os
import subprocess

BINARY = os.environ.get('DISTBENCH_BINARY', 'distbench/distbench')
TESTDATA = 'distbench/export/testdata'
RESULTS = f'{TESTDATA}/results.textproto'

OK, FAILED, USAGE = range(3)

# What one export of these small results may take.
RUN_SECONDS = 60


class Finished:
    """A command that has ended."""

    def __init__(self, process):
        self.code, self.stdout = process.returncode, process.stdout
        self.stderr = process.stderr.decode()

    def __str__(self):
        return f'exit code {self.code}\n--- stderr\n{self.stderr}'


def export(*arguments, stdin=b''):
    return Finished(subprocess.run([BINARY, 'export', *arguments], input=stdin,
                                   capture_output=True, timeout=RUN_SECONDS))
