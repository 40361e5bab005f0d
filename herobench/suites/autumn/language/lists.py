"""Natives on lists and Numbers, the operators, and equality.

Lists are equal by their elements, which differs from the reference (see docs/autumn.md).
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from types import MethodType
from typing import Any, NoReturn

from herobench.suites.autumn.language.errors import DEEPEST_VALUE, Fault
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.values import (
    FUNCTIONS,
    MISSING,
    Later,
    Position,
    Value,
    all_fields,
    truthy,
    type_name,
)

Function = Callable[..., Any]
_LARGEST = 2**31


def wrapped(number: int) -> int:
    """Return a number as 32 bits hold it."""
    return (number + _LARGEST) % (2 * _LARGEST) - _LARGEST


class Lists:
    """Lists, what is computed from Numbers, and equality."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def map(self, function: Function, items: Any) -> Any:
        """Call a function with each element."""
        self.looked_at(items)
        return [function(item) for item in items]

    def filter(self, function: Function, items: Any) -> Any:
        """Keep the elements for which a function is true."""
        self.looked_at(items)
        return [
            item for item in items if (verdict := function(item)) is True or (verdict is not False and truthy(verdict))
        ]

    def foldl(self, function: Function, first: Any, items: Any) -> Any:
        """Combine the elements from the left."""
        self.looked_at(items)
        for item in items:
            first = function(first, item)
        return first

    def any(self, function: Any, items: Any = MISSING) -> Any:
        """Return whether an element is true, or whether a function is for one."""
        if items is MISSING:
            self.looked_at(function)
            return any(truthy(item) for item in function)
        self.looked_at(items)
        for item in items:
            verdict = function(item)
            if verdict is True or (verdict is not False and truthy(verdict)):
                return True
        return False

    def concat(self, lists: Any) -> Any:
        """Flatten one level."""
        self.looked_at(lists)
        for items in lists:
            self.looked_at(items)
        self.run.room(sum(map(len, lists)))
        return [item for items in lists for item in items]

    def length(self, items: Any) -> Any:
        """Return the number of elements."""
        self.checked(items)
        return len(items)

    def head(self, items: Any) -> Any:
        """Return the first element."""
        return self.at(items, 0)

    def tail(self, items: Any) -> Any:
        """Return the last element."""
        self.checked(items)
        return self.at(items, max(0, len(items) - 1))

    def at(self, items: Any, index: Any) -> Any:
        """Return the element with an index from 0."""
        if type(items) is not list or type(index) is not int or not 0 <= index < len(items):
            self.checked(items)
            index_text = index if type(index) is int else type_name(index)
            raise Fault(f"expected an index into a list of {len(items)} elements, found {index_text}")
        return items[index]

    def range(self, first: Any, end: Any) -> Any:
        """Return the Numbers from the first to the one before the end."""
        self.numbers(first, end)
        self.run.room(max(0, end - first))
        return list(range(first, end))

    def is_list(self, value: Any) -> Any:
        """Return whether a value is a list."""
        return type(value) is list

    def in_(self, value: Any, items: Any) -> Any:
        """Return whether a list has an element that equals a value."""
        self.checked(items)
        return self.contains(items, value)

    def array_equal(self, left: Any, right: Any) -> Any:
        """Compare two lists of one length by element."""
        self.looked_at(left)
        self.looked_at(right)
        if len(left) != len(right):
            raise Fault(f"expected two lists of one length, found {len(left)} and {len(right)} elements")
        return [self.equal(mine, other) for mine, other in zip(left, right, strict=True)]

    def print(self, value: Any) -> Any:
        """Return the value. Nothing is printed: a program has no output but its grid."""
        return value

    def sqrt(self, number: Any) -> Any:
        """Return the square root without its fraction."""
        self.numbers(number)
        if number < 0:
            raise Fault(f"expected a Number of 0 or more in sqrt, found {number}")
        return isqrt(number)

    def abs(self, number: Any) -> Any:
        """Return the absolute value."""
        self.numbers(number)
        return wrapped(abs(number))

    def sign(self, number: Any) -> Any:
        """Return -1, 0 or 1."""
        self.numbers(number)
        return (number > 0) - (number < 0)

    def max(self, left: Any, right: Any) -> Any:
        """Return the larger Number."""
        self.numbers(left, right)
        return left if left > right else right

    def min(self, left: Any, right: Any) -> Any:
        """Return the smaller Number."""
        self.numbers(left, right)
        return left if left < right else right

    def sum(self, items: Any) -> Any:
        """Return the sum of the elements."""
        self.looked_at(items)
        self.numbers(*items)
        return wrapped(sum(items))

    def uniform_choice(self, items: Any, number: Any = MISSING) -> Any:
        """Draw one element, or a number of them with replacement."""
        self.checked(items)
        if not items:
            raise Fault("expected a list with elements in uniformChoice, found an empty one")
        if number is MISSING:
            return items[self.run.draw(len(items))]
        self.counted(number, 1)
        return [items[self.run.draw(len(items))] for _ in range(number)]

    def random_positions(self, size: Any, number: Any) -> Any:
        """Draw a number of positions with coordinates below a size."""
        self.numbers(size)
        self.counted(number, 0)
        return [Position(self.run.draw(size), self.run.draw(size)) for _ in range(number)]

    # -- equality -----------------------------------------------------------------------------------------------------

    def equal(self, left: Any, right: Any, depth: int = 0) -> bool:
        """Return whether two values are equal. A Number may equal a Bool, but not the other way round."""
        kind = type(left)
        if kind is int or kind is str:
            return bool(left == right)
        if kind is Position and type(right) is Position:
            x, y = left.f_x, left.f_y
            if type(x) is int and type(y) is int:
                return bool(x == right.f_x and y == right.f_y)
            return self.equal(x, right.f_x) and self.equal(y, right.f_y)
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

    # -- checks -------------------------------------------------------------------------------------------------------

    @staticmethod
    def checked(items: Any) -> None:
        """Refuse what is not a list."""
        if type(items) is not list:
            raise Fault(f"expected a List, found a {type_name(items)}")

    def looked_at(self, items: Any) -> None:
        """Count the work on a list. Refuse a value that is not a list."""
        if type(items) is not list:
            raise Fault(f"expected a List, found a {type_name(items)}")
        run = self.run
        run.left -= len(items) + 1
        if run.left < 0:
            run.tick(0)

    @staticmethod
    def numbers(*values: Any) -> None:
        """Refuse what is not a Number."""
        for value in values:
            if type(value) is not int:
                raise Fault(f"expected a Number, found a {type_name(value)}")

    def counted(self, number: Any, least: int) -> None:
        """Refuse an impossible length of a new list."""
        self.numbers(number)
        if number < least or number > self.run.limits.items:
            raise Fault(f"expected a Number from {least} to {self.run.limits.items}, found {number}")
        self.run.tick(number)


def logical(value: Any) -> bool:
    """Return an operand of `&` or `|` as a Bool. A function is called first."""
    if isinstance(value, FUNCTIONS):
        value = value()
    return truthy(value)


def as_bool(value: Any) -> bool:
    """Return the condition of a handler as a Bool. A function is called first."""
    if isinstance(value, FUNCTIONS):
        value = value()
    if type(value) is not bool:
        raise Fault(f"expected a Bool or a function as condition, found a {type_name(value)}")
    return value


def negated(value: Any) -> bool:
    """Return the opposite of a Bool."""
    if type(value) is not bool:
        raise Fault(f"expected a Bool after '!', found a {type_name(value)}")
    return not value


def minus(value: Any) -> int:
    """Return a Number with the other sign."""
    if type(value) is not int:
        raise Fault(f"expected a Number after '-', found a {type_name(value)}")
    return wrapped(-value)


def plus(value: Any) -> int:
    """Return a Number."""
    if type(value) is not int:
        raise Fault(f"expected a Number after '+', found a {type_name(value)}")
    return value


def quotient(left: Any, right: Any) -> int:
    """Divide, and cut the fraction off."""
    _divisible("/", left, right)
    result = abs(left) // abs(right)
    return wrapped(result if (left < 0) == (right < 0) else -result)


def remainder(left: Any, right: Any) -> int:
    """Return the remainder, which has the sign of the dividend."""
    if type(left) is not int or type(right) is not int or right == 0:
        _divisible("%", left, right)
    result: int = abs(left) % abs(right)
    return -result if left < 0 else result


def _divisible(op: str, left: Any, right: Any) -> None:
    if type(left) is not int or type(right) is not int:
        raise Fault(f"expected two Numbers for '{op}', found {type_name(left)} and {type_name(right)}")
    if right == 0:
        raise Fault(f"expected a divisor other than 0 for '{op}'")


def not_numbers(op: str) -> NoReturn:
    """Refuse operands."""
    raise Fault(f"expected two Numbers for '{op}'")


def type_as_value(name: str) -> NoReturn:
    """Refuse a type where a value is wanted."""
    raise Fault(f"expected a value, found the type {name}")


def too_few(name: str, *_: Any) -> NoReturn:
    """Refuse a call."""
    raise Fault(f"{name} is called with too few arguments")


def too_many(name: str, *_: Any) -> NoReturn:
    """Refuse a call."""
    raise Fault(f"{name} is called with too many arguments")


def needed(value: Any) -> None:
    """Refuse a call without its last argument."""
    if value is MISSING:
        raise Fault("the function is called with too few arguments", of_caller=True)


def cell_in_cell() -> NoReturn:
    """Refuse a cell as an argument of a cell."""
    raise Fault("expected a Number or a String in a Cell, found a Cell")


def dropping(function: Any, most: int, *args: Any) -> Any:
    """Call a function with the first arguments only."""
    return function(*args[:most])


_OPERATORS: tuple[Function, ...] = (
    logical, as_bool, negated, minus, plus, quotient, remainder, wrapped, not_numbers, type_as_value, too_few, too_many,
    needed, cell_in_cell, dropping,
)  # fmt: skip
OPERATORS = {operator.__name__: operator for operator in _OPERATORS}
"""The operations by the names that generated code has for them."""
