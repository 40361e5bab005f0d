"""Charge for the operators and the methods of a plan. `guards` gives both to compiled plans.

Operators are charged if their result can be large (`+ * ** << %`, set operations), or if they search: `in` and
`holder[key]`, in all its uses. The other operators stay Python's own, since their results are no larger than their
operands. The methods that a plan can call are listed by exact builtin type: a list of allowed names leaves no way from
a value to the interpreter behind it.

The charge must come before the operation, so that no large value is ever made: for the values it reads and, if its
result can be larger than these, for the result.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from herobench.suites.rpg.sandbox.text import Text
from herobench.suites.rpg.sandbox.values import COLLECTIONS, LAZY, MOST_BITS, SCALARS, TABLES, VIEWS, HashTables, Scale

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
            "+": self.add, "-": self._sets(operator.sub), "*": self.multiply, "/": operator.truediv,
            "//": operator.floordiv, "%": self.modulo, "**": self.power, "<<": self.shift, ">>": operator.rshift,
            "&": self._sets(operator.and_), "|": self._sets(operator.or_), "^": self._sets(operator.xor),
        }  # fmt: skip
        self.in_place: dict[str, _Operate] = {
            "+": self.add_in_place, "-": self._sets(operator.isub), "*": partial(self.multiply, operate=operator.imul),
            "/": operator.itruediv, "//": operator.ifloordiv, "%": partial(self.modulo, operate=operator.imod),
            "**": partial(self.power, operate=operator.ipow), "<<": partial(self.shift, operate=operator.ilshift),
            ">>": operator.irshift, "&": self._sets(operator.iand), "|": self._sets(operator.ior),
            "^": self._sets(operator.ixor),
        }  # fmt: skip

    def binary(self, symbol: str, left: Any, right: Any) -> Any:
        """`left symbol right`."""
        return self.plain[symbol](left, right)

    def augment(self, symbol: str, left: Any, right: Any) -> Any:
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
            self._scale.charge_size(holder)

    def augment_item(self, holder: Any, key: Any, symbol: str) -> Callable[[Any], None]:
        """`holder[key] symbol= right`. Return a function of the right side."""
        # As in Python, the item is read before the right side is computed.
        left = self.read_item(holder, key)
        return lambda right: self.store(holder, key, self.augment(symbol, left, right))

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
            return any(part is value or part == value for part in map(self._scale.deep, self._scale.pace(holder)))
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

    def _sets(self, operate: _Operate) -> _Operate:
        """Return a set operation that charges for the sizes of its operands."""

        def operate_sized(left: Any, right: Any) -> Any:
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

        return operate_sized

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


_METHODS: dict[type, frozenset[str]] = {
    str: frozenset(
        "capitalize casefold center count endswith find format index isalnum isalpha isascii isdecimal isdigit "
        "isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition "
        "removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith "
        "strip swapcase title upper zfill".split()
    ),
    list: frozenset("append clear copy count extend index insert pop remove reverse sort".split()),
    tuple: frozenset("count index".split()),
    dict: frozenset("clear copy get items keys pop popitem setdefault update values".split()),
    set: frozenset(
        "add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset "
        "issuperset pop remove symmetric_difference symmetric_difference_update union update".split()
    ),
    frozenset: frozenset(
        "copy difference intersection isdisjoint issubset issuperset symmetric_difference union".split()
    ),
    int: frozenset(["bit_length"]),
    bool: frozenset(["bit_length"]),
    float: frozenset(["is_integer"]),
    range: frozenset(["count", "index"]),
}
_ATTRIBUTES: dict[type, frozenset[str]] = {range: frozenset(["start", "stop", "step"])}
"""Attributes that are not methods."""

_CHEAP = frozenset(
    {(list, "append"), (dict, "get"), (dict, "keys"), (dict, "values"), (dict, "items"), (set, "add"), (set, "discard"),
     (dict, "setdefault"), (list, "clear"), (dict, "clear"), (set, "clear"), (dict, "popitem"), (set, "pop"),
     (set, "remove"), (dict, "pop"), (int, "bit_length"), (float, "is_integer"), (bool, "bit_length")}
)  # fmt: skip
"""Methods that take about the same time for values of any size."""
_KEYED = frozenset(
    {(dict, "get"), (dict, "setdefault"), (dict, "pop"), (set, "add"), (set, "discard"), (set, "remove")}
)
_MANY = COLLECTIONS | VIEWS
_SEARCHES = frozenset("count find index partition replace rfind rindex rpartition rsplit split".split())
_COPIES = frozenset({"copy", "union", "difference", "intersection"})
_EXCHANGES = frozenset({"symmetric_difference", "symmetric_difference_update"})
_STRIPS = frozenset({"strip", "lstrip", "rstrip"})
_PADS = frozenset({"center", "ljust", "rjust", "zfill"})


class Methods:
    """The attribute guard of one plan."""

    __slots__ = ("_scale", "_tables", "_text")

    def __init__(self, scale: Scale, tables: HashTables, text: Text) -> None:
        self._scale = scale
        self._tables = tables
        self._text = text

    def read(self, value: Any, name: str) -> Any:
        """`value.name`."""
        kind = type(value)
        if name in _METHODS.get(kind, ()):
            return self._guard(value, kind, name)
        if name in _ATTRIBUTES.get(kind, ()):
            return getattr(value, name)
        if name == "args" and isinstance(value, Exception):
            return value.args
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")

    def _guard(self, value: Any, kind: type, name: str) -> Callable[..., Any]:
        if kind is str and name == "format":
            return lambda *values, **named: self._text.format(value, values, named)
        method = getattr(value, name)
        if (kind, name) in _CHEAP:  # plans call these most, so they skip the general way
            return self._cheap(value, method, (kind, name) in _KEYED)

        def call(*arguments: Any, **named: Any) -> Any:
            if name == "replace" and "count" in named and len(arguments) == 2:
                arguments = (*arguments, named.pop("count"))  # Python accepts it by name from 3.13 on
            ready = [self._prepare(argument) for argument in arguments]
            self._weigh(value, kind, name, ready)
            if name == "sort":
                return _sort(value, self._scale, *ready, **named)
            if name == "index" and kind is not str:
                return _index(method, self._text, *ready, **named)
            return method(*ready, **named)

        return call

    def _cheap(self, value: Any, method: Callable[..., Any], has_key: bool) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self._scale.budget.tick()
            if has_key and arguments:
                self._tables.lookup(value, arguments[0])
            # `set.pop` walks the table over all emptied places up to the next value.
            elif type(value) is set:
                self._scale.walk(value)
            return method(*arguments, **named)

        return call

    def _prepare(self, argument: Any) -> Any:
        """Return an argument with a known size, and charge for everything in it."""
        endless = type(argument) in LAZY or type(argument) is range
        return self._scale.deep(self._scale.all_of(argument) if endless else argument)

    def _weigh(self, value: Any, kind: type, name: str, arguments: list[Any]) -> None:
        """Charge for the values that a method reads and makes."""
        charge = self._scale.budget.charge
        if kind in COLLECTIONS and name in ("count", "index", "remove"):
            self._scale.deep(value)
        else:
            charge(len(value))
            self._scale.walk(value)
        if kind is str:
            self._weigh_text(value, name, arguments)
        elif kind in TABLES:
            self._weigh_table(value, kind, name, arguments)

    def _weigh_text(self, value: str, name: str, arguments: list[Any]) -> None:
        charge = self._scale.budget.charge
        first = arguments[0] if arguments else None
        if name in _SEARCHES and type(first) is str:
            self._scale.search(value, first)
        if name in _STRIPS and type(first) is str:
            self._scale.budget.tick(1 + (len(value) * len(first) >> 10))
        elif name in _PADS and type(first) is int:
            charge(max(0, first))
        elif name == "replace" and len(arguments) > 1 and all(type(text) is str for text in arguments[:2]):
            charge(len(value) + (len(value) + 1) * len(arguments[1]) // max(1, len(arguments[0])))
        elif name == "join" and (type(first) is str or type(first) in _MANY):
            charge(sum(len(part) + len(value) for part in arguments[0] if type(part) is str))

    def _weigh_table(self, value: Any, kind: type, name: str, arguments: list[Any]) -> None:
        if name in _COPIES:
            self._tables.charge_copy(value)
        elif name in _EXCHANGES:  # these look each key of one side up in the other
            self._tables.keys(value, len(value))
        for argument in arguments:
            if kind is dict:
                self._tables.pairs(argument, len(value))
            elif type(argument) in _MANY or type(argument) is str:
                self._tables.keys(argument, len(value))


def _sort(values: list[Any], scale: Scale, *, key: Any = None, reverse: bool = False) -> None:
    scale.sort(values, key, reverse)


def _index(method: Callable[..., int], text: Text, *arguments: Any) -> int:
    """Return the index of a value. The error for a missing value is made here, as versions differ."""
    try:
        return method(*arguments)
    except ValueError as error:
        if str(error).endswith((" is not in list", "x not in list")):  # Python 3.14 has the second text
            raise ValueError(f"{text.represent(arguments[0])} is not in list") from None
        raise
