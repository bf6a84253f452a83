"""Which program the script test_builder runs, of programs that only tell their names."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = 'test_builder/test_builder'
# What the script itself calls, apart from programs that it looks for.
TOOLS = ['bash', 'dirname', 'readlink']

# What they are given has a space and a star, which a shell might take apart.
ARGUMENTS = ['-t', '1 2', '*']
PROGRAM_EXIT_CODE = 7


class ScriptTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name).resolve()
        self.path = self.root / 'path'
        self.path.mkdir()
        for tool in TOOLS:
            (self.path / tool).symlink_to(shutil.which(tool))

    def executable(self, path, body):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/usr/bin/env bash\n{body}\n')
        path.chmod(0o755)
        return path

    def program(self, path):
        return self.executable(path, f'printf "%s\\n" "$0" "$@"; exit {PROGRAM_EXIT_CODE}')

    def script(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SCRIPT, path)
        return path

    def checkout(self):
        """The script in a checkout, where its program is, and a bazel that builds that."""
        root = self.root / 'checkout'
        script = self.script(root / 'test_builder/test_builder')
        for name in 'WORKSPACE', 'test_builder/main.cc':
            (root / name).touch()
        built = root / 'bazel-bin/test_builder/builder'
        source = self.program(self.root / 'source')
        bazel = self.executable(self.root / 'stub/bazel', f'''
[[ "$*" == *//test_builder:builder && -f WORKSPACE ]] || exit 1
echo "said by $0 $1"
{shutil.which('mkdir')} -p bazel-bin/test_builder
{shutil.which('cp')} {source} {built}''')
        return script, built, bazel

    def run_script(self, script, **environment):
        return subprocess.run([script, *ARGUMENTS], capture_output=True, text=True, check=False,
                              cwd=self.root, env={'PATH': str(self.path), **environment})

    def expect_runs(self, program, finished):
        self.assertEqual(finished.stdout.split('\n')[1:], [*ARGUMENTS, ''], finished)
        self.assertTrue(os.path.samefile(finished.stdout.split('\n')[0], program), finished)
        self.assertEqual(finished.returncode, PROGRAM_EXIT_CODE, finished)

    def test_the_program_that_is_named_comes_first(self):
        script, built, bazel = self.checkout()
        self.program(built)
        named = self.program(self.root / 'elsewhere/program')
        finished = self.run_script(script, TEST_BUILDER_BINARY=str(named), BAZEL=str(bazel))
        self.expect_runs(named, finished)
        self.assertEqual(finished.stderr, '')

    def test_in_a_checkout_it_is_built(self):
        script, built, bazel = self.checkout()
        finished = self.run_script(script, BAZEL=f'{bazel} --batch')
        self.expect_runs(built, finished)
        # Standard output is the program's alone.
        self.assertEqual(finished.stderr, f'said by {bazel} --batch\n')

    def test_bazel_is_looked_for_on_the_path(self):
        script, built, bazel = self.checkout()
        (self.path / 'bazel').symlink_to(bazel)
        self.expect_runs(built, self.run_script(script))

    def test_what_cannot_be_built_is_not_run(self):
        script, built, _ = self.checkout()
        self.program(built)
        broken = self.executable(self.root / 'stub/broken', 'echo "syntax error" >&2; exit 3')
        finished = self.run_script(script, BAZEL=str(broken))
        self.assertEqual((finished.returncode, finished.stdout), (1, ''))
        self.assertEqual(finished.stderr, 'syntax error\n')

    def test_without_bazel_the_program_is_the_one_that_was_built_last(self):
        script, built, _ = self.checkout()
        self.program(built)
        finished = self.run_script(script)
        self.expect_runs(built, finished)
        self.assertIn('no bazel here; the program is the one that was built last', finished.stderr)

    def test_without_bazel_and_program_it_is_said_what_to_do(self):
        script, _, _ = self.checkout()
        finished = self.run_script(script, BAZEL='bazelisk')
        self.assertEqual((finished.returncode, finished.stdout), (1, ''))
        for words in 'no bazelisk here', 'BAZEL', 'TEST_BUILDER_BINARY':
            self.assertIn(words, finished.stderr)

    def test_where_it_is_installed(self):
        script = self.script(self.root / 'prefix/bin/test_builder')
        finished = self.run_script(script)
        self.assertEqual((finished.returncode, finished.stdout), (1, ''))
        self.assertIn('install distbench_test_builder on PATH', finished.stderr)
        # Each of these comes before those that were there first.
        for place in [self.path / 'distbench_test_builder',
                      self.root / 'prefix/bin/distbench_test_builder',
                      self.root / 'prefix/libexec/distbench/test_builder']:
            program = self.program(place)
            self.expect_runs(program, self.run_script(script))

    def test_a_program_that_is_named_and_is_none_is_told(self):
        script, _, _ = self.checkout()
        finished = self.run_script(script, TEST_BUILDER_BINARY='/nope')
        self.assertEqual((finished.returncode, finished.stdout), (1, ''))
        self.assertIn('TEST_BUILDER_BINARY=/nope is no program', finished.stderr)

    def test_a_link_to_it_is_as_good(self):
        program = self.program(self.root / 'prefix/libexec/distbench/test_builder')
        link = self.root / 'link'
        link.symlink_to(self.script(self.root / 'prefix/bin/test_builder'))
        self.expect_runs(program, self.run_script(link))


if __name__ == '__main__':
    unittest.main()
