"""The values of Autumn in Python: Number is int, Bool bool, String str, List list, and functions are callables.

Objects are instances of the classes here. Fields are attributes with the prefix `f_`, so no field of a program can have
the name of something that Python gives its objects. Objects do not change once they are made.

The identity of an object is the object itself, or the `token` that it took over from the value that it replaced in a
variable. It tells an object from its copies.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, ClassVar

from herobench.suites.autumn.language.errors import DEEPEST_VALUE, Fault


class Missing:
    """The type of `MISSING`, which stands for an argument or a variable that is not there."""


MISSING = Missing()
Drawn = tuple[tuple[tuple[int, int], str], ...]
"""Cells of an object on the grid: position and colour of each."""


class Value:
    """An object of any class."""

    __slots__ = ("token", "told")
    kind: ClassVar[str] = "object"
    fields: ClassVar[tuple[str, ...]] = ()
    drawn: Any = ()
    """The cells of the object, where they are known; `None` if they have to be drawn."""

    token: Value
    told: Any
    """The text of an object that does not change, which a search keeps with it."""

    def copy(self) -> Value:
        """Return an equal object with an identity of its own."""
        twin = object.__new__(type(self))
        for name in self.fields:
            setattr(twin, f"f_{name}", getattr(self, f"f_{name}"))
        return twin


class Position(Value):
    """A place on the grid: column and row."""

    __slots__ = ("f_x", "f_y")
    kind = "Position"
    fields = ("x", "y")

    def __init__(self, x: int, y: int) -> None:
        if type(x) is not int or type(y) is not int:
            raise Fault(f"expected two Numbers in a Position, found {type_name(x)} and {type_name(y)}")
        self.f_x = x
        self.f_y = y


class RenderedElem(Value):
    """One cell as it is drawn."""

    __slots__ = ("f_color", "f_position")
    kind = "RenderedElem"
    fields = ("position", "color")

    def __init__(self, position: Position, color: str) -> None:
        if type(position) is not Position or type(color) is not str:
            raise Fault(f"expected a Position and a String, found {type_name(position)} and {type_name(color)}")
        self.f_position = position
        self.f_color = color


class Later:
    """Stands in a cell for an expression that is evaluated each time the cell is drawn. Two are equal by their text."""

    __slots__ = ("argument", "text")

    def __init__(self, text: str, argument: int) -> None:
        self.text = text
        self.argument = argument


class Cell(Value):
    """A cell of an object. `code` says how to evaluate what is `Later`, with the variables that it captured."""

    __slots__ = ("captured", "code", "f_color", "f_x", "f_y", "fixed", "pure")
    captured: dict[str, Any]
    code: Any
    f_x: Any
    f_y: Any
    f_color: Any
    fixed: bool
    """Whether nothing in it is `Later`."""
    pure: bool
    """Whether it looks the same as long as its object does not change."""
    kind = "Cell"
    fields = ("x", "y", "color")

    def copy(self) -> Cell:
        """Return an equal cell."""
        twin = fixed_cell(self.f_x, self.f_y, self.f_color)
        twin.captured, twin.code, twin.fixed, twin.pure = self.captured, self.code, self.fixed, self.pure
        return twin


def fixed_cell(x: int, y: int, color: Any) -> Cell:
    """Return a cell with nothing that is evaluated later."""
    cell = object.__new__(Cell)
    cell.f_x, cell.f_y, cell.f_color = x, y, color
    cell.captured, cell.code, cell.fixed, cell.pure = {}, None, True, True
    return cell


class Thing(Value):
    """An object of a class that the program defines. The compiler makes a subclass for each."""

    __slots__ = ("drawn", "f_elems", "f_origin")
    f_origin: Position
    f_elems: list[Cell]


FUNCTIONS = (FunctionType, MethodType)
"""The types of functions: those of the program, and natives."""
_KINDS: dict[type, str] = {
    int: "Number",
    bool: "Bool",
    str: "String",
    list: "List",
    FunctionType: "function",
    MethodType: "function",
    Missing: "nothing",
    Later: "expression",
}


def type_name(value: object) -> str:
    """Return the name of a value's type."""
    if isinstance(value, Value):
        return value.kind
    return _KINDS.get(type(value), "value")


def truthy(value: object) -> bool:
    """Return whether a value counts as true: a Bool by its value, a list if it has elements, anything else always."""
    if value is True:
        return True
    return value is not False and (type(value) is not list or bool(value))


def all_fields(value: Value) -> tuple[str, ...]:
    """Return the names of all fields, the built-in ones last."""
    return (*value.fields, "origin", "elems") if isinstance(value, Thing) else value.fields


def has_field(value: Value, name: str) -> bool:
    """Return whether an object has a field of a name that a program may write."""
    return hasattr(value, f"f_{name}")


def object_token(value: Value) -> Value:
    """Return what tells an object from equal ones."""
    try:
        return value.token
    except AttributeError:
        return value


def plain(value: Any, tick: Callable[[], None], depth: int = 0) -> object:
    """Return a value as plain data: an object is a dict of its type and fields, a function the word "function".

    `tick` counts the work: a value that is shared is written out each time it occurs.
    """
    tick()
    if depth > DEEPEST_VALUE:
        raise Fault(f"expected values nested at most {DEEPEST_VALUE} deep")
    if type(value) is list:
        return [plain(item, tick, depth + 1) for item in value]
    if isinstance(value, Value):
        fields = {name: plain(getattr(value, f"f_{name}"), tick, depth + 1) for name in value.fields}
        where = {"origin": plain(value.f_origin, tick, depth + 1)} if isinstance(value, Thing) else {}
        return {"type": value.kind, **fields, **where}
    return value if isinstance(value, int | str) else type_name(value)
