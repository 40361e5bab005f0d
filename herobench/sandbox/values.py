"""The values a plan can have, and their weight.

Only exact builtin types: plain scalars, collections, functions. Some operations of C code walk whole trees (comparing,
hashing, showing), and a tree can be exponentially larger than it looks, or deeper than C's stack. So each guard that
starts such an operation weighs its operands first.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from operator import is_not
from typing import Any, TypeVar

from herobench.sandbox.budget import MOST_VALUES, Budget

SCALARS = frozenset({int, float, bool, str, type(None), complex, type(...)})
COLLECTIONS = frozenset({list, tuple, set, frozenset, dict})
VIEWS = frozenset({type({}.keys()), type({}.values()), type({}.items())})
_ITERATORS: tuple[Any, ...] = (
    (_ for _ in ()), map(str, ()), filter(None, ()), zip(), enumerate(()), reversed([]), reversed(()),
    reversed(range(0)), reversed(range(2**65)), reversed({}), reversed({}.values()), reversed({}.items()), reversed(""),
)  # fmt: skip
_ROWS = frozenset({list, tuple})
LAZY = frozenset(map(type, _ITERATORS))
"""Iterators: one value at a time, how many there will be is not known."""

SETS = frozenset({set, frozenset})
TABLES = SETS | {dict}
_PAIRS: frozenset[type] = frozenset({type({}.items())})
_PAIRS_PER_STEP = 2
"""Two to the power of this many pairs of a dict cost one step: each is made when it is asked for."""
SIZED = COLLECTIONS | VIEWS | {str, range}
_BYTES_PER_STEP = 17
"""Two to the power of this many bytes of a dict or set cost one step when it is walked, besides what it holds."""
_LOOKUPS_PER_STEP = 13
_SMALL = 16
"""Comparing sets and dicts of up to so many keys costs no more than walking them."""
_SEARCHED_PER_STEP = 15
"""Two to the power of this many comparisons of characters cost one step."""
_SORTED_PER_STEP = 7
"""Two to the power of this many comparisons of a sort cost one step."""
_UNPACKED_PER_STEP = 5
"""Two to the power of this many values that are unpacked cost one step."""
MOST_DEPTH = 60
MOST_BITS = 512

STAR = "*"
Shape = tuple["Shape | str | None", ...]
"""The shape of a target that takes as much as it is given: what each of its parts is. A part is a shape of its own, a
star, or None where it takes one value. A slice is a shape without parts."""

Value = TypeVar("Value")


class Scale:
    """Weighs values on a plan's budget."""

    __slots__ = ("budget",)

    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def deep(self, value: Value) -> Value:
        """Return a value whose whole tree is about to be walked, and charge for it."""
        self.weigh(value)
        return value

    def weigh(self, value: object) -> int:
        """Charge for the whole tree of a value, each part as often as it is reached; return how many parts."""
        kind = type(value)
        if kind is str:
            self.budget.charge(len(value))  # type: ignore[arg-type]
            return len(value)  # type: ignore[arg-type]
        return 0 if kind in SCALARS else self._walk(value)

    def _walk(self, value: object) -> int:
        seen = 0
        level: list[Any] = [value]
        for _ in range(MOST_DEPTH):
            below: list[Any] = []
            for part in level:
                kind = type(part)
                if kind in COLLECTIONS or kind in VIEWS:
                    seen += len(part)
                    if seen > MOST_VALUES:
                        break
                    if kind not in _ROWS:
                        self.walk(part)
                        self._match(part)
                    below.extend(part)
                    if kind is dict:
                        below.extend(part.values())
                elif kind is str:
                    seen += len(part) >> 3
                elif isinstance(part, BaseException):
                    seen += len(part.args)
                    below.extend(part.args)
            if seen > MOST_VALUES or not below:
                self.budget.charge(seen)
                return seen
            level = below
        return self.budget.too_much(f"the plan's values are nested more than {MOST_DEPTH} deep")

    def walk(self, values: Value, levels: int = 1) -> Value:
        """Return values that are about to be iterated over, or unpacked so many levels deep. A dict or set that was
        emptied keeps its table, and all of it is walked; the charge is zero for tables of ordinary size. An iterator in
        which there is more to unpack is run to its end first."""
        kind: type = type(values)
        if kind in TABLES or kind in VIEWS:
            table = gc.get_referents(values)[0] if kind in VIEWS else values
            steps = sys.getsizeof(table) >> _BYTES_PER_STEP
            if steps:
                self.budget.tick(steps)
        if levels > 1 and kind in LAZY:
            values = self._drained(values)  # type: ignore[arg-type, assignment]
        if levels > 1 and (kind in COLLECTIONS or kind in VIEWS or kind in LAZY):
            self.budget.tick(len(values) >> _UNPACKED_PER_STEP)  # type: ignore[arg-type]
            for part in values:  # type: ignore[attr-defined]
                self.walk(part, levels - 1)
        return values

    def _match(self, table: Any) -> None:
        """Charge for the lookups of a comparison: each key of a table may be compared with all keys of another."""
        if len(table) > _SMALL:
            weight = sum(1 if type(key) in SCALARS else 8 + 32 * _length(key) for key in table)
            self.budget.tick(len(table) * weight >> _LOOKUPS_PER_STEP)

    def sort(self, values: list[Any], key: Callable[[Any], Any] | None, reverse: object) -> None:
        """Sort a list in place. Each value takes part in some log n comparisons, and each may walk all of it."""
        times = len(values).bit_length()
        if key is None:
            self.budget.tick(self.weigh(values) * times >> _SORTED_PER_STEP)
        values.sort(key=self.weighing(key, times), reverse=bool(reverse))

    def search(self, text: str, part: str) -> None:
        """Charge for looking for a text in another: where they are made for it, each is compared at each place."""
        self.budget.tick(len(text) * len(part) >> _SEARCHED_PER_STEP)

    def whole(self, value: int) -> int:
        """A whole number, if it is not too long."""
        if value.bit_length() > MOST_BITS:
            self.budget.too_much(f"the plan computes a number of more than {MOST_BITS} bits")
        return value

    def source(self, values: Any) -> Any:
        """Something to iterate over lazily. An iterator is run to its end first, so that iterators never stack up."""
        return self.all_of(values) if type(values) in LAZY else self.walk(values)

    def all_of(self, values: Any) -> Any:
        """Something of known and bounded size to iterate over: the values themselves, or an iterator's as a list."""
        if type(values) in LAZY:
            return self._drained(values)
        if type(values) in SIZED:
            self.budget.charge(len(values))
            self.walk(values)
            if type(values) in _PAIRS:
                self.budget.tick(len(values) >> _PAIRS_PER_STEP)
        return values

    def unpacked(self, values: Any, shape: Shape) -> Any:
        """Return values that a target of this shape is about to take apart, each part of known and bounded size that
        is taken as a whole. The values stay what they are, as long as there is no iterator among those parts."""
        found = self.all_of(values)
        if type(found) not in SIZED:
            return found
        parts: list[Any] | None = None
        for place, inner in enumerate(shape):
            index = place - len(shape) if STAR in shape[:place] else place
            if isinstance(inner, tuple) and -len(found) <= index < len(found):
                parts = list(found) if parts is None else parts
                parts[index] = self.unpacked(parts[index], inner)
        changed = parts is not None and any(map(is_not, parts, found))
        return parts if changed else found

    def each_of(self, values: Any, shape: Shape) -> Iterator[Any]:
        """Values to iterate over, each of which a target of this shape takes apart."""
        return map(self.unpacked, values, repeat(shape))

    def each_walked(self, values: Any, levels: int) -> Iterator[Any]:
        """Values to iterate over, of which each is about to be unpacked, so many levels deep."""
        return map(self.walk, values, repeat(levels))

    def paced(self, values: Any) -> Iterator[Any]:
        """Values one by one, each for a step: whoever takes them may stop early."""
        for value in self.walk(values):
            self.budget.tick()
            yield value

    def weighing(self, key: Callable[[Any], Any] | None, times: int = 0) -> Callable[[Any], Any] | None:
        """Return a key function that charges for its results: each is about to be compared so many times."""
        if key is None:
            return None

        def weighed(value: Any) -> Any:
            result = key(value)
            self.budget.tick(1 + (self.weigh(result) * times >> _SORTED_PER_STEP))
            return result

        return weighed

    def sized(self, value: Value) -> Value:
        """The value as it stands, paid for by its size: part of it is about to be copied or moved."""
        kind: type = type(value)
        if kind is str or kind in COLLECTIONS:
            self.budget.charge(len(value))  # type: ignore[arg-type]
            self.walk(value)
        return value

    def _drained(self, values: Iterable[Any]) -> list[Any]:
        drained: list[Any] = []
        tick: Callable[[], bool] = self.budget.tick
        for value in values:
            tick()
            drained.append(value)
            if len(drained) > MOST_VALUES:
                self.budget.charge(len(drained))
        return drained


def _length(key: Any) -> int:
    """How many values a key holds."""
    return len(key) if type(key) in COLLECTIONS else 1
