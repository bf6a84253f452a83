#!/usr/bin/env python3
"""Rules that every file of the tree keeps. Prints each breach as FILE:LINE: RULE; exit code 1.

Looks at what git knows or would add, so generated and ignored files do not count.
"""

import pathlib
import re
import subprocess
import sys

MAX_WIDTH = 100
MAX_LINES = 500
SOURCE_SUFFIXES = {'.cc', '.h', '.py', '.sh', '.bzl', '.proto', '.textproto'}
UNFINISHED = re.compile(r'\b(TO' + r'DO|FIX' + r'ME|X' + r'XX)\b')
# Paths of somebody's machine; those of the system are the same everywhere.
FOREIGN_PATH = re.compile(r'(?<![\w.$}/-])/(home|root|work|Users|mnt|workspace)/\w')


def tracked_files():
    listed = subprocess.run(
        ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
        check=True, capture_output=True, text=True).stdout
    return [p for p in map(pathlib.Path, filter(None, listed.split('\0'))) if p.is_file()]


def is_source(path):
    return (path.suffix in SOURCE_SUFFIXES or path.name == 'BUILD'
            or path.parts[0] in ('tools', '.ci'))


def guard_of(path):
    return re.sub(r'\W', '_', str(path)).upper() + '_'


def breaches_of_lines(path, lines):
    for number, line in enumerate(lines, 1):
        if is_source(path) and len(line) > MAX_WIDTH:
            yield number, f'{len(line)} characters wide, {MAX_WIDTH} allowed'
        if is_source(path) and line != line.rstrip():
            yield number, 'space at the end of the line'
        if is_source(path) and '\t' in line:
            yield number, 'tab'
        if UNFINISHED.search(line):
            yield number, 'unfinished'
        if FOREIGN_PATH.search(line):
            yield number, 'path of one machine'


def breaches(path, text):
    lines = text.split('\n')
    if not text.endswith('\n'):
        yield len(lines), 'no newline at the end'
    # A BUILD file is a list of its folder, as long as that is.
    if is_source(path) and path.name != 'BUILD' and len(lines) > MAX_LINES + 1:
        yield MAX_LINES, f'{len(lines) - 1} lines, {MAX_LINES} allowed'
    if path.suffix == '.h':
        guard = guard_of(path)
        if not (f'#ifndef {guard}\n#define {guard}\n' in text
                and lines[-2:] == [f'#endif  // {guard}', '']):
            yield 1, f'no include guard {guard}'
    if path.suffix in {'.cc', '.h'}:
        if path.suffix == '.h' and not text.startswith('//'):
            yield 1, 'a header opens with what it is about'
        if 'using namespace' in text:
            yield 1, 'using namespace'
    yield from breaches_of_lines(path, lines)


def main():
    found = 0
    for path in tracked_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if not text:
            continue
        for number, rule in breaches(path, text):
            print(f'{path}:{number}: {rule}')
            found += 1
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
