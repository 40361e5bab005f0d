"""The variables of a world as plain rows, from which they can be made again: for copies and for pickles.

Values share parts and may nest deep, so nothing here recurses, and what is shared stays shared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import FunctionType, MethodType
from typing import Any

from herobench.suites.autumn.language.compiled import Compiled
from herobench.suites.autumn.language.errors import Fault
from herobench.suites.autumn.language.run import Variables
from herobench.suites.autumn.language.values import Cell, Later, Position, RenderedElem, Thing, Value, all_fields

Row = tuple[str, Any]


@dataclass(slots=True)
class ProgramState:
    """Values as rows: `roots` are dicts of variables. Each value in them is the number of a row."""

    roots: list[dict[str, int]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


def pack(compiled: Compiled, *variables: Variables) -> ProgramState:
    """Return dicts of variables as rows."""
    return _Packing(compiled).state(variables)


def unpack(compiled: Compiled, state: ProgramState) -> list[Variables]:
    """Return dicts of variables from rows."""
    values = [_shell(compiled, row) for row in state.rows]
    for value, (kind, parts) in zip(values, state.rows, strict=True):
        if kind == "list":
            value.extend(values[number] for number in parts)
        elif kind == "object":
            _fill(value, parts[1], values)
        elif kind == "cell":
            code, captured, fixed, pure, fields = parts
            value.code = None if code is None else compiled.cells[code]
            value.captured = {name: values[number] for name, number in captured.items()}
            value.fixed, value.pure = fixed, pure
            _fill(value, fields, values)
    return [{name: values[number] for name, number in root.items()} for root in state.roots]


def _fill(value: Any, fields: dict[str, int], values: list[Any]) -> None:
    for name, number in fields.items():
        setattr(value, name, values[number])
    if isinstance(value, Thing):
        value.drawn = None


def _shell(compiled: Compiled, row: Row) -> Any:
    """Return a value without its parts."""
    kind, parts = row
    if kind == "object":
        built_in: dict[str, type[Value]] = {"Position": Position, "RenderedElem": RenderedElem}
        return object.__new__(compiled.kinds.get(parts[0]) or built_in[parts[0]])
    if kind == "cell":
        return object.__new__(Cell)
    if kind == "list":
        return []
    if kind == "function":
        return compiled.functions[parts]
    if kind == "native":
        return compiled.library.natives[parts]
    return Later(*parts) if kind == "later" else parts


class _Packing:
    """Numbers values, each once."""

    def __init__(self, compiled: Compiled) -> None:
        self.functions = {function: number for number, function in enumerate(compiled.functions)}
        self.natives = {native: name for name, native in compiled.library.natives.items()}
        self.numbers: dict[int, int] = {}
        self.values: list[Any] = []

    def state(self, variables: tuple[Variables, ...]) -> ProgramState:
        state = ProgramState()
        for root in variables:
            state.roots.append({name: self.number(value) for name, value in root.items()})
        while len(state.rows) < len(self.values):  # it grows while rows are made
            state.rows.append(self.row(self.values[len(state.rows)]))
        return state

    def number(self, value: Any) -> int:
        """Return the number of a value. `values` keeps it alive, so that its id stays its own."""
        index = self.numbers.get(id(value))
        if index is None:
            index = self.numbers[id(value)] = len(self.values)
            self.values.append(value)
        return index

    def row(self, value: Any) -> Row:
        if type(value) is list:
            return "list", [self.number(item) for item in value]
        if isinstance(value, Cell):
            captured = {name: self.number(captured_value) for name, captured_value in value.captured.items()}
            code = None if value.code is None else value.code.number
            return "cell", (code, captured, value.fixed, value.pure, self.fields(value))
        if isinstance(value, Value):
            return "object", (value.kind, self.fields(value))
        if isinstance(value, Later):
            return "later", (value.text, value.argument)
        if isinstance(value, FunctionType):
            return "function", self.functions[value]
        if isinstance(value, MethodType):
            return "native", self.natives[value]
        return "plain", value

    def fields(self, value: Value) -> dict[str, int]:
        names = [f"f_{name}" for name in all_fields(value)]
        return {name: self.number(getattr(value, name)) for name in names + ["token"] * hasattr(value, "token")}


def count_values(variables: Variables, most: int) -> int:
    """Return how many values variables hold, or refuse them if they hold too many."""
    waiting = list(variables.values())
    visited: set[int] = set()
    count = 0
    while waiting:
        value = waiting.pop()
        if id(value) in visited or not (type(value) is list or isinstance(value, Value)):
            continue
        visited.add(id(value))
        parts = _parts(value)
        count += len(parts) + 1
        if isinstance(value, Thing) and type(value.f_elems) is list:
            count += len(value.f_elems)  # the object may keep how it is drawn, though it shares its cells
        if count > most:
            raise Fault(f"the variables hold more than {most} values")
        waiting += parts
    return count


def _parts(value: Any) -> list[Any]:
    if type(value) is list:
        return value
    parts = [getattr(value, f"f_{name}") for name in all_fields(value)]
    if isinstance(value, Cell):
        parts += value.captured.values()
    return [*parts, value.token] if hasattr(value, "token") else parts
