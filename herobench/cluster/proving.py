"""The work of `herobench validate` on a cluster: rows of tasks become rows of faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from herobench.cluster.each_line import EachLine, each_line_of
from herobench.cluster.manifest import Manifest
from herobench.cluster.tables import Types, types_of
from herobench.work.rows import Row, RowWork


@dataclass(frozen=True, slots=True)
class Proving:
    """Proves certificates by the work of a suite, whose rows have `task_id` and `faults`."""

    each: RowWork

    @property
    def table(self) -> Types:
        """The columns of proofs."""
        return types_of(self.each.columns)

    def opened(self) -> EachLine:
        """Open what proves in this process."""
        return each_line_of(self.each, ProofFacts.add)

    def facts(self) -> ProofFacts:
        """Return the facts of no row yet."""
        return ProofFacts()


class ProofFacts:
    """Counts the tasks with faults, which the summary of `herobench validate` tells."""

    def __init__(self) -> None:
        self.wrong = 0

    def add(self, row: Row) -> None:
        """Take in a row."""
        self.wrong += bool(row["faults"])

    def as_row(self) -> dict[str, Any]:
        """Return the facts as plain data."""
        return {"wrong": self.wrong}


def faults_in(manifest: Manifest) -> dict[str, list[str]]:
    """Return the faults of the tasks that have some, by id and in order."""
    rows = manifest.rows(lambda written: written.facts["wrong"] > 0)
    return {row["task_id"]: row["faults"] for row in rows if row["faults"]}
