"""The contract of a suite's validation: what `herobench validate --suite NAME` needs to know of it.

A `SuiteMaker` whose tasks carry certificates has a function `certificates`. It reads a tasks file and yields, for each
task, its id and a sentence for each claim of its certificate that does not hold.

    class Sums:
        @staticmethod
        def certificates(tasks: Path) -> Iterator[tuple[str, list[str]]]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from herobench import plugins
from herobench.checked_suite import suite_errors
from herobench.errors import UsageError

Certificates = Callable[[Path], Iterator[tuple[str, list[str]]]]


def problems_in(suite: str, tasks: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the id of each task of a file, and what is wrong with it. Raise UsageError for a suite without proofs."""
    prove = getattr(plugins.load(plugins.SUITES, suite), "certificates", None)
    if prove is None:
        raise UsageError(f"The suite {suite} has no certificates to prove again.")
    with suite_errors(f"The suite {suite} failed in certificates"):
        yield from cast("Certificates", prove)(tasks)
