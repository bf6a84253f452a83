"""Processes of the program under test, for the checks that run it the way a user does."""

import os
import pathlib
import queue
import re
import subprocess
import tempfile
import threading

BINARY = os.environ.get('DISTBENCH_BINARY', 'distbench/distbench')

START_SECONDS = 60
RUN_SECONDS = 60


class Daemon:
    """A daemon's process, from the moment at which it says that it is ready.

    `prefix` stands in front of the command, which it runs.
    """

    def __init__(self, mode, *arguments, prefix=()):
        self._stderr = tempfile.TemporaryFile()
        self.process = subprocess.Popen([*prefix, BINARY, mode, *arguments],
                                        stdout=subprocess.PIPE, stderr=self._stderr, text=True)
        self._lines = queue.Queue()
        threading.Thread(target=self._read_lines, daemon=True).start()
        self.ready_line = self._lines.get(timeout=START_SECONDS)
        if self.ready_line is None:
            raise AssertionError(f'{mode} did not start: {self.stderr()}')

    def _read_lines(self):
        for line in self.process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def stderr(self):
        self._stderr.seek(0)
        return self._stderr.read().decode()

    def cpu_ticks(self):
        fields = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text().rsplit(')', 1)[1]
        user, system = fields.split()[11:13]
        return int(user) + int(system)

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=RUN_SECONDS)

    def terminate(self):
        """Asks it to end and returns its exit code."""
        self.process.terminate()
        return self.process.wait(timeout=RUN_SECONDS)

    def close(self):
        if self.process.poll() is None:
            self.kill()
        self.process.stdout.close()
        self._stderr.close()


class Finished:
    """A command that has ended."""

    def __init__(self, code, stdout, stderr):
        self.code, self.stdout, self.stderr = code, stdout, stderr

    def __str__(self):
        return f'exit code {self.code}\n--- stdout\n{self.stdout}\n--- stderr\n{self.stderr}'


def run(*arguments, stdin='', timeout=RUN_SECONDS):
    process = subprocess.run([BINARY, *arguments], input=stdin, capture_output=True, text=True,
                             timeout=timeout)
    return Finished(process.returncode, process.stdout, process.stderr)


def finish(process):
    stdout, stderr = process.communicate(timeout=RUN_SECONDS)
    return Finished(process.returncode, stdout, stderr)


def counts(summary):
    """RPC name to the number of its measured successes, and the totals by their labels."""
    by_rpc = {name: int(n) for name, n in re.findall(r'^  (\w+): N: (\d+)', summary, re.M)}
    totals = {label: int(n) for label, n in
              re.findall(r'^  (Total samples|Failed samples|Warmup samples): (\d+)', summary, re.M)}
    return by_rpc, totals
