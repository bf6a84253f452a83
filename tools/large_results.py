#!/usr/bin/env python3
"""A test of 50 million RPCs whose samples are all kept; `tools/ci large` runs it.

Usage: tools/large_results.py DISTBENCH_BINARY [FOLDER]

Prints a line per check with what it measured, and ends with "N passed, N failed". Takes some three
minutes, and 2 GiB of disk below FOLDER (/var/tmp).
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP))

from checks import Checks  # noqa: E402  (needs the path)
from distbench.cli import daemons  # noqa: E402

RPCS = 50_000_000
MAX_PROCESS_MIB = 1024
MAX_SAMPLE_BYTES = 32
MAX_SUMMARY_SECONDS = 5
SECONDS = 600

checks = Checks()
check = checks.check


def config(limit=''):
    return f'''tests {{
      name: "large" default_protocol: "tcp"
      attributes {{ key: "test_timeout" value: "{SECONDS}" }}
      services {{ name: "client" count: 1 }}
      services {{ name: "server" count: 1 }}
      rpc_descriptions {{ name: "query" client: "client" server: "server" }}
      action_lists {{ name: "client" action_names: "run" {limit} }}
      actions {{ name: "run" rpc_name: "query"
                iterations {{ max_iteration_count_64: {RPCS} max_parallel_iterations: 100 }} }}
      action_lists {{ name: "query" }}
    }}'''


def peak_mib(daemon):
    status = pathlib.Path(f'/proc/{daemon.process.pid}/status').read_text()
    return int(re.search(r'^VmHWM:\s+(\d+)', status, re.M)[1]) / 1024


def run_tests(address, text, outfile):
    """Returns the summary, the wall time when it was complete, and how long all of it took."""
    infile = outfile.with_suffix('.textproto')
    infile.write_text(text)
    began = time.monotonic()
    process = subprocess.Popen(
        [daemons.BINARY, 'run_tests', f'--test_sequencer={address}', f'--infile={infile}',
         f'--outfile={outfile}', '--native_output'], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    lines, shown_at = [], None
    for line in process.stdout:
        lines.append(line)
        if line == '\n' and shown_at is None:
            shown_at = time.time()
    code = process.wait(timeout=SECONDS)
    check(code == 0, f'run_tests ends with {code} after {time.monotonic() - began:.0f} s')
    return ''.join(lines), shown_at


def export_json(outfile):
    finished = daemons.run('export', f'--infile={outfile}', '--format=json', timeout=SECONDS)
    return json.loads(finished.stdout)['tests'][0]


def last_end(test):
    text = test['rpcs'][0]['measured_success']['last_end']
    moment = datetime.datetime.strptime(text[:26] + 'Z', '%Y-%m-%dT%H:%M:%S.%fZ')
    return moment.replace(tzinfo=datetime.timezone.utc).timestamp()


def check_all_kept(address, node, sequencer, folder):
    outfile = folder / 'all'
    summary, shown_at = run_tests(address, config(), outfile)
    check(f'Total samples: {RPCS}' in summary, f'{RPCS} RPCs, all of them in the summary')
    check('left out' not in summary, 'no sample was left out')
    late = shown_at - last_end(export_json(outfile))
    check(late <= MAX_SUMMARY_SECONDS, f'the summary is there {late:.1f} s after the last RPC')
    each = outfile.stat().st_size / RPCS
    check(each <= MAX_SAMPLE_BYTES, f'the file has {each:.1f} bytes a sample')
    for name, daemon in (('node', node), ('sequencer', sequencer)):
        peak = peak_mib(daemon)
        check(peak < MAX_PROCESS_MIB, f'{name}: at most {peak:.0f} MiB')
    return summary


def check_limited(address, folder):
    outfile = folder / 'limited'
    summary, _ = run_tests(address, config('max_rpc_samples: 1000'), outfile)
    number = re.search(r'query: N: (\d+)', summary)[1]
    check(int(number) == RPCS, f'with max_rpc_samples 1000: N is {number}')
    rate = float(re.search(r'Total Nb RPCs: \d+ \((\d+\.\d+) kQPS\)', summary)[1])
    seconds = float(re.search(r'Total time: (\d+\.\d+)s', summary)[1])
    check(abs(rate * seconds * 1000 / RPCS - 1) < 0.001, f'and the rate, {rate} kQPS, is of all')
    rows = daemons.run('export', f'--infile={outfile}', '--format=csv', timeout=SECONDS)
    samples = rows.stdout.count('\n') - 1
    check(samples == 1000, f'and {samples} samples were kept')


def main():
    daemons.BINARY = sys.argv[1]
    parent = sys.argv[2] if len(sys.argv) > 2 else '/var/tmp'
    with tempfile.TemporaryDirectory(dir=parent) as name:
        folder = pathlib.Path(name)
        sequencer = daemons.Daemon('test_sequencer', '--port=0')
        address = sequencer.ready_line.split()[-1]
        nodes = [daemons.Daemon('node_manager', f'--test_sequencer={address}', '--port=0',
                                f'--sample_folder={folder}') for _ in range(2)]
        try:
            check_all_kept(address, nodes[0], sequencer, folder)
            check_limited(address, folder)
        finally:
            for daemon in [*nodes, sequencer]:
                daemon.close()
    return checks.conclude()


if __name__ == '__main__':
    os.environ.setdefault('TMPDIR', '/var/tmp')
    sys.exit(main())
