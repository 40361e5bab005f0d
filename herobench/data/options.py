"""Declares options: an option is a field of a class, annotated with its name, its help and its range.

    @dataclass(frozen=True)
    class Speed:
        rpm: Annotated[int | None, CommandOption("rpm", "Requests in any minute.", least=1)] = None

The field has the option's type and default, and the class says where its value is kept. Commands make their parameters
and their help of such a table (`cli/options.py`), and JSON Schemas their properties (`table_schema` here). To add an
option, add a field, and use it.

Numbers and ranges of them are read as people write them: 9, 1-9 or 3,5-7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from herobench.data.errors import UsageError, quoted


@dataclass(frozen=True, slots=True)
class CommandOption:
    """Describes an option for the command line: its name, its help, and the values that it takes."""

    name: str
    """Its name on the command line without the dashes, such as `twin-of`."""
    about: str
    """One sentence for the help."""
    default: str | None = None
    """The text that the help shows as the default; None to show the default of the field, if it has one."""
    metavar: str | None = None
    """The placeholder of the value in the help, such as `N-M`; None for the name of the type."""
    least: float | None = None
    most: float | None = None
    """The bounds of a number."""
    kind: Any = None
    """The type of its values on the command line, if it differs from the field's."""
    read: Callable[[Any], Any] | None = None
    """Turns the text of the command line into the value of the field; None if the command line gives the value."""
    panel: str | None = None
    """The heading below which the help lists it."""
    short: str = ""
    """Its letter, such as `-m`."""
    later: bool = False
    """True for an option that files of earlier versions lack."""


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """A field of a table of options."""

    field: str
    kind: Any
    """The type of the value, without None."""
    is_optional: bool
    """True if the value may be None."""
    default: object
    option: CommandOption | None
    """None for a field that users do not set."""

    @property
    def flag(self) -> str:
        """The option as users type it, such as `--twin-of`."""
        return f"--{self.option.name}" if self.option else ""

    @property
    def parameter(self) -> str:
        """The name of its parameter in the function of a command."""
        return self.option.name.replace("-", "_") if self.option else self.field

    @property
    def shown_default(self) -> str | None:
        """The default as the help shows it; None if there is none."""
        if self.option is None:
            return None
        if self.option.default is not None:
            return self.option.default
        if isinstance(self.default, bool):
            return f"{'' if self.default else 'no-'}{self.option.name}"
        return f"{self.default:g}" if isinstance(self.default, int | float) else None


def options_in(table: type) -> Iterator[DeclaredOption]:
    """Yield the fields of a table in their order. The table is a dataclass or a TypedDict."""
    for name, hint in get_type_hints(table, include_extras=True).items():
        kind, notes = (hint.__origin__, hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
        option = next((note for note in notes if isinstance(note, CommandOption)), None)
        parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        kinds = [part for part in parts if part is not NoneType]
        field = getattr(table, "__dataclass_fields__", {}).get(name)
        default = field.default if field else None
        yield DeclaredOption(
            name, kinds[0] if len(kinds) == 1 else Union[*kinds], len(kinds) < len(parts), default, option
        )


_TYPES: Mapping[Any, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}


def table_schema(table: type) -> dict[str, Any]:
    """Return the JSON Schema of an object that keeps a value for each field of a table."""
    fields = list(options_in(table))
    return {
        "additionalProperties": False,
        "required": [each.field for each in fields if not (each.option and each.option.later)],
        "properties": {each.field: _value_schema(each) for each in fields},
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

_FIRST_BRACKET, _LAST_BRACKET = 1, 10
"""The difficulty brackets of the role-playing game. They repeat `BRACKETS` of `task_gen/rpg/tasks/spec.py`, because
importing that would slow down every command."""
_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?")


def parse_brackets(text: str) -> tuple[int, ...]:
    """Return the brackets in a list such as 9, 1-9 or 3,5-7, each once and in order."""
    found: set[int] = set()
    for part in text.split(","):
        ends = least_and_most(part)
        if ends is None:
            raise UsageError(
                f"{quoted(text)} is no list of difficulties: give numbers or ranges, such as 9, 1-9 or 3,5-7."
            )
        first, last = ends
        for bracket in (first, last):
            if not _FIRST_BRACKET <= bracket <= _LAST_BRACKET:
                raise UsageError(
                    f"There is no difficulty {bracket}: give numbers from {_FIRST_BRACKET} to {_LAST_BRACKET}."
                )
        if first > last:
            raise UsageError(f"The range {part.strip()} runs backwards: give the lower number first.")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def least_and_most(text: str) -> tuple[int, int] | None:
    """Return both ends of a range such as 4-400; twice the number of a text such as 100; None for any other text."""
    match = _RANGE.fullmatch(text)
    return (int(match[1]), int(match[2] or match[1])) if match else None


def parse_span(limit: str) -> slice:
    """Return the part of a list that a limit names: 10 is the first ten, 5-15 the fifth to the fifteenth."""
    first, last = least_and_most(limit) or (0, 0)
    if "-" not in limit:
        first = min(1, last)
    if not 1 <= first <= last:
        raise UsageError(
            f"A limit is a number of tasks, or a part of their list such as 5-15, but not {quoted(limit)}."
        )
    return slice(first - 1, last)
