"""Checks that print a line each, "ok: ..." or "FAILED: ...", which tools/ci counts."""


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, what):
        self.passed += bool(holds)
        self.failed += not holds
        print(f'{"ok" if holds else "FAILED"}: {what}', flush=True)

    def conclude(self):
        """Says how many there were, and returns the exit code."""
        print(f'{self.passed} passed, {self.failed} failed')
        return 1 if self.failed else 0
