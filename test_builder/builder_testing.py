"""test_builder and a cluster as separate processes on this machine, the way a user runs them."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from distbench.cli.daemons import RUN_SECONDS, Daemon

SCRIPT = 'test_builder/test_builder'
ENVIRONMENT = {**os.environ, 'TEST_BUILDER_BINARY': 'test_builder/builder'}

# For all tests of a command line.
MOST_SECONDS = 15 * RUN_SECONDS

OK, FAILED, USAGE, UNAVAILABLE, CANCELLED = range(5)


class BuilderTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def daemon(self, mode, *arguments):
        daemon = Daemon(mode, '--port=0', '--control_bind=127.0.0.1', '--data_bind=127.0.0.1',
                        *arguments)
        self.addCleanup(daemon.close)
        return daemon

    def cluster(self, nodes):
        daemon = self.daemon('test_sequencer', f'--local_nodes={nodes}')
        return re.search(r'\S+:\d+', daemon.ready_line).group()

    def start(self, *arguments):
        process = subprocess.Popen([SCRIPT, *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def finish(self, *arguments):
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True,
                              env=ENVIRONMENT, timeout=MOST_SECONDS)

    def wait_for_traffic_of(self, position, process):
        """Returns when RPCs of the test at this position have ended."""
        has_begun = False
        for line in iter(process.stderr.readline, ''):
            has_begun = has_begun or line.startswith(f'[{position}/')
            if has_begun and re.search(r' [1-9]\d* RPCs, ', line):
                return
        self.fail(f'ended without traffic of test {position}')
