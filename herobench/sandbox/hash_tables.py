"""Dicts and sets: decide which values can be keys, and charge for lookups. Used by the guards of a plan.

A plan can choose keys whose hashes are equal (tuples of -1 and -2 are such). A lookup then compares a key with all
others, so it costs the number of keys times the weight of that key. The hash of a key must not depend on an address,
which differs between processes and would change the order of a set: functions are no keys, `none_hash` handles None.
"""

from __future__ import annotations

from typing import Any, TypeVar

from herobench.sandbox.values import SETS, SIZED, Scale

_MOST_KEY = 2**61 - 1
"""Larger numbers share their hashes with smaller ones, and a plan could use them to make a dict slow."""
_PLAIN = frozenset({bool, type(None)})
_UNHASHABLE: frozenset[type] = frozenset({list, dict, set})
_COMPARED_PER_STEP = 13
"""2 ** _COMPARED_PER_STEP weights that are compared cost one step: about 10 microseconds."""
_HASHED_PER_STEP = 4
"""2 ** _HASHED_PER_STEP parts of a key cost one step, on top of the charge for walking it."""
_TUPLE, _PART, _PART_OF_SET = 8, 16, 32
"""The weight of comparing two tuples, and of each part of a tuple or frozenset. To compare a number or a text with one
of another hash weighs 1."""

AnyKey = TypeVar("AnyKey")


class HashTables:
    """The guards for keys, dicts and sets of one plan."""

    __slots__ = ("_scale",)

    def __init__(self, scale: Scale) -> None:
        self._scale = scale

    def key(self, value: AnyKey) -> AnyKey:
        """Return a value that is about to become a key or an element of a set. Raises TypeError if it cannot."""
        kind: type = type(value)
        if kind in _UNHASHABLE:
            raise TypeError(f"unhashable type: '{kind.__name__}'")
        self._weight(value)
        return value

    def lookup(self, holder: Any, key: AnyKey) -> AnyKey:
        """Return a key that is about to be looked up, and charge for all keys that it may be compared with."""
        kind = type(key)
        # A set can be looked up in a set: Python then treats it as a frozenset.
        weight = self._collection(key) if kind is set and type(holder) in SETS else self._weight(key)
        self._compared(len(holder) * weight)
        return key

    def keys(self, values: Any, into: int = 0) -> Any:
        """Return values that are about to be put into a table with `into` keys, or looked up in it, and charge."""
        found = self._scale.all_of(values)
        if type(found) in SIZED:
            self._inserted(len(found), sum(map(self._weight, found)), into)
        return found

    def pairs(self, values: Any, into: int = 0) -> Any:
        """Return the pairs, or the dict, that are about to be put into a dict with `into` keys, and charge."""
        found = self._scale.all_of(values)
        if type(found) is dict:
            self._inserted(len(found), sum(map(self._weight, found)), into)
            return found
        if type(found) not in SIZED:
            return found
        pairs = [self._scale.all_of(pair) for pair in found]
        # Anything that is no pair is left to Python, which raises the error that the plan expects.
        keys = [next(iter(pair)) for pair in pairs if type(pair) in SIZED and len(pair) == 2]
        self._inserted(len(keys), sum(map(self._weight, keys)), into)
        return pairs

    def copied(self, table: Any) -> None:
        """Charge for copying a table: keys that collide have to find a free place one by one."""
        self._compared(len(table) ** 2 >> 3)  # less than a lookup, since the keys are not compared

    def set_of(self, values: list[Any]) -> set[Any]:
        """Make a set of values."""
        return set(self.keys(values))

    def dict_of(self, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
        """Make a dict of keys and values."""
        self._inserted(len(pairs), sum(self._weight(key) for key, _ in pairs), 0)
        return dict(pairs)

    def _inserted(self, count: int, weight: int, into: int) -> None:
        """Charge for putting `count` keys into a table: each is compared with half of the others on average."""
        self._compared((into + count) * weight >> 1)

    def _compared(self, weight: int) -> None:
        steps = weight >> _COMPARED_PER_STEP
        if steps:
            self._scale.budget.tick(steps)

    def _weight(self, value: Any) -> int:
        """Return the weight of a key. Raises TypeError if its hash differs between processes."""
        # Values without a hash weigh 1: Python itself refuses them.
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
