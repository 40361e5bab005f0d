"""Plant each fault in a copy of the tree, and see whether the tests find it.

    python -m tests.faults [NAME...]          the tests that `make test` runs
    python -m tests.faults --all [NAME...]    all tests

Names are those of the faults, or of their rooms in `faults.toml` (`rpg`, `runs`, ...). The tests nearest to a fault run
first, and the rest only where those find nothing. The exit code is 1 where a fault was not found.
"""

from __future__ import annotations

import argparse
import os
import py_compile
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults.fault import SOURCES, Fault, Sources, read_faults
from tests.without_suite import copy_without

DEFAULT = "not (slow or kills or browser or conformance or packaging or proves)"
"""The tests that `make test` runs."""
OPTIONS = ("-x", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", "--ignore=tests/faults")
FAILED = (1, 2)
"""The exit codes of pytest where tests fail, or modules of tests cannot be loaded."""
NOTHING_TO_RUN = 5
"""The exit code of pytest where all tests are deselected."""
MOST_SECONDS = 600
"""The time that the tests nearest to a fault may take: a fault can make a test run for ever."""


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--all", action="store_true", help="run all tests, not only those of `make test`")
    options.add_argument("--near", action="store_true", help="run the nearest tests only")
    options.add_argument("names", nargs="*")
    given = options.parse_args()
    chosen = [fault for fault in read_faults() if not given.names or {fault.name, fault.room} & set(given.names)]
    if not chosen:
        options.error("there is no fault of that name")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # so that what is started heeds it, however this was
    os.environ.pop("PYTHONPATH", None)  # it could put the original tree before the copy
    found = 0
    with TemporaryDirectory(prefix="faults-") as folder:
        tree = Copy(Path(folder))
        tree.check()
        for fault in chosen:
            by = tree.found_by(fault, everything=given.all, near_only=given.near)
            found += by is not None
            print(f"{fault.name:24} {f'found: {by}' if by else 'NOT FOUND'}", flush=True)
    print(f"{found} of {len(chosen)} faults were found")
    return int(found < len(chosen))


class Copy:
    """A copy of the tree with an environment of its own: whatever is started in it imports the copy."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        self.python = copy_without([], self.root)
        self._compile()
        self.sources = Sources(self.root)

    def _compile(self) -> None:
        """Compile all, to be checked by content: a fault may come and go within the second that a time stamp holds."""
        mode = py_compile.PycInvalidationMode.CHECKED_HASH
        for room in (*SOURCES, "tests"):
            for path in (self.root / room).rglob("*.py"):
                py_compile.compile(str(path), invalidation_mode=mode, quiet=1)

    def check(self) -> None:
        """Make sure that it is the copy that is imported."""
        code = "import herobench.task_gen; print(herobench.task_gen.__file__)"
        done = subprocess.run([self.python, "-c", code], capture_output=True, text=True, check=True, cwd="/")
        assert Path(done.stdout.strip()).is_relative_to(self.root), done.stdout

    def found_by(self, fault: Fault, *, everything: bool, near_only: bool) -> str | None:
        """The first test that fails with the fault; None where none does."""
        path, wrong = fault.planted(self.sources)
        path.write_text(wrong, "utf-8")
        marks = [] if everything else ["-m", DEFAULT]
        try:
            for place in fault.nearest(self.root / "tests", path.relative_to(self.root)):
                if by := self._failing([str(place), *marks, "-n", "0"], MOST_SECONDS):
                    return by
            return None if near_only else self._failing([*marks, "-n", "auto", "--dist", "worksteal"])
        finally:
            path.write_text(self.sources.texts[path], "utf-8")

    def _failing(self, options: Sequence[str], seconds: float | None = None) -> str | None:
        """Run pytest, and return the first test that fails; None where all pass, or none is to run."""
        command: list[str | Path] = [self.python, "-m", "pytest", *OPTIONS, *options]
        try:
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.root, timeout=seconds)
        except subprocess.TimeoutExpired:
            return "a test that runs for ever"
        if done.returncode in (0, NOTHING_TO_RUN):
            return None
        lines = done.stdout.splitlines()
        failed = [line.split(" - ")[0] for line in lines if line.startswith(("FAILED ", "ERROR "))]
        if done.returncode not in FAILED or not failed:
            raise RuntimeError(f"pytest ended with {done.returncode}: {done.stdout[-4000:]}{done.stderr[-4000:]}")
        return failed[0].split(" ", 1)[1]


if __name__ == "__main__":
    sys.exit(main())
