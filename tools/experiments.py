#!/usr/bin/env python3
"""The experiments of workloads/README.md: runs the commands that it shows, and tells whether what
they measure has the shape that it speaks of; `tools/ci experiments` runs them.

Usage: tools/experiments.py DISTBENCH_BINARY TEST_BUILDER_BINARY [WORDS OF A TITLE ...]

Prints the table of each experiment and a line per check, and ends with "N passed, N failed". Takes
some five minutes; leave the machine alone meanwhile. One experiment makes a network namespace,
which needs root.
"""

import pathlib
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP))

from checks import Checks  # noqa: E402  (needs the path)
from distbench.cli import daemons  # noqa: E402
import experiment_clusters  # noqa: E402
import experiment_runs  # noqa: E402

GREATEST_CPU_PERCENT = 50
NODES = 52  # no command needs more: 50 nodes and a server

checks = Checks()
check = checks.check


def table(heads, rows):
    for row in [heads, ['---'] * len(heads), *rows]:
        print('| ' + ' | '.join(row) + ' |')


def grouped(number):
    """1234567 as 1 234 567."""
    return f'{number:,.0f}'.replace(',', ' ')


def three_digits(number):
    return f'{number:.3g}' if number < 100 else grouped(number)


class Grid:
    """Results by two parameters."""

    def __init__(self, results, row, column):
        self._by_place = {(r.parameter(row), r.parameter(column)): r for r in results}
        self.rows = list(dict.fromkeys(r.parameter(row) for r in results))
        self.columns = list(dict.fromkeys(r.parameter(column) for r in results))

    def at(self, row, column):
        return self._by_place[row, column]

    def growth(self, column, figure):
        """The figure in the last row over that in the first."""
        return figure(self.at(self.rows[-1], column)) / figure(self.at(self.rows[0], column))


# --- The experiments

def one_way_messages(results):
    grid = Grid(results, 'parallel_queries', 'way')

    def messages(result):
        return result.served('bounce') / result.seconds()

    ratios = {row: messages(grid.at(row, 'one_way')) / messages(grid.at(row, 'two_way'))
              for row in grid.rows}
    table(['in flight', 'two-way, messages/s', 'one-way, messages/s', 'ratio'],
          [[row, grouped(messages(grid.at(row, 'two_way'))),
            grouped(messages(grid.at(row, 'one_way'))), three_digits(ratios[row])]
           for row in grid.rows])
    check(ratios['1'] >= 3, f'one-way messages are {ratios["1"]:.1f} times as many')
    lost = [r.name for r in results if r.served('bounce') != r.count('bounce')]
    check(not lost, f'as many were served as were sent {lost}')


def many_mirrors_and_one(results):
    grid = Grid(results, 'pair_count', 'mirrors')

    def cell(result):
        return f'{grouped(result.rate("bounce"))}, {three_digits(result.median_ms("bounce"))}'

    table(['P', 'own mirrors: RPCs/s, median ms', 'one mirror: RPCs/s, median ms'],
          [[row, cell(grid.at(row, 'own')), cell(grid.at(row, 'one'))] for row in grid.rows])
    own, one = (grid.growth(mirrors, lambda r: r.rate('bounce')) for mirrors in ('own', 'one'))
    pairs = int(grid.rows[-1])
    check(own >= 0.8 * pairs, f'{pairs} mirrors serve {own:.1f} times as much as one')
    check(one <= 1.1, f'{pairs} bouncers with one mirror get {one:.2f} times as much as one')


def placements(results):
    table(['placement', 'RPCs/s', 'median µs'],
          [[r.parameter('placement').replace('_', ' '), grouped(r.rate('bounce')),
            three_digits(1000 * r.median_ms('bounce'))] for r in results])
    same, _, other = (r.median_ms('bounce') for r in results)
    check(same < other, f'another host takes {other / same:.2f} times as long as the same process')


def serial_and_spawned(results):
    grid = Grid(results, 'node_count', 'serial_weight')

    def cell(result, rpc):
        return f'{three_digits(result.median_ms(rpc))}, {grouped(result.rate(rpc))}'

    table(['nodes', 'serial: median ms, commands/s', 'spawn: median ms, commands/s'],
          [[row, cell(grid.at(row, '1'), 'serial'), cell(grid.at(row, '0'), 'spawn')]
           for row in grid.rows])
    nodes = int(grid.rows[-1]) / int(grid.rows[0])
    serial = grid.growth('1', lambda r: r.median_ms('serial'))
    spawn = grid.growth('0', lambda r: r.median_ms('spawn'))
    more = f'{nodes:.0f} times the nodes'
    check(serial >= 0.8 * nodes, f'{more}: serial takes {serial:.2f} times as long')
    check(spawn <= 1.1, f'{more}: spawn takes {spawn:.2f} times as long')


def share_of_global_commands(results):
    grid = Grid(results, 'node_count', 'global_weight')
    none, least, most = grid.columns
    table(['nodes', 'remote commands/s: none global', f'{least} % global', f'{most} % global',
           f'median of a global one at {most} %, ms'],
          [[row, *[grouped(grid.at(row, share).rate('remote')) for share in grid.columns],
            three_digits(grid.at(row, most).median_ms('global'))] for row in grid.rows])

    def kept(row, share):
        return grid.at(row, share).rate('remote') / grid.at(row, none).rate('remote')

    few, many = grid.rows[0], grid.rows[-1]
    nodes = int(many) / int(few)
    straight = grid.growth(none, lambda r: r.rate('remote'))
    check(straight >= 0.9 * nodes,
          f'none global: {nodes:.0f} times the nodes give {straight:.2f} times as many')
    check(kept(few, most) >= 0.95, f'{few} nodes: {most} % leave {kept(few, most):.2f} of them')
    check(kept(many, most) <= 0.9, f'{many} nodes: {most} % leave {kept(many, most):.2f} of them')


def data_size(results):
    table(['bytes there and back', 'median ms', 'commands/s', 'MiB/s each way', 'CPU µs a command'],
          [[grouped(int(r.parameter('data_size'))), three_digits(r.median_ms('remote')),
            grouped(r.rate('remote')),
            three_digits(r.rate('remote') * int(r.parameter('data_size')) / 2**20),
            three_digits(1e6 * r.cpu_seconds() / r.count('remote'))] for r in results])
    small, large = results[0].median_ms('remote'), results[-1].median_ms('remote')
    check(small < large, f'the largest takes {large / small:.2f} times as long as the smallest')


def compute_time(results):
    def work_ms(result):
        return int(result.parameter('compute_us')) / 1000

    table(['work, ms', 'median ms', 'commands/s'],
          [[three_digits(work_ms(r)), three_digits(r.median_ms('remote')),
            grouped(r.rate('remote'))] for r in results])
    excess = [r.median_ms('remote') - work_ms(r) for r in results]
    check(min(excess) >= 0 and max(excess) <= 1,
          f'around the work are {min(excess):.2f} to {max(excess):.2f} ms')


EXPERIMENTS = {
    'One-way messages': one_way_messages,
    'P mirrors and one': many_mirrors_and_one,
    'Placements': placements,
    'A shared server process': serial_and_spawned,
    'A share of global commands': share_of_global_commands,
    'Data size': data_size,
    'Compute time': compute_time,
}
# Messages go as fast as they can.
WITHOUT_WORK = {'One-way messages', 'Placements'}


def perform(title, command_lines, sequencer, test_builder):
    print(f'\n### {title}\n')
    with tempfile.TemporaryDirectory() as folder:
        results = [result for line in command_lines
                   for result in experiment_runs.run(test_builder, sequencer, line, folder)]
        EXPERIMENTS[title](results)
        for result in results:
            problems = result.problems(100 if title in WITHOUT_WORK else GREATEST_CPU_PERCENT)
            if problems:
                check(False, f'{result.name}: {"; ".join(problems)}')
        check(results, f'{len(results)} tests ran; CPU at most '
                       f'{max(r.cpu_percent() for r in results)} %')


def main():
    daemons.BINARY, test_builder, *wanted = sys.argv[1:]
    by_title = experiment_runs.commands()
    check(list(by_title) == list(EXPERIMENTS),
          f'{experiment_runs.README.name} has these experiments: {", ".join(by_title)}')
    for title, lines in by_title.items():
        if not all(word in title for word in wanted):
            continue
        with (experiment_clusters.two_hosts() if title == 'Placements' else
              experiment_clusters.one_process(NODES)) as sequencer:
            perform(title, lines, sequencer, test_builder)
    return checks.conclude()


if __name__ == '__main__':
    sys.exit(main())
