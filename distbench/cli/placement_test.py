"""The example of docs/placement.md does what the page says."""

import pathlib
import re
import tempfile
import unittest

from distbench.cli.daemons import Daemon, run

OK, FAILED = range(2)


def blocks():
    """The page's code blocks by their kinds."""
    page = pathlib.Path('docs/placement.md').read_text()
    return dict(re.findall(r'^```(\w+)\n(.*?)^```$', page, re.M | re.S))


def placement(results):
    """Instance and alias of its node, a line each, from results as text."""
    places = re.findall(
        r'service_endpoints \{\s+key: "([^"]+)".*?name: "node_alias"\s+value: "([^"]+)"', results,
        re.S)
    return ''.join(f'{instance} {node}\n' for instance, node in sorted(set(places)))


class PlacementPageTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.blocks = blocks()
        self.config = self.directory / 'stores.textproto'
        self.config.write_text(self.blocks['textproto'])
        self.sequencer = self.daemon('test_sequencer', '--data_bind=127.0.0.1')
        self.address = self.sequencer.ready_line.split()[-1]
        for words in self.blocks['nodes'].splitlines():
            self.daemon('node_manager', f'--test_sequencer={self.address}', '--data_bind=127.0.0.1',
                        *words.split())

    def daemon(self, mode, *arguments):
        daemon = Daemon(mode, '--port=0', '--control_bind=127.0.0.1', *arguments)
        self.addCleanup(daemon.close)
        return daemon

    def run_tests(self, *arguments):
        outfile = self.directory / 'results.textproto'
        finished = run('run_tests', f'--test_sequencer={self.address}', f'--infile={self.config}',
                       f'--outfile={outfile}', *arguments)
        return finished, outfile.read_text() if outfile.exists() else ''

    def test_instances_are_where_the_page_says(self):
        finished, results = self.run_tests()
        self.assertEqual(finished.code, OK, finished)
        self.assertEqual(placement(results), self.blocks['placement'])

    def test_error_is_the_one_that_the_page_shows(self):
        finished, _ = self.run_tests('--set=tests.services[store].count=3')
        self.assertEqual(finished.code, FAILED, finished)
        self.assertIn(self.blocks['error'].strip(), finished.stderr)


if __name__ == '__main__':
    unittest.main()
