"""The contract of a suite's validation: what `herobench validate --suite NAME` needs to know of it.

A `SuiteMaker` whose tasks carry certificates has a function `certificates`, which returns `Certificates`. It says how
to read a tasks file, and how to prove the certificate of one task. The command spreads the proofs over processes.

    class Sums:
        @staticmethod
        def certificates() -> Certificates: ...
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench import plugins
from herobench.checked_suite import suite_errors
from herobench.errors import UsageError
from herobench.pool import in_processes

_WORTH_A_PROCESS = 20
"""The number of tasks for each process that pays for its start."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """How a suite proves the certificates of its tasks."""

    read: Callable[[Path], Mapping[str, Any]]
    """Returns the tasks of a file by id, as anything that can be pickled. Raises InputError for a bad file."""
    prove: Callable[[Any], list[str]]
    """Returns a sentence for each claim of a task's certificate that does not hold. It has to be a function of a
    module, since other processes call it."""


def problems_in(suite: str, tasks: Path, jobs: int = 1) -> Generator[tuple[str, list[str]]]:
    """Yield the id of each task of a file, and what is wrong with it, in order. Up to `jobs` processes prove.

    Raise UsageError for a suite without proofs. Close the generator if you do not use it up.
    """
    make = getattr(plugins.load(plugins.SUITES, suite), "certificates", None)
    if make is None:
        raise UsageError(f"The suite {suite} has no certificates to prove again.")
    with suite_errors(f"The suite {suite} failed in certificates"):
        certificates: Certificates = make()
        found = certificates.read(tasks)
        if jobs == 1 or len(found) < jobs * _WORTH_A_PROCESS:
            yield from ((id, certificates.prove(task)) for id, task in found.items())
            return
        with closing(in_processes(certificates.prove, found.values(), jobs)) as proofs:
            yield from zip(found, proofs, strict=True)
