"""Rows that are made of input lines, one of each, in the order of the lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from herobench.cluster.parts import FileRange, rows_of
from herobench.cluster.shard import Shard
from herobench.data.rows import RowLine
from herobench.work.rows import Row, RowCheck, RowWork


@dataclass(frozen=True, slots=True)
class EachLine:
    """Makes a row of each line of a shard that is good and no repeat."""

    rows: RowCheck
    made: Callable[[RowLine, Any], Mapping[str, Any]]
    """Makes the row of a line, and puts the facts of it into those of the shard."""
    close: Callable[[], None]
    """Releases processes."""

    def of(self, shard: Shard, facts: Any) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of a shard."""
        assert isinstance(shard.given, FileRange)
        for number, line in rows_of(shard.given, self.rows.schema):
            if number not in shard.without and not line.problems and isinstance(self.rows.check(line), str):
                yield self.made(line, facts)


def each_line_of(work: RowWork, note: Callable[[Any, Row], None]) -> EachLine:
    """Open a work in this process. `note` gets the facts of the shard and each row, and adds the row to the facts."""
    maker = work.opened()

    def made(line: RowLine, facts: Any) -> Row:
        row = maker.made(line.row)
        note(facts, row)
        return row

    return EachLine(work.given, made, maker.close)
