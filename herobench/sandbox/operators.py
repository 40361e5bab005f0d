"""Charge for operators whose result can be large (`+ * ** << %`, set operations), and for those that search.

These are `in` and `holder[key]`, in all its uses. `guards` gives them to compiled plans. The other operators stay
Python's own, since their results are no larger than their operands. The charge must come before the operation, so that
no large value is ever made.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from herobench.sandbox.text import Text
from herobench.sandbox.values import COLLECTIONS, LAZY, MOST_BITS, SCALARS, TABLES, VIEWS, HashTables, Scale

_Operate = Callable[[Any, Any], Any]
_NUMBERS = frozenset({int, float, bool, complex})
_SEQUENCES = frozenset({str, list, tuple})
_VALUES = SCALARS | COLLECTIONS | VIEWS | LAZY | {range}
_HASHED: frozenset[type] = TABLES | {type({}.keys())}
"""Types that find a key by its hash."""


class Operators:
    """The operators of one plan, by their symbols."""

    __slots__ = ("_scale", "_tables", "_text", "in_place", "plain")

    def __init__(self, scale: Scale, tables: HashTables, text: Text) -> None:
        self._scale = scale
        self._tables = tables
        self._text = text
        self.plain: dict[str, _Operate] = {
            "+": self.add, "-": self._sized(operator.sub), "*": self.multiply, "/": operator.truediv,
            "//": operator.floordiv, "%": self.modulo, "**": self.power, "<<": self.shift, ">>": operator.rshift,
            "&": self._sized(operator.and_), "|": self._sized(operator.or_), "^": self._sized(operator.xor),
        }  # fmt: skip
        self.in_place: dict[str, _Operate] = {
            "+": self.add_in_place, "-": self._sized(operator.isub), "*": partial(self.multiply, operate=operator.imul),
            "/": operator.itruediv, "//": operator.ifloordiv, "%": partial(self.modulo, operate=operator.imod),
            "**": partial(self.power, operate=operator.ipow), "<<": partial(self.shift, operate=operator.ilshift),
            ">>": operator.irshift, "&": self._sized(operator.iand), "|": self._sized(operator.ior),
            "^": self._sized(operator.ixor),
        }  # fmt: skip

    def binary(self, symbol: str, left: Any, right: Any) -> Any:
        """`left symbol right`."""
        return self.plain[symbol](left, right)

    def augmented(self, symbol: str, left: Any, right: Any) -> Any:
        """Return the new value of a name after `name symbol= right`."""
        return self.in_place[symbol](left, right)

    def add(self, left: Any, right: Any) -> Any:
        """`left + right`."""
        if type(left) in _NUMBERS:
            return self._number(left + right)
        self._make(left, right)
        return left + right

    def add_in_place(self, left: Any, right: Any) -> Any:
        """`left += right`. A list accepts any iterable here, and stays the same list."""
        more = self._scale.all_of(right) if type(left) is list else right
        self._make(left, more)
        left += more
        return self._number(left)

    def multiply(self, left: Any, right: Any, operate: _Operate = operator.mul) -> Any:
        """`left * right`."""
        self._times(left, right)
        self._times(right, left)
        return self._number(operate(left, right))

    def _times(self, values: Any, times: Any) -> None:
        if type(values) in _SEQUENCES and type(times) in (int, bool):
            self._scale.budget.charge(len(values) * max(0, times))

    def power(self, base: Any, exponent: Any, modulus: Any = None, operate: _Operate = operator.pow) -> Any:
        """`base ** exponent`."""
        if type(base) in (int, bool) and type(exponent) in (int, bool):
            # An estimate, up to twice too large; the result is checked exactly.
            if modulus is None and exponent > 0 and base.bit_length() * exponent > 2 * MOST_BITS and abs(base) > 1:
                self._scale.budget.too_much(f"the plan computes a number of more than {MOST_BITS} bits")
            if modulus is not None:
                self._scale.budget.charge(exponent.bit_length() << 3)
            return self._number(pow(base, exponent, modulus))
        return pow(base, exponent, modulus) if modulus is not None else operate(base, exponent)

    def shift(self, left: Any, right: Any, operate: _Operate = operator.lshift) -> Any:
        """`left << right`."""
        if type(left) in (int, bool) and type(right) in (int, bool) and left and right > MOST_BITS:
            self._scale.budget.too_much(f"the plan computes a number of more than {MOST_BITS} bits")
        return self._number(operate(left, right))

    def modulo(self, left: Any, right: Any, operate: _Operate = operator.mod) -> Any:
        """`left % right`, for numbers, or for a text and its values."""
        return self._text.percent(left, right) if type(left) is str else operate(left, right)

    def read_item(self, holder: Any, key: Any) -> Any:
        """`holder[key]`."""
        # Only a dict has to search for its item: keys may collide.
        return holder[self._tables.lookup(holder, key)] if type(holder) is dict else holder[key]

    def place(self, holder: Any, key: Any) -> ItemTarget:
        """`holder[key]` as the target of an assignment or a `del`."""
        return ItemTarget(self, holder, key)

    def store(self, holder: Any, key: Any, value: Any) -> None:
        """`holder[key] = value`."""
        holder[self._tables.lookup(holder, key) if type(holder) is dict else key] = value

    def delete(self, holder: Any, key: Any) -> None:
        """`del holder[key]`. A list is charged by its length, since it moves all values behind the item."""
        del holder[self._tables.lookup(holder, key) if type(holder) is dict else key]
        if type(holder) is list:
            self._scale.sized(holder)

    def augment_item(self, holder: Any, key: Any, symbol: str) -> Callable[[Any], None]:
        """`holder[key] symbol= right`. Return a function of the right side."""
        # As in Python, the item is read before the right side is computed.
        left = self.read_item(holder, key)
        return lambda right: self.store(holder, key, self.augmented(symbol, left, right))

    def contains(self, value: Any, holder: Any) -> bool:
        """`value in holder`."""
        kind = type(holder)
        if kind is range:
            return _whole(value) in holder if _is_whole(value) else False
        if kind in _HASHED:
            self._scale.budget.tick()
            return self._tables.lookup(holder, value) in holder
        self._scale.deep(value)
        if kind in LAZY:
            return any(part is value or part == value for part in map(self._scale.deep, self._scale.paced(holder)))
        if kind is str and type(value) is str:
            self._scale.search(holder, value)
        return value in self._scale.deep(self._scale.all_of(holder))

    def same(self, left: Any, right: Any) -> bool:
        """`left is right`. Two equal texts, or numbers of one type, always count as the same object."""
        # In Python this depends on the version.
        kind = type(left)
        if kind is type(right) and (kind is str or kind in _NUMBERS):
            return bool(self._scale.deep(left) == self._scale.deep(right))
        return left is right

    def _make(self, left: Any, right: Any) -> None:
        if type(left) in _SEQUENCES and type(right) in _SEQUENCES:
            self._scale.budget.charge(len(left) + len(right))

    def _sized(self, operate: _Operate) -> _Operate:
        """Return a set operation that charges for the sizes of its operands."""

        def sized(left: Any, right: Any) -> Any:
            if type(left) in SCALARS and type(right) in SCALARS:
                return self._number(operate(left, right))
            if not (type(left) in _VALUES and type(right) in _VALUES):
                raise TypeError("unsupported operand types for a set operation")
            if type(left) in VIEWS or type(right) in VIEWS:
                return operate(self._tables.keys(left), self._tables.keys(right))
            for side in (left, right):
                if type(side) in TABLES:
                    self._scale.deep(side)
            return operate(left, right)

        return sized

    def _number(self, value: Any) -> Any:
        return self._scale.whole(value) if type(value) is int else value


def _is_whole(value: Any) -> bool:
    return type(value) in (int, bool) or (type(value) is float and value.is_integer())


def _whole(value: Any) -> int:
    return int(value)


class ItemTarget:
    """Stands for `holder[key]` in a compiled plan, which assigns to `target[None]` or deletes it."""

    __slots__ = ("_holder", "_key", "_operators")

    def __init__(self, operators: Operators, holder: Any, key: Any) -> None:
        self._operators = operators
        self._holder = holder
        self._key = key

    def __setitem__(self, item: None, value: Any) -> None:
        self._operators.store(self._holder, self._key, value)

    def __delitem__(self, item: None) -> None:
        self._operators.delete(self._holder, self._key)
