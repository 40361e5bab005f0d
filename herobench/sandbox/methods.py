"""The methods that a plan can call, listed by exact builtin type. `guards` uses them for every attribute of a plan.

A list of allowed names leaves no way from a value to the interpreter behind it. A method must be charged before it
starts: for the values it reads and, if its result can be larger than these, for the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from herobench.sandbox.text import Text
from herobench.sandbox.values import COLLECTIONS, LAZY, TABLES, VIEWS, HashTables, Scale

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
_VALUES: dict[type, frozenset[str]] = {range: frozenset(["start", "stop", "step"])}
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
            return self._guarded(value, kind, name)
        if name in _VALUES.get(kind, ()):
            return getattr(value, name)
        if name == "args" and isinstance(value, Exception):
            return value.args
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")

    def _guarded(self, value: Any, kind: type, name: str) -> Callable[..., Any]:
        if kind is str and name == "format":
            return lambda *values, **named: self._text.format(value, values, named)
        method = getattr(value, name)
        if (kind, name) in _CHEAP:  # plans call these most, so they skip the general way
            return self._cheap(value, method, (kind, name) in _KEYED)

        def call(*arguments: Any, **named: Any) -> Any:
            if name == "replace" and "count" in named and len(arguments) == 2:
                arguments = (*arguments, named.pop("count"))  # Python accepts it by name from 3.13 on
            prepared = [self._prepared(argument) for argument in arguments]
            self._weigh(value, kind, name, prepared)
            if name == "sort":
                return _sort(value, self._scale, *prepared, **named)
            if name == "index" and kind is not str:
                return _index(method, self._text, *prepared, **named)
            return method(*prepared, **named)

        return call

    def _cheap(self, value: Any, method: Callable[..., Any], keyed: bool) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self._scale.budget.tick()
            if keyed and arguments:
                self._tables.lookup(value, arguments[0])
            # `set.pop` walks the table over all emptied places up to the next value.
            elif type(value) is set:
                self._scale.walk(value)
            return method(*arguments, **named)

        return call

    def _prepared(self, argument: Any) -> Any:
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
            self._tables.copied(value)
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
            raise ValueError(f"{text.shown(arguments[0])} is not in list") from None
        raise
