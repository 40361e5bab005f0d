"""Options, each declared once: a field of a table or a parameter of a command, with its type, default and help.

    @dataclass(frozen=True)
    class LevelStyle:
        window: Annotated[int, Option("How many of the latest turns the model is sent.", least=1)] = 10

Commands make their parameters and their help of it (`cli/commands.py`), `read_options` reads texts by it, such as the
settings of a suite, and `table_schema` makes the properties of a JSON Schema. To add an option, add a field and use it.

Numbers and ranges of them are read as people write them: 9, 1-9 or 3,5-7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import KW_ONLY, MISSING, dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from herobench.data.errors import LONGEST_MISSPELT, Fault, UsageError, quoted


class OptionFault(Fault):
    """The kinds of errors of options."""

    BAD_VALUE = "{where} is {text}: {error}."
    NO_OPTION = "There is no option {name} of {owner}: {advice}{its}."


@dataclass(frozen=True, slots=True)
class Option:
    """Describes an option: its help, its name on the command line, and the values that it takes."""

    about: str
    """One sentence for the help."""
    name: str = ""
    """Its name without the dashes, such as `twin-of`; empty for the name of the field with dashes."""
    _: KW_ONLY
    short: str = ""
    """Its letter, such as `-m`."""
    metavar: str | None = None
    """The placeholder of the value in the help, such as `N-M`; None for the name of the type."""
    shown: str | None = None
    """The text that the help shows as the default; None to show the default of the field, if it has one."""
    least: float | None = None
    most: float | None = None
    """The bounds of a number."""
    kind: Any = None
    """The type of its values on the command line, if it differs from the field's."""
    read: Callable[[Any], Any] | None = None
    """Turns a text into the value. It raises ValueError for any other text, with a sentence on what to give."""
    bare: str | None = None
    """The text that stands for a value that is left out behind the option; None for an option that needs its value."""
    panel: str | None = None
    """The heading below which the help lists it."""
    later: bool = False
    """True for an option that files of earlier versions lack."""
    is_length: bool = False
    """True for the option that says how long solutions are. Other tools know it as `length`, whatever its name."""
    is_argument: bool = False
    """True for a word without a name, such as the folder of a run."""


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """A field of a table of options, or a parameter of a command."""

    field: str
    kind: Any
    """The type of the value, without None."""
    is_optional: bool
    """True if the value may be None."""
    default: Any
    """The default; MISSING if there is none."""
    option: Option | None
    """None for a field that users do not set."""

    @property
    def name(self) -> str:
        """Its name without the dashes, such as `twin-of`."""
        return (self.option and self.option.name) or self.field.replace("_", "-")

    @property
    def is_switch(self) -> bool:
        """True for an option without a value that can be turned on and off, or be left alone."""
        return self.kind is bool and self.is_optional

    @property
    def is_flag(self) -> bool:
        """True for an option without a value."""
        return self.kind is bool and (self.option is None or self.option.read is None)

    @property
    def metavar(self) -> str | None:
        """The placeholder of its value in the help; None for the name of the type."""
        if self.option and self.option.metavar is not None:
            return self.option.metavar
        return "|".join(get_args(self.kind)) if get_origin(self.kind) is Literal else None

    @property
    def bounds(self) -> str | None:
        """The bounds of a number as the help shows them, such as 1-3; None if it has no lower one."""
        if self.option is None or self.option.least is None or self.kind not in (int, float):
            return None
        return f"{self.option.least:g}{' or more' if self.option.most is None else f'-{self.option.most:g}'}"

    @property
    def shown_default(self) -> str | None:
        """The default as the help shows it; None if there is none."""
        if self.option and self.option.shown is not None:
            return self.option.shown
        if self.default is True:
            return self.name
        is_shown = isinstance(self.default, int | float | Path) or (self.default and isinstance(self.default, str))
        return f"{self.default}" if is_shown and self.default is not False else None

    def parse(self, text: str) -> Any:
        """Return the value of a text. Raise ValueError for any other text, with a sentence on what to give."""
        option = self.option
        if option and option.read:
            return option.read(text)
        if get_origin(self.kind) is Literal:
            choices = get_args(self.kind)
            word = text if text in choices else _YAML_WORDS.get(text, text)
            if word not in choices:
                raise ValueError(f"give one of {', '.join(choices)}")
            return word
        if self.kind is bool:
            if text not in _SWITCHES:
                raise ValueError("give true or false")
            return _SWITCHES[text]
        return self._number(text) if self.kind in (int, float) else self.kind(text)

    def _number(self, text: str) -> int | float:
        least, most = (self.option.least, self.option.most) if self.option else (None, None)
        try:
            number: int | float = self.kind(text if len(text) <= _LONGEST_NUMBER else "")
        except ValueError:
            number = float("nan")
        if not ((least is None or number >= least) and (most is None or number <= most) and number == number):
            bounds = [
                f", {word} {bound:,.12g}"
                for word, bound in (("at least", least), ("at most", most))
                if bound is not None
            ]
            raise ValueError(f"give a {'whole ' if self.kind is int else ''}number{''.join(bounds)}")
        return number


_YAML_WORDS = {"true": "on", "false": "off"}
"""Tools that read their command lines as YAML hand `on` and `off` on as true and false."""
_SWITCHES = {"true": True, "on": True, "false": False, "off": False}
_LONGEST_NUMBER = 30
"""In characters. Python refuses to read numbers of some thousand digits."""


def options_in(table: type) -> tuple[DeclaredOption, ...]:
    """Return the fields of a table in their order. The table is a dataclass or a TypedDict."""
    return _options_in(table)


@cache
def _options_in(table: Any) -> tuple[DeclaredOption, ...]:
    defaults = getattr(table, "__dataclass_fields__", {})
    return tuple(
        declare_option(name, hint, defaults[name].default if name in defaults else MISSING)
        for name, hint in get_type_hints(table, include_extras=True).items()
        if get_origin(hint) is not ClassVar
    )


def declare_option(name: str, hint: Any, default: Any) -> DeclaredOption:
    """Return a field or a parameter by its name, its type and its default."""
    kind, notes = (hint.__origin__, hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
    option = next((note for note in notes if isinstance(note, Option)), None)
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    kinds = [part for part in parts if part is not NoneType]
    return DeclaredOption(
        name, kinds[0] if len(kinds) == 1 else Union[*kinds], len(kinds) < len(parts), default, option
    )


_Table = TypeVar("_Table")


def read_options(table: type[_Table], texts: Mapping[str, Any], owner: str = "") -> _Table:
    """Return a table with the values of texts by the names of its options, and the defaults of the others.

    A value that is no text stays as it is. Texts for options of other tables are left alone. Raise UsageError for a
    wrong text; `owner` says whose option it is, such as `the suite epoch`.
    """
    values: dict[str, Any] = {}
    for field in options_in(table):
        text = texts.get(field.name)
        try:
            if text is not None:
                values[field.field] = field.parse(text) if isinstance(text, str) else text
        except ValueError as error:
            where = f"The option {field.name} of {owner}" if owner else f"--{field.name}"
            raise UsageError(OptionFault.BAD_VALUE, where=where, text=quoted(text), error=error) from error
    return table(**values)


def option_texts(values: Any) -> dict[str, str]:
    """Return the values of a table as texts by the names of its options, without those that are None."""
    values_by_name = ((field.name, getattr(values, field.field)) for field in options_in(type(values)))
    return {name: str(value) for name, value in values_by_name if value is not None}


def refuse_unknown(names: Iterable[str], options: Collection[str], owner: str) -> None:
    """Raise UsageError for a name that is none of the known options of an owner, such as `the suite epoch`."""
    for name in names:
        if name not in options:
            near = get_close_matches(name[:LONGEST_MISSPELT], options, 1)
            advice = f"is {near[0]} meant? " if near else ""
            its = f"its options are {', '.join(options)}" if options else "it has none"
            raise UsageError(OptionFault.NO_OPTION, name=quoted(name), owner=owner, advice=advice, its=its)


# -- schemas ----------------------------------------------------------------------------------------------------------

_TYPES: Mapping[Any, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}


def table_schema(table: type) -> dict[str, Any]:
    """Return the JSON Schema of an object that keeps a value for each field of a table."""
    declared_fields = options_in(table)
    return {
        "additionalProperties": False,
        "required": [each.field for each in declared_fields if not (each.option and each.option.later)],
        "properties": {each.field: _value_schema(each) for each in declared_fields},
    }


def _value_schema(field: DeclaredOption) -> dict[str, Any]:
    option, schema = field.option, _type_schema(field.kind, field.is_optional)
    if option is None:
        return schema
    bounds = {"minimum": option.least, "maximum": option.most}
    return {
        **schema,
        **{name: bound for name, bound in bounds.items() if bound is not None},
        "description": option.about,
    }


def _type_schema(kind: Any, is_optional: bool) -> dict[str, Any]:
    if get_origin(kind) is Literal:
        return {"enum": [*get_args(kind), *([None] if is_optional else [])]}
    if kind in _TYPES:
        return {"type": [_TYPES[kind], "null"] if is_optional else _TYPES[kind]}
    values = get_args(kind)[1]
    return {
        "type": "object",
        "additionalProperties": True if values is Any else _type_schema(values, is_optional=False),
    }


# -- ranges -----------------------------------------------------------------------------------------------------------

_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?")
_MOST_NUMBERS = 10_000


def parse_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers in a list such as 9, 1-9 or 3,5-7, each once and in order. Raise ValueError for others."""
    numbers: set[int] = set()
    for part in text.split(","):
        ends = least_and_most(part)
        if ends is None or ends[1] - ends[0] > _MOST_NUMBERS:
            raise ValueError("give numbers or ranges, such as 9, 1-9 or 3,5-7")
        if ends[0] > ends[1]:
            raise ValueError(f"the range {part.strip()} runs backwards, give the lower number first")
        numbers.update(range(ends[0], ends[1] + 1))
    return tuple(sorted(numbers))


def least_and_most(text: str) -> tuple[int, int] | None:
    """Return both ends of a range such as 4-400; twice the number of a text such as 100; None for any other text."""
    match = _RANGE.fullmatch(text)
    return (int(match[1]), int(match[2] or match[1])) if match else None


def parse_span(text: str) -> slice:
    """Return the part of a list that a limit names: 10 is the first ten, 5-15 the fifth to the fifteenth.

    Raise ValueError for others.
    """
    first, last = least_and_most(text) or (0, 0)
    if "-" not in text:
        first = min(1, last)
    if not 1 <= first <= last:
        raise ValueError("give a number of tasks, or a part of their list such as 5-15")
    return slice(first - 1, last)
