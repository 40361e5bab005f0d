"""Dicts and sets: which values can be keys, and what it costs to find one and to walk a table.

A dict or set finds a key at the same cost however many it holds, as long as the keys have different hashes. A plan can
choose keys that collide (tuples of -1 and -2 do, since these two have one hash), and then a lookup compares the key
with all others. So a lookup is charged for the worst case: the number of keys times the weight of the one that is
looked up. A table also keeps its size when it is emptied, so that walking it is charged by the memory it takes.

A key's hash must not depend on an address, as the order of a set would then change from one process to the next: so
functions are no keys, and `none_hash` sees to None.
"""

from __future__ import annotations

from typing import Any, TypeVar

from herobench.sandbox.values import SETS, SIZED, Scale

_MOST_KEY = 2**61 - 1
"""Numbers from here on share their hashes with smaller ones, so a dict of them could be made slow."""
_PLAIN = frozenset({bool, type(None)})
_UNHASHABLE: frozenset[type] = frozenset({list, dict, set})
_COMPARED_PER_STEP = 13
"""Two to the power of this many compared weights cost one step: about 10 microseconds."""
_HASHED_PER_STEP = 4
"""Two to the power of this many parts of a key cost one step, besides what walking it costs."""
_TUPLE, _PART, _PART_OF_SET = 8, 16, 32
"""The weights of a tuple that is compared with another, and of each part of it; comparing a number or a text with one
of another hash weighs 1."""

Value = TypeVar("Value")


class Tables:
    """The keys and tables of one plan."""

    __slots__ = ("_scale",)

    def __init__(self, scale: Scale) -> None:
        self._scale = scale

    def key(self, value: Value) -> Value:
        """Return a value that is about to become a key of a dict or an element of a set. Raises TypeError if it
        cannot."""
        kind: type = type(value)
        if kind in _UNHASHABLE:
            raise TypeError(f"unhashable type: '{kind.__name__}'")
        self._weight(value)
        return value

    def lookup(self, holder: Any, key: Value) -> Value:
        """Return a key that is about to be looked up in a dict or set, and charge for the keys it may be compared
        with."""
        kind = type(key)
        # Python looks a set up in a set as if it were a frozenset.
        weight = self._collection(key) if kind is set and type(holder) in SETS else self._weight(key)
        self._compared(len(holder) * weight)
        return key

    def keys(self, values: Any, into: int = 0) -> Any:
        """Return values that are about to be put into a table that has some keys already, or looked up in it."""
        found = self._scale.all_of(values)
        if type(found) in SIZED:
            self._inserted(len(found), sum(map(self._weight, found)), into)
        return found

    def pairs(self, values: Any, into: int = 0) -> Any:
        """Return the pairs, or the dict, that are about to be put into a dict that has some keys already."""
        found = self._scale.all_of(values)
        if type(found) is dict:
            self._inserted(len(found), sum(map(self._weight, found)), into)
            return found
        if type(found) not in SIZED:
            return found
        pairs = [self._scale.all_of(pair) for pair in found]
        keys = [next(iter(pair)) for pair in pairs if type(pair) in SIZED and len(pair) == 2]
        self._inserted(len(keys), sum(map(self._weight, keys)), into)
        return pairs

    def copied(self, table: Any) -> None:
        """Charge for a table that may be copied: its keys are put into another, past each other where they collide."""
        self._compared(len(table) ** 2 >> 3)  # keys are passed, and not compared

    def set_of(self, values: list[Any]) -> set[Any]:
        """Make a set of values."""
        return set(self.keys(values))

    def dict_of(self, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
        """Make a dict of keys and values."""
        self._inserted(len(pairs), sum(self._weight(key) for key, _ in pairs), 0)
        return dict(pairs)

    def _inserted(self, count: int, weight: int, into: int) -> None:
        """Charge for putting so many keys into a table: each is compared with half of the others on average."""
        self._compared((into + count) * weight >> 1)

    def _compared(self, weight: int) -> None:
        steps = weight >> _COMPARED_PER_STEP
        if steps:
            self._scale.budget.tick(steps)

    def _weight(self, value: Any) -> int:
        """Return the weight of a key. Raises TypeError for what has no hash that is the same in every process; what has
        none at all is left to Python to refuse."""
        kind = type(value)
        if kind is str:
            if len(value) >> 10:
                self._scale.deep(value)
            return 1 + (len(value) >> 5)
        if kind is int or kind is float:
            if not -_MOST_KEY < value < _MOST_KEY:
                raise TypeError("a number so large, or none at all, cannot be a key in a plan")
            return 1
        if kind in _PLAIN or kind in _UNHASHABLE:
            return 1
        if kind is tuple or kind is frozenset:
            return self._collection(value)
        raise TypeError(f"a {kind.__name__} cannot be a key in a plan")

    def _collection(self, value: Any) -> int:
        self._scale.deep(value)
        self._scale.budget.tick(len(value) >> _HASHED_PER_STEP)
        part = _PART if type(value) is tuple else _PART_OF_SET
        return _TUPLE + sum(max(part, self._weight(each)) for each in value)
