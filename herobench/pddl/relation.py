"""Sets of tuples that grow, with indexes that grow along: what the joins of the grounder look up.

An index answers one pattern. The pattern of `(on ?x c ?y)` with ?x known asks, for a value of ?x, which values ?y may
have. Constants, repeated variables and types are decided when a tuple is entered, so that a look-up decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from operator import itemgetter

Row = tuple[str, ...]
Key = str | Row

MOST_WORK = 5_000_000
"""The rows, entries of indexes and conditions that a grounding may look at, each weighed by its length."""


class TooMuchWork(Exception):
    """Raised before a grounding does more work than it may."""


class Work:
    """Counts the work of one grounding: time and memory grow with it."""

    def __init__(self, most: int = MOST_WORK) -> None:
        self._left = most

    def take(self, count: int) -> None:
        """Count work before it is done. Raise TooMuchWork if too little is left."""
        self._left -= count
        if self._left < 0:
            raise TooMuchWork


@dataclass(frozen=True, slots=True)
class Pattern:
    """The known and the new positions of a tuple, and further conditions on it."""

    known: tuple[int, ...]
    new: tuple[int, ...]
    same: tuple[tuple[int, int], ...] = ()
    """Pairs of positions that have to hold the same object."""
    fixed: tuple[tuple[int, str], ...] = ()
    """Positions that have to hold a constant."""
    among: tuple[tuple[int, frozenset[str]], ...] = ()
    """Positions that have to hold one of some objects."""

    def fits(self, row: Row) -> bool:
        """Return whether a tuple fulfils all that does not depend on the known values."""
        return (
            all(row[first] == row[second] for first, second in self.same)
            and all(row[place] == value for place, value in self.fixed)
            and all(row[place] in values for place, values in self.among)
        )


class Index:
    """The tuples of a relation that fit a pattern: for each key the rows of new values."""

    def __init__(self, pattern: Pattern) -> None:
        self.rows: dict[Key, list[Row]] = {}
        self.size = 0
        """At least the number of rows."""
        self._pattern = pattern
        self._key = getter(pattern.known)
        self._new = row_getter(pattern.new)
        self._plain = not (pattern.same or pattern.fixed or pattern.among)

    def enter(self, rows: Collection[Row]) -> None:
        """Take in tuples that are new."""
        self.size += len(rows)
        key, new, entries = self._key, self._new, self.rows
        for row in rows:
            if self._plain or self._pattern.fits(row):
                entries.setdefault(key(row), []).append(new(row))


class Relation:
    """The tuples for which a predicate is true so far. Each tuple is work again for each index."""

    def __init__(self, work: Work, rows: Iterable[Row] = ()) -> None:
        self.rows: dict[Row, None] = dict.fromkeys(rows)
        self._work = work
        self._indexes: dict[Pattern, Index] = {}

    def enter(self, rows: Iterable[Row]) -> list[Row]:
        """Take in tuples, and return those that are new."""
        new = [row for row in dict.fromkeys(rows) if row not in self.rows]
        self._work.take(len(new) * (1 + len(self._indexes)))
        self.rows.update(dict.fromkeys(new))
        for index in self._indexes.values():
            index.enter(new)
        return new

    def index(self, pattern: Pattern) -> Index:
        """Return the index for a pattern, which is kept up to date from now on."""
        found = self._indexes.get(pattern)
        if found is None:
            self._work.take(len(self.rows))
            found = self._indexes[pattern] = Index(pattern)
            found.enter(self.rows)
        return found


def getter(places: tuple[int, ...]) -> Callable[[Row], Key]:
    """Return a function that picks values out of a row: the value itself if it is only one."""
    return itemgetter(*places) if places else _nothing


def row_getter(places: tuple[int, ...]) -> Callable[[Row], Row]:
    """Return a function that picks values out of a row as a row."""
    if not places:
        return _nothing
    if places == tuple(range(places[0], places[-1] + 1)):
        return itemgetter(slice(places[0], places[-1] + 1))
    return itemgetter(*places)


def _nothing(_: Row) -> Row:
    return ()
