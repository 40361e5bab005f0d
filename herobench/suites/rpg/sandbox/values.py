"""The weight of a plan's values. The guards charge for values with a `Scale`, and for keys with `HashTables`.

A plan has only exact builtin types: scalars, collections, functions. To compare, hash or show a value, C code walks its
whole tree. Such a tree can be exponentially larger than it looks (a list may hold one other list many times), or too
deep for C's stack. So a guard must weigh the operands before it starts such an operation.

A plan can also choose keys whose hashes are equal (tuples of -1 and -2 are such). A lookup then compares a key with all
others, so it costs the number of keys times the weight of that key. The hash of a key must not depend on an address,
which differs between processes and would change the order of a set: so functions are no keys, and `pin_none_hash`
of `worker` sets the hash of None.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from operator import is_not
from typing import Any, TypeVar

from herobench.suites.rpg.sandbox.bounds import MOST_VALUES, PlanBudget

SCALARS = frozenset({int, float, bool, str, type(None), complex, type(...)})
COLLECTIONS = frozenset({list, tuple, set, frozenset, dict})
VIEWS = frozenset({type({}.keys()), type({}.values()), type({}.items())})
# Most of these types have no public name, so each is taken from an example.
_ITERATORS: tuple[Any, ...] = (
    (_ for _ in ()), map(str, ()), filter(None, ()), zip(), enumerate(()), reversed([]), reversed(()),
    reversed(range(0)), reversed(range(2**65)), reversed({}), reversed({}.values()), reversed({}.items()), reversed(""),
)  # fmt: skip
_ROWS = frozenset({list, tuple})
LAZY = frozenset(map(type, _ITERATORS))
"""Iterators: they give one value at a time, and their length is unknown."""

SETS = frozenset({set, frozenset})
TABLES = SETS | {dict}
_PAIRS: frozenset[type] = frozenset({type({}.items())})
_PAIRS_PER_STEP = 2
"""2 ** _PAIRS_PER_STEP pairs of a dict cost one step, because each pair is made only when it is read."""
SIZED = COLLECTIONS | VIEWS | {str, range}
_BYTES_PER_STEP = 17
"""2 ** _BYTES_PER_STEP bytes of a dict or set cost one step when it is walked, on top of the values in it."""
_LOOKUPS_PER_STEP = 13
_SMALL = 16
"""Up to this many keys, comparing two sets or dicts costs no more than walking them."""
_SEARCHED_PER_STEP = 15
"""2 ** _SEARCHED_PER_STEP comparisons of characters cost one step."""
_SORTED_PER_STEP = 7
"""2 ** _SORTED_PER_STEP comparisons of a sort cost one step."""
_UNPACKED_PER_STEP = 5
"""2 ** _UNPACKED_PER_STEP values that are unpacked cost one step."""
MOST_DEPTH = 60
MOST_BITS = 512

STAR = "*"
Shape = tuple["Shape | str | None", ...]
"""The shape of a target that has a star or a slice in it: one entry for each of its parts. An entry is a shape, a star,
or None for a part that takes one value. A slice is a shape without entries. `a, (b, *c)` is (None, (None, "*"))."""

AnyValue = TypeVar("AnyValue")


class Scale:
    """Weighs values, and charges the budget of a plan for them."""

    __slots__ = ("budget",)

    def __init__(self, budget: PlanBudget) -> None:
        self.budget = budget

    def deep(self, value: AnyValue) -> AnyValue:
        """Return a value whose whole tree is about to be walked, and charge for it."""
        self.weigh(value)
        return value

    def weigh(self, value: object) -> int:
        """Charge for the whole tree of a value, and return how many parts it has. A shared part counts each time."""
        kind = type(value)
        if kind is str:
            self.budget.charge(len(value))  # type: ignore[arg-type]
            return len(value)  # type: ignore[arg-type]
        return 0 if kind in SCALARS else self._walk(value)

    def _walk(self, value: object) -> int:
        # Level by level and not recursive, because the tree may be deeper than the stack.
        count = 0
        level: list[Any] = [value]
        for _ in range(MOST_DEPTH):
            below: list[Any] = []
            for part in level:
                kind = type(part)
                if kind in COLLECTIONS or kind in VIEWS:
                    count += len(part)
                    if count > MOST_VALUES:
                        break
                    if kind not in _ROWS:
                        self.walk(part)
                        self._match(part)
                    below.extend(part)
                    if kind is dict:
                        below.extend(part.values())
                elif kind is str:
                    count += len(part) >> 3  # C code reads texts fast: eight characters weigh as much as one value
                elif isinstance(part, BaseException):
                    count += len(part.args)
                    below.extend(part.args)
            if count > MOST_VALUES or not below:
                self.budget.charge(count)
                return count
            level = below
        return self.budget.too_much(f"the plan's values are nested more than {MOST_DEPTH} deep")

    def walk(self, values: AnyValue, levels: int = 1) -> AnyValue:
        """Return values that are about to be iterated over, or unpacked this many levels deep, and charge.

        An iterator is run to its end first if its values are unpacked further."""
        kind: type = type(values)
        if kind in TABLES or kind in VIEWS:
            # A dict or set keeps its memory when it is emptied, and Python walks all of it. Ordinary sizes are free.
            table = gc.get_referents(values)[0] if kind in VIEWS else values
            steps = sys.getsizeof(table) >> _BYTES_PER_STEP
            if steps:
                self.budget.tick(steps)
        if levels > 1 and kind in LAZY:
            values = self._drain(values)  # type: ignore[arg-type, assignment]
        if levels > 1 and (kind in COLLECTIONS or kind in VIEWS or kind in LAZY):
            self.budget.tick(len(values) >> _UNPACKED_PER_STEP)  # type: ignore[arg-type]
            for part in values:  # type: ignore[attr-defined]
                self.walk(part, levels - 1)
        return values

    def _match(self, table: Any) -> None:
        """Charge for comparing a table with another: each key may be compared with all keys of the other."""
        if len(table) > _SMALL:
            weight = sum(1 if type(key) in SCALARS else 8 + 32 * _length(key) for key in table)
            self.budget.tick(len(table) * weight >> _LOOKUPS_PER_STEP)

    def sort(self, values: list[Any], key: Callable[[Any], Any] | None, reverse: object) -> None:
        """Sort a list in place. Each value is compared about log n times, and each time may be walked completely."""
        times = len(values).bit_length()  # log2 of the length, without floats
        if key is None:
            self.budget.tick(self.weigh(values) * times >> _SORTED_PER_STEP)
        values.sort(key=self.weighing(key, times), reverse=bool(reverse))

    def search(self, text: str, part: str) -> None:
        """Charge for a search of a text in another, in the worst case: every character is compared at every index."""
        self.budget.tick(len(text) * len(part) >> _SEARCHED_PER_STEP)

    def whole(self, value: int) -> int:
        """Return a whole number, or end the plan if it has too many bits."""
        if value.bit_length() > MOST_BITS:
            self.budget.too_much(f"the plan computes a number of more than {MOST_BITS} bits")
        return value

    def source(self, values: Any) -> Any:
        """Return values that a lazy iterator may read. An iterator becomes a list, so that iterators never stack up."""
        return self.all_of(values) if type(values) in LAZY else self.walk(values)

    def all_of(self, values: Any) -> Any:
        """Return values of known and bounded size, and charge for them. An iterator becomes a list."""
        if type(values) in LAZY:
            return self._drain(values)
        if type(values) in SIZED:
            self.budget.charge(len(values))
            self.walk(values)
            if type(values) in _PAIRS:
                self.budget.tick(len(values) >> _PAIRS_PER_STEP)
        return values

    def unpack(self, values: Any, shape: Shape) -> Any:
        """Return values that a target of this shape is about to take apart, with iterators in them made lists.

        Without such an iterator, the same object is returned."""
        items = self.all_of(values)
        if type(items) not in SIZED:
            return items
        parts: list[Any] | None = None
        for place, inner in enumerate(shape):
            index = place - len(shape) if STAR in shape[:place] else place  # behind a star, count from the end
            if isinstance(inner, tuple) and -len(items) <= index < len(items):
                parts = list(items) if parts is None else parts
                parts[index] = self.unpack(parts[index], inner)
        # A set or dict must not become a list without need: the plan would see other error messages.
        has_changed = parts is not None and any(map(is_not, parts, items))
        return parts if has_changed else items

    def each_of(self, values: Any, shape: Shape) -> Iterator[Any]:
        """Return an iterator over values that a target of this shape takes apart."""
        return map(self.unpack, values, repeat(shape))

    def each_walked(self, values: Any, levels: int) -> Iterator[Any]:
        """Return an iterator over values that are about to be unpacked this many levels deep."""
        return map(self.walk, values, repeat(levels))

    def pace(self, values: Any) -> Iterator[Any]:
        """Yield values one by one, each for a step, since the caller may stop early."""
        for value in self.walk(values):
            self.budget.tick()
            yield value

    def weighing(self, key: Callable[[Any], Any] | None, times: int = 0) -> Callable[[Any], Any] | None:
        """Return a key function that charges for its results, each of them is about to be compared `times` times."""
        if key is None:
            return None

        def weigh_key(value: Any) -> Any:
            result = key(value)
            self.budget.tick(1 + (self.weigh(result) * times >> _SORTED_PER_STEP))
            return result

        return weigh_key

    def charge_size(self, value: AnyValue) -> AnyValue:
        """Return a value that is about to be copied or moved in part, and charge for its size."""
        kind: type = type(value)
        if kind is str or kind in COLLECTIONS:
            self.budget.charge(len(value))  # type: ignore[arg-type]
            self.walk(value)
        return value

    def _drain(self, values: Iterable[Any]) -> list[Any]:
        items: list[Any] = []
        tick: Callable[[], bool] = self.budget.tick
        for value in values:
            tick()
            items.append(value)
            if len(items) > MOST_VALUES:
                self.budget.charge(len(items))
        return items


def _length(key: Any) -> int:
    """Return how many values a key holds."""
    return len(key) if type(key) in COLLECTIONS else 1


_MOST_KEY = 2**61 - 1
"""Larger numbers share their hashes with smaller ones, and a plan could use them to make a dict slow."""
_PLAIN = frozenset({bool, type(None)})
_UNHASHABLE: frozenset[type] = frozenset({list, dict, set})
_COMPARED_PER_STEP = 13
"""2 ** _COMPARED_PER_STEP weights that are compared cost one step: about 10 microseconds."""
_HASHED_PER_STEP = 4
"""2 ** _HASHED_PER_STEP parts of a key cost one step, on top of the charge for walking it."""
_TUPLE, _PART, _PART_OF_SET = 8, 16, 32
"""The weight of comparing two tuples, and of each part of a tuple or frozenset. Comparing numbers or texts
with different hashes weighs 1."""

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
        self._charge_compare(len(holder) * weight)
        return key

    def keys(self, values: Any, into: int = 0) -> Any:
        """Return values that are about to be put into a table with `into` keys, or looked up in it, and charge."""
        items = self._scale.all_of(values)
        if type(items) in SIZED:
            self._charge_insert(len(items), sum(map(self._weight, items)), into)
        return items

    def pairs(self, values: Any, into: int = 0) -> Any:
        """Return the pairs, or the dict, that are about to be put into a dict with `into` keys, and charge."""
        items = self._scale.all_of(values)
        if type(items) is dict:
            self._charge_insert(len(items), sum(map(self._weight, items)), into)
            return items
        if type(items) not in SIZED:
            return items
        pairs = [self._scale.all_of(pair) for pair in items]
        # Anything that is not a pair is left to Python, which raises the error that the plan expects.
        keys = [next(iter(pair)) for pair in pairs if type(pair) in SIZED and len(pair) == 2]
        self._charge_insert(len(keys), sum(map(self._weight, keys)), into)
        return pairs

    def charge_copy(self, table: Any) -> None:
        """Charge for copying a table: keys that collide have to find a free place one by one."""
        self._charge_compare(len(table) ** 2 >> 3)  # less than a lookup, since the keys are not compared

    def make_set(self, values: list[Any]) -> set[Any]:
        """Make a set of values."""
        return set(self.keys(values))

    def make_dict(self, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
        """Make a dict of keys and values."""
        self._charge_insert(len(pairs), sum(self._weight(key) for key, _ in pairs), 0)
        return dict(pairs)

    def _charge_insert(self, count: int, weight: int, into: int) -> None:
        """Charge for putting `count` keys into a table: each is compared with half of the others on average."""
        self._charge_compare((into + count) * weight >> 1)

    def _charge_compare(self, weight: int) -> None:
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
