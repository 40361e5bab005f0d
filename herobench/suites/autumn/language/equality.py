"""Equality of values. Lists are equal by their elements, which differs from the reference (see docs/autumn.md)."""

from __future__ import annotations

from types import MethodType
from typing import Any

from herobench.suites.autumn.language.autumn_error import Fault
from herobench.suites.autumn.language.limits import DEEPEST_VALUE
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.values import Later, Position, Value, all_fields


class Equality:
    """Compares values for one run, which counts the work."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def equal(self, left: Any, right: Any, depth: int = 0) -> bool:
        """Return whether two values are equal. A Number may equal a Bool, but not the other way round."""
        kind = type(left)
        if kind is int or kind is str:
            return bool(left == right)
        if kind is Position and type(right) is Position:
            return self.equal(left.f_x, right.f_x) and self.equal(left.f_y, right.f_y)
        if kind is bool:
            return left is right
        if depth > DEEPEST_VALUE:
            raise Fault(f"expected values nested at most {DEEPEST_VALUE} deep in a comparison")
        if kind is list:
            return type(right) is list and self._lists(left, right, depth + 1)
        if kind is Later:
            return type(right) is Later and left.text == right.text
        if isinstance(left, Value):
            return isinstance(right, Value) and self._fields(left, right, depth + 1)
        return left is right or (type(left) is MethodType and left == right)

    def _lists(self, left: list[Any], right: list[Any], depth: int) -> bool:
        if len(left) != len(right):
            return False
        self.run.tick(len(left))
        return all(self.equal(mine, other, depth) for mine, other in zip(left, right, strict=True))

    def _fields(self, left: Value, right: Value, depth: int) -> bool:
        """Compare all fields; the classes are not compared, as in the reference."""
        self.run.tick(len(left.fields) + len(right.fields))
        mine, other = all_fields(left), all_fields(right)
        return (mine == other or set(mine) == set(other)) and all(
            self.equal(getattr(left, f"f_{name}"), getattr(right, f"f_{name}"), depth) for name in mine
        )

    def contains(self, items: list[Any], value: Any) -> bool:
        """Return whether an element equals a value."""
        self.run.tick(len(items))
        if type(value) is Position:
            x, y = value.f_x, value.f_y
            if type(x) is int and type(y) is int:
                return any(type(item) is Position and item.f_x == x and item.f_y == y for item in items)
        return any(self.equal(value, item) for item in items)
