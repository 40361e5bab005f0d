"""What generated code calls where an operation is not certain to be a plain one."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any, NoReturn

from herobench.suites.autumn.language.autumn_error import Fault
from herobench.suites.autumn.language.lists import wrapped
from herobench.suites.autumn.language.values import MISSING, kind_of, truthy


def logical(value: Any) -> bool:
    """Return an operand of `&` or `|` as a Bool. A function is called first."""
    if isinstance(value, FunctionType | MethodType):
        value = value()
    return truthy(value)


def bool_of(value: Any) -> bool:
    """Return the condition of a handler as a Bool. A function is called first."""
    if isinstance(value, FunctionType | MethodType):
        value = value()
    if type(value) is not bool:
        raise Fault(f"expected a Bool or a function as condition, found a {kind_of(value)}")
    return value


def negated(value: Any) -> bool:
    """Return the opposite of a Bool."""
    if type(value) is not bool:
        raise Fault(f"expected a Bool after '!', found a {kind_of(value)}")
    return not value


def minus(value: Any) -> int:
    """Return a Number with the other sign."""
    if type(value) is not int:
        raise Fault(f"expected a Number after '-', found a {kind_of(value)}")
    return wrapped(-value)


def plus(value: Any) -> int:
    """Return a Number."""
    if type(value) is not int:
        raise Fault(f"expected a Number after '+', found a {kind_of(value)}")
    return value


def quotient(left: Any, right: Any) -> int:
    """Divide, and cut the fraction off."""
    _divisible("/", left, right)
    result = abs(left) // abs(right)
    return wrapped(result if (left < 0) == (right < 0) else -result)


def remainder(left: Any, right: Any) -> int:
    """Return the remainder, which has the sign of the dividend."""
    _divisible("%", left, right)
    result: int = abs(left) % abs(right)
    return -result if left < 0 else result


def _divisible(op: str, left: Any, right: Any) -> None:
    if type(left) is not int or type(right) is not int:
        raise Fault(f"expected two Numbers for '{op}', found {kind_of(left)} and {kind_of(right)}")
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


OPERATORS = {
    "logical": logical,
    "bool_of": bool_of,
    "negated": negated,
    "minus": minus,
    "plus": plus,
    "quotient": quotient,
    "remainder": remainder,
    "wrapped": wrapped,
    "not_numbers": not_numbers,
    "type_as_value": type_as_value,
    "too_few": too_few,
    "too_many": too_many,
    "needed": needed,
    "cell_in_cell": cell_in_cell,
    "dropping": dropping,
}
"""The operations by the names that generated code has for them."""
