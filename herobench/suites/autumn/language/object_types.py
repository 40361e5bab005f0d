"""Makes the Python class of each object type, with a constructor and a copy that have no loop over fields.

Both are made from text, which consists of names that were checked by the parser and have a prefix.
"""

from __future__ import annotations

from typing import Any

from herobench.suites.autumn.language import tree
from herobench.suites.autumn.language.autumn_error import Fault
from herobench.suites.autumn.language.drawing import Drawing
from herobench.suites.autumn.language.values import MISSING, Cell, Position, RenderedElem, Thing, Value, kind_of

FIELD_TYPES: dict[str, type] = {
    "Number": int,
    "Int": int,
    "Bool": bool,
    "String": str,
    "List": list,
    "Position": Position,
    "Cell": Cell,
    "RenderedElem": RenderedElem,
}
"""The types that a field may be declared as, beside the object types of the program. Others are not checked."""


def define_class(declared: tree.ObjectType, drawing: Drawing) -> type[Thing]:
    """Return the class of an object type, without its constructor."""
    slots = tuple(f"f_{name}" for name in declared.fields)
    members = {
        "__slots__": slots,
        "kind": declared.name,
        "fields": tuple(declared.fields),
        "render": lambda thing: drawing.elems(thing),
    }
    return type(declared.name, (Thing,), members)


def add_constructor(
    declared: tree.ObjectType, kind: type[Thing], env: dict[str, Any], static_cells: list[Cell] | None
) -> None:
    """Give a class its `copy`, and the environment its constructor `new_NAME`.

    The cells are constant, or what the function `cells_NAME` of the environment returns for the fields.
    """
    names = [f"f_{name}" for name in [*declared.fields, "origin"]]
    checks = []
    types: dict[str, type] = {}
    for name, typed in zip(declared.fields, declared.kinds, strict=True):
        expected = FIELD_TYPES.get(typed) or env.get(f"K_{typed}")
        if expected is not None:
            types[f"T_{name}"] = expected
            checks.append(f"    if type(f_{name}) is not T_{name}: refuse({name!r}, {typed!r}, f_{name})")
    fills = [f"    thing.{name} = {name}" for name in names]
    cells = "static" if static_cells is not None else f"cells({', '.join(names)})"
    parameters = "".join(f"{name}=MISSING, " for name in names)
    copies = [f"    copied.{name} = thing.{name}" for name in [*names, "f_elems"]]
    text = "\n".join(
        [
            f"def new({parameters}*_):",
            "    check(f_origin)",
            *checks,
            "    thing = create(kind)",
            *fills,
            "    thing.drawn = None",
            f"    thing.f_elems = {cells}",
            "    return thing",
            "def copy(thing):",
            "    copied = create(kind)",
            *copies,
            "    copied.drawn = None",
            "    return copied",
        ]
    )
    run_names = {
        "__builtins__": {},
        "MISSING": MISSING,
        "check": _checker(declared, env),
        "refuse": _refuse,
        "create": object.__new__,
        "kind": kind,
        "type": type,
        "static": static_cells,
        "cells": env.get(f"cells_{declared.name}"),
        **types,
    }
    exec(compile(text, f"<type {declared.name}>", "exec"), run_names)  # noqa: S102  text of checked names only
    env[f"new_{declared.name}"] = run_names["new"]
    kind.copy = run_names["copy"]  # type: ignore[method-assign]


def _checker(declared: tree.ObjectType, env: dict[str, Any]) -> Any:
    name, tick = declared.name, env["tick"]
    units = 1 + len(declared.fields)

    def check(origin: object) -> None:
        """Count the work of a constructor, and refuse what is no origin: the last argument, or one of too few."""
        tick(units)
        if type(origin) is not Position:
            if origin is MISSING:
                raise Fault(f"a {name} is made with too few arguments; the last one is its origin")
            raise Fault(f"expected a Position as origin of a {name}, found a {kind_of(origin)}")

    return check


def _refuse(field: str, expected: str, value: Value) -> None:
    raise Fault(f"expected a {expected} in the field '{field}', found a {kind_of(value)}")
