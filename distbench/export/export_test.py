"""`distbench export` through the program: each format against its golden file, and what the mode
says to wrong flags. testdata/README.md has the commands that made the golden files.
"""

import base64
import csv
import gzip
import io
import json
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import zlib

from distbench.export.exporting import BINARY, FAILED, OK, RESULTS, TESTDATA, USAGE, export

SCHEMA = pathlib.Path('protos/summary_json.proto')


def golden(name):
    return pathlib.Path(TESTDATA, name).read_bytes()


def files_below(folder):
    folder = pathlib.Path(folder)
    return {str(path.relative_to(folder)): path.read_text()
            for path in sorted(folder.rglob('*')) if path.is_file()}


class ExportTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def exported(self, format_name, *arguments, infile=RESULTS):
        finished = export(f'--infile={infile}', f'--format={format_name}', *arguments)
        self.assertEqual(finished.code, OK, finished)
        return finished.stdout

    def expect_refused(self, code, message, *arguments, stdin=b''):
        finished = export(*arguments, stdin=stdin)
        self.assertEqual(finished.code, code, finished)
        self.assertIn(message, finished.stderr)
        self.assertEqual(finished.stdout, b'')


class GoldenTest(ExportTest):
    def test_text(self):
        self.assertEqual(self.exported('text').decode(), golden('results.txt').decode())

    def test_json(self):
        # Doubles may be written in several ways; what they mean is compared.
        self.assertEqual(json.loads(self.exported('json')), json.loads(golden('results.json')))

    def test_csv(self):
        self.assertEqual(self.exported('csv'), golden('results.csv'))

    def test_time_series(self):
        self.assertEqual(self.exported('time_series'), golden('results.time_series.csv'))

    def test_trace(self):
        self.assertEqual(json.loads(self.exported('trace')),
                         json.loads(golden('results.trace.json')))

    def test_analysis(self):
        for name in ('default', 'homa', 'statistics', 'trace_context'):
            outfile = self.directory / name
            self.exported(f'analysis_{name}', f'--outfile={outfile}')
            self.assertEqual(files_below(outfile), files_below(f'{TESTDATA}/analysis_{name}'))

    def test_analysis_flags(self):
        outfile = self.directory / 'tree'
        self.exported('analysis_default', f'--outfile={outfile}', '--supress_header',
                      '--consider_warmups')
        self.assertEqual((outfile / 'shop/client/summary.txt').read_text(),
                         '16 900000\n16 500000\n64 600000\n16 400000\n')


class JsonTest(ExportTest):
    def test_every_field_of_the_schema_is_written_where_it_is_known(self):
        fields = set(re.findall(r'^  (?:optional|repeated|map<.*>) ?\w* ?\b(\w+) = \d+;',
                                SCHEMA.read_text(), re.M))
        written = set()

        def collect(value):
            if isinstance(value, dict):
                written.update(value)
                for element in value.values():
                    collect(element)
            elif isinstance(value, list):
                for element in value:
                    collect(element)

        collect(json.loads(self.exported('json')))
        self.assertGreater(len(fields), 50)
        self.assertEqual(fields - written, set())

    def test_schema_is_named(self):
        self.assertEqual(json.loads(self.exported('json'))['schema'], 'distbench-summary/1')


class CsvTest(ExportTest):
    def test_another_reader_finds_the_fields(self):
        text = self.exported('csv').decode()
        rows = list(csv.DictReader(io.StringIO(text, newline=''), strict=True))
        self.assertEqual(len(rows), 8)
        failed = [row for row in rows if row['failed'] == '1']
        self.assertEqual([row['error'] for row in failed], ['said "no",\nthen left'])

    def test_missing_samples_are_told(self):
        finished = export(f'--infile={RESULTS}', '--format=csv')
        self.assertIn('no sample of 4 finished RPCs', finished.stderr)


class TimeSeriesTest(ExportTest):
    def test_another_reader_finds_the_fields(self):
        text = self.exported('time_series').decode()
        rows = list(csv.DictReader(io.StringIO(text, newline=''), strict=True))
        self.assertEqual([(row['time_s'], row['successes'], row['failures']) for row in rows],
                         [('0', '0', '2'), ('1', '1', '0'), ('3', '2', '0')])

    def test_rpcs_without_a_time_are_told(self):
        finished = export(f'--infile={RESULTS}', '--format=time_series')
        self.assertIn('do not tell when 7 finished RPCs ended', finished.stderr)


class HdrTest(ExportTest):
    def test_log_holds_compressed_v2_histograms(self):
        lines = self.exported('hdr').decode().splitlines()
        self.assertIn('#[BaseTime: 1700000000.001 (seconds since epoch)]', lines)
        data = [line.split(',') for line in lines if line.startswith('Tag=')]
        self.assertEqual([fields[:4] for fields in data],
                         [['Tag=shop/query', '0.000', '0.001', '0.600'],
                          ['Tag=shop/lookup', '0.000', '0.000', '0.300'],
                          ['Tag=test2/ask', '0.999', '2.000', '0.000']])
        compressed = base64.b64decode(data[2][4], validate=True)
        cookie, size = struct.unpack('>II', compressed[:8])
        self.assertEqual((cookie, size), (0x1c849314, len(compressed) - 8))
        encoded = zlib.decompress(compressed[8:])
        # 100 zeros, one, 99 zeros, one, 99 zeros, one.
        self.assertEqual(encoded[40:].hex(), 'c701' '02' 'c501' '02' 'c501' '02')


class FilesTest(ExportTest):
    def test_compressed_and_binary_results_give_the_same(self):
        text = pathlib.Path(RESULTS).read_bytes()
        compressed = self.directory / 'results'
        compressed.write_bytes(gzip.compress(text))
        self.assertEqual(self.exported('csv', infile=compressed), golden('results.csv'))
        finished = export('--infile=-', '--format=csv', stdin=text)
        self.assertEqual(finished.stdout, golden('results.csv'))

    def test_results_of_a_run_give_the_summary_that_it_printed(self):
        config = '''tests {
          services { name: "client" count: 1 }
          services { name: "server" count: 1 }
          rpc_descriptions { name: "ask" client: "client" server: "server" }
          action_lists { name: "client" action_names: "run" }
          actions { name: "run" rpc_name: "ask" iterations { max_iteration_count: 50 } }
          action_lists { name: "ask" }
        }'''
        outfile = self.directory / 'results'
        run = subprocess.run([BINARY, 'test_preview', f'--outfile={outfile}', '--binary_output'],
                             input=config.encode(), capture_output=True, timeout=60)
        self.assertEqual(run.returncode, OK, run.stderr)
        self.assertEqual(self.exported('text', infile=outfile), run.stdout)
        test = json.loads(self.exported('json', infile=outfile))['tests'][0]
        self.assertEqual(test['rpcs'][0]['counts']['measured_successes'], 50)
        self.assertEqual(test['status'], {'code': 'OK'})
        self.assertIn('version', test['nodes'][0]['provenance'])
        rows = list(csv.DictReader(io.StringIO(self.exported('csv', infile=outfile).decode())))
        self.assertEqual(len(rows), 50)
        series = list(csv.DictReader(
            io.StringIO(self.exported('time_series', infile=outfile).decode())))
        self.assertEqual(sum(int(row['successes']) for row in series), 50)
        self.assertEqual(sum(row['measured_successes'] for row in test['time_series']), 50)

    def test_outfile_appears_when_it_is_complete(self):
        outfile = self.directory / 'out.csv'
        outfile.write_text('former')
        self.assertEqual(self.exported('csv', f'--outfile={outfile}'), b'')
        self.assertEqual(outfile.read_bytes(), golden('results.csv'))
        self.assertEqual(list(self.directory.iterdir()), [outfile])

    def test_former_file_stays_if_the_export_fails(self):
        outfile = self.directory / 'out.json'
        outfile.write_text('former')
        config = b'test_results { log_summary: "a line" }'
        self.expect_refused(FAILED, 'set tracing_interval: N', '--infile=-', '--format=trace',
                            f'--outfile={outfile}', stdin=config)
        self.assertEqual(outfile.read_text(), 'former')

    def test_input_is_not_overwritten(self):
        results = self.directory / 'results'
        results.write_bytes(pathlib.Path(RESULTS).read_bytes())
        link = self.directory / 'link'
        link.symlink_to(results)
        self.expect_refused(USAGE, 'is the file that --infile names', f'--infile={results}',
                            f'--outfile={link}')

    def test_folder_with_something_in_it_is_not_touched(self):
        (self.directory / 'mine').write_text('precious')
        self.expect_refused(FAILED, 'name a new or empty folder', f'--infile={RESULTS}',
                            '--format=analysis_homa', f'--outfile={self.directory}')
        self.assertEqual(files_below(self.directory), {'mine': 'precious'})

    def test_full_disk_is_told(self):
        self.expect_refused(FAILED, '/dev/full: No space left on device', f'--infile={RESULTS}',
                            '--format=json', '--outfile=/dev/full')


class WrongFlagsTest(ExportTest):
    def test_each_says_what_to_do(self):
        infile = f'--infile={RESULTS}'
        self.expect_refused(USAGE, '--infile=FILE is required')
        self.expect_refused(USAGE, "--format=jsn: unknown format (did you mean 'json'?)", infile,
                            '--format=jsn')
        self.expect_refused(USAGE, 'writes a folder; name it with --outfile=FOLDER', infile,
                            '--format=analysis_homa')
        self.expect_refused(USAGE, '--consider_warmups is for the analysis formats only', infile,
                            '--consider_warmups')
        self.expect_refused(USAGE, '--supress_header is for the analysis formats only', infile,
                            '--format=csv', '--supress_header')
        self.expect_refused(USAGE, "unexpected word 'results.pb'", 'results.pb')

    def test_input_that_is_no_result_is_named(self):
        self.expect_refused(FAILED, 'cannot read no/such/file: No such file',
                            '--infile=no/such/file')
        self.expect_refused(FAILED, 'standard input cannot be used as results: it is empty',
                            '--infile=-')

    def test_help_lists_the_formats(self):
        finished = export('--help')
        self.assertEqual(finished.code, OK, finished)
        for name in (b'text', b'json', b'csv', b'hdr', b'time_series', b'trace',
                     b'analysis_trace_context'):
            self.assertIn(name, finished.stdout)


if __name__ == '__main__':
    unittest.main()
