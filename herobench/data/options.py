"""Declares options: an option is a field of a class, annotated with its name, its help and its range.

    @dataclass(frozen=True)
    class Speed:
        rpm: Annotated[int | None, CommandOption("rpm", "Requests in any minute.", least=1)] = None

The field has the option's type and default, and the class says where its value is kept. Commands make their parameters
and their help of such a table (`cli/options.py`), and JSON Schemas their properties (`table_schema` here). To add an
option, add a field, and use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints


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
