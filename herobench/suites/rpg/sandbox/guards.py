"""The globals of one plan: guards, which its compiled code calls instead of Python's own operations, and builtins.

`play` makes a table of them for each plan. Two plans must share nothing that one of them could change. Each builtin
charges for the values it works on. Even `int`, `list` and the other types are functions here, which `isinstance`
translates back to types: a plan must never get a real type object, since its attributes lead to the interpreter.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from types import FrameType, MappingProxyType
from typing import Any

from herobench.suites.rpg.sandbox.bounds import EXHAUSTED, MOST_CALLS, PlanBudget
from herobench.suites.rpg.sandbox.operations import Methods, Operators
from herobench.suites.rpg.sandbox.text import Text
from herobench.suites.rpg.sandbox.trees import FILENAME
from herobench.suites.rpg.sandbox.values import HashTables, Scale

_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_MODULE = "<module>"
_CALLS_PER_STEP = 3
"""2 ** _CALLS_PER_STEP nested calls make each further call one step more expensive."""


def apply(function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
    """Call a function for a plan that passes arguments with `*` or `**`."""
    return function(*arguments, **named)


apply.__module__, apply.__qualname__ = "builtins", "call"  # Python shows both in the errors of such calls


def guard_table(budget: PlanBudget) -> dict[str, Any]:
    """Return the globals of one plan, without its actions. No plan can spell the names in angle brackets."""
    scale = Scale(budget)
    tables = HashTables(scale)
    text = Text(scale)
    operators = Operators(scale, tables, text)

    return {
        "__builtins__": dict(plan_builtins(scale, tables, text, operators)),
        "<tick>": budget.tick,
        "<enter>": _enter(budget),
        "<caught>": _catch_guard(budget),
        "<getattr>": Methods(scale, tables, text).read,
        "<binary>": operators.binary,
        "<augmented>": operators.augment,
        "<item>": operators.read_item,
        "<place>": operators.place,
        "<augment_item>": operators.augment_item,
        "<contains>": operators.contains,
        "<same>": operators.same,
        "<deep>": scale.deep,
        "<key>": tables.key,
        "<keys>": tables.keys,
        "<pairs>": tables.pairs,
        "<set>": tables.make_set,
        "<dict>": tables.make_dict,
        "<walk>": scale.walk,
        "<sized>": scale.charge_size,
        "<all_of>": scale.all_of,
        "<each_of>": scale.each_of,
        "<unpacked>": scale.unpack,
        "<each_walked>": scale.each_walked,
        "<source>": scale.source,
        "<apply>": apply,
        "<AssertionError>": AssertionError,  # under a name of its own, since a plan may rebind AssertionError
        "<field>": text.field,
    }


def _enter(budget: PlanBudget) -> Callable[[int], bool]:
    def enter(steps: int) -> bool:
        """Count the steps of a function call, and end the plan if its calls are nested too deeply.

        Comprehensions are not counted, since only Python 3.11 gives them their own frames. Python's recursion limit
        does not serve, because versions count calls differently. Walking the frames takes time, so deep calls cost
        more."""
        calls = 0
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not (frame.f_code.co_name == _MODULE and frame.f_code.co_filename == FILENAME):
            calls += frame.f_code.co_filename == FILENAME and frame.f_code.co_name not in _COMPREHENSIONS
            frame = frame.f_back
        if calls >= MOST_CALLS:
            budget.stop(*EXHAUSTED[RecursionError])
        return budget.tick(steps + (calls >> _CALLS_PER_STEP))

    return enter


def _catch_guard(budget: PlanBudget) -> Callable[[], None]:
    def caught() -> None:
        """Run first in every handler and finally clause, and end the plan for errors that are limits."""
        budget.tick()
        error = sys.exc_info()[1]
        if type(error) in EXHAUSTED:  # the plan must not go on after the machine ran out of something
            budget.stop(*EXHAUSTED[type(error)])
        if error is not None:  # a growing chain of contexts would slow down each further raise
            error.__context__ = error.__cause__ = None

    return caught


ERRORS = (
    "ArithmeticError AssertionError AttributeError Exception IndexError KeyError LookupError NameError OverflowError "
    "RecursionError RuntimeError StopIteration TypeError ValueError ZeroDivisionError"
).split()
"""The errors that a plan can raise and handle."""

_MOST_DIGITS = 200
"""The longest text for `int` or `float`, short enough that reading one needs no charge."""


def plan_builtins(scale: Scale, tables: HashTables, text: Text, operators: Operators) -> MappingProxyType[str, Any]:
    """Return the builtins of one plan."""
    own = _Builtins(scale, tables, text, operators)
    functions = {name: getattr(own, f"{name}_") for name in _Builtins.NAMES}
    errors = {name: getattr(builtins, name) for name in ERRORS}
    plain = {"abs": abs, "len": len, "range": range}  # these take the same time for any value
    return MappingProxyType({**functions, **errors, **plain})


class _Builtins:
    """The functions of one plan, each under its Python name with an underscore at the end."""

    NAMES = (
        "all any bool dict divmod enumerate filter float frozenset int isinstance list map max min pow print repr "
        "reversed round set sorted str sum tuple zip"
    ).split()

    def __init__(self, scale: Scale, tables: HashTables, text: Text, operators: Operators) -> None:
        self._scale = scale
        self._tables = tables
        self._text = text
        self._operators = operators
        self._types: dict[Callable[..., Any], type] = {
            self.bool_: bool, self.dict_: dict, self.float_: float, self.frozenset_: frozenset, self.int_: int,
            self.list_: list, self.set_: set, self.str_: str, self.tuple_: tuple, range: range,
        }  # fmt: skip

    # -- types ------------------------------------------------------------------------------------------------------

    def bool_(self, value: Any = False, /) -> bool:
        return bool(value)

    def int_(self, value: Any = 0, /, *given: Any, **named: Any) -> int:
        if type(value) is str and len(value) > _MOST_DIGITS:
            raise ValueError(f"a text of more than {_MOST_DIGITS} characters is no whole number in a plan")
        return self._scale.whole(int(value, *given, **named))

    def float_(self, value: Any = 0.0, /) -> float:
        if type(value) is str and len(value) > _MOST_DIGITS:
            raise ValueError(f"a text of more than {_MOST_DIGITS} characters is no number in a plan")
        return float(value)

    def str_(self, value: Any = "", /) -> str:
        return self._text.plain(value)

    def repr_(self, value: Any, /) -> str:
        return self._text.represent(value)

    def list_(self, values: Any = (), /) -> list[Any]:
        return list(self._scale.all_of(values))

    def tuple_(self, values: Any = (), /) -> tuple[Any, ...]:
        return tuple(self._scale.all_of(values))

    def set_(self, values: Any = (), /) -> set[Any]:
        return set(self._tables.keys(values))

    def frozenset_(self, values: Any = (), /) -> frozenset[Any]:
        return frozenset(self._tables.keys(values))

    def dict_(self, pairs: Any = (), /, **named: Any) -> dict[Any, Any]:
        return dict(self._tables.pairs(pairs), **named)

    def isinstance_(self, value: Any, kinds: Any, /) -> bool:
        return isinstance(value, self._type(self._scale.deep(kinds)))

    def _type(self, kind: Any) -> Any:
        if type(kind) is tuple:
            return tuple(map(self._type, kind))
        # Errors are the only real types in a plan. The guard of attributes hides their attributes.
        if isinstance(kind, type) and issubclass(kind, Exception):
            return kind
        try:
            return self._types[kind]
        except (KeyError, TypeError):
            raise TypeError("isinstance() arg 2 must be a type or a tuple of types") from None

    # -- iteration --------------------------------------------------------------------------------------------------

    # enumerate, zip, map and filter stay lazy, as in Python. Their reader is charged for each value.

    def enumerate_(self, values: Any, start: int = 0) -> Any:
        return enumerate(self._scale.source(values), start)

    def zip_(self, *columns: Any, strict: bool = False) -> Any:
        return zip(*map(self._scale.source, columns), strict=bool(strict))

    def map_(self, function: Any, *columns: Any) -> Any:
        return map(function, *map(self._scale.source, columns))

    def filter_(self, function: Any, values: Any, /) -> Any:
        # Charged here, since a filter may drop any number of values before its reader pays for one.
        return filter(function, self._scale.pace(self._scale.source(values)))

    def reversed_(self, values: Any, /) -> Any:
        return reversed(self._scale.walk(values))

    def all_(self, values: Any, /) -> bool:
        return all(self._scale.pace(values))

    def any_(self, values: Any, /) -> bool:
        return any(self._scale.pace(values))

    # -- numbers and order ------------------------------------------------------------------------------------------

    def sum_(self, values: Any, /, start: Any = 0) -> Any:
        if type(start) is str:
            raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
        items = self._scale.all_of(values)
        if type(start) is int and all(type(value) is int for value in items):
            return self._scale.whole(sum(items, start))
        for value in items:  # one by one, since sum() rounds floats differently from Python 3.12 on
            start = self._operators.add(start, value)
        return start

    def max_(self, *values: Any, **options: Any) -> Any:
        return max(*self._weigh_items(values), **self._weighing(options))

    def min_(self, *values: Any, **options: Any) -> Any:
        return min(*self._weigh_items(values), **self._weighing(options))

    def _weighing(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the options of `min` or `max` with a key function that charges for its results."""
        return {**options, "key": self._scale.weighing(options["key"])} if "key" in options else options

    def _weigh_items(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        items = tuple(self._scale.all_of(value) for value in values) if len(values) == 1 else values
        self._scale.deep(items)
        return items

    def sorted_(self, values: Any, /, *, key: Any = None, reverse: bool = False) -> list[Any]:
        items = list(self._scale.all_of(values))
        self._scale.sort(items, key, reverse)
        return items

    def round_(self, number: Any, ndigits: Any = None) -> Any:
        if type(ndigits) is int and abs(ndigits) > _MOST_DIGITS:
            raise ValueError(f"rounding to more than {_MOST_DIGITS} digits has no place in a plan")
        if type(ndigits) is int:
            self._scale.budget.tick(1 + (abs(ndigits) >> 5))  # C code works out every exact decimal of a float
        return round(number, ndigits)

    def pow_(self, base: Any, exponent: Any, modulus: Any = None, /) -> Any:
        return self._operators.power(base, exponent, modulus)

    def divmod_(self, left: Any, right: Any, /) -> Any:
        return divmod(left, right)

    def print_(self, *values: Any, sep: str | None = None, end: str | None = None, flush: bool = False) -> None:
        for option in (sep, end):
            if option is not None and type(option) is not str:
                raise TypeError("sep and end must be None or a string")
        between, after = " " if sep is None else sep, "\n" if end is None else end
        texts = list(map(self._text.plain, values))  # charged before they are joined
        self._scale.budget.charge(sum(map(len, texts)) + len(between) * len(texts) + len(after))
        self._scale.budget.print(between.join(texts) + after)


for _name in _Builtins.NAMES:
    getattr(_Builtins, f"{_name}_").__qualname__ = _name  # Python shows it when a call has the wrong arguments
