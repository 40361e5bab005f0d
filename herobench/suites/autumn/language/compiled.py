"""Compiles a program to Python functions and classes, and finds its statements for a world.

The functions see nothing but the names that are given to them here: no builtins, no modules. The class of an object
type has a constructor and a copy that have no loop over fields. Both are made from text, which consists of names that
were checked by the parser and have a prefix.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from herobench.suites.autumn.language import lists, tree
from herobench.suites.autumn.language.build import FILE, Build
from herobench.suites.autumn.language.cells import Argument, CellCode, CellMaking, CellPlan, constant_cell
from herobench.suites.autumn.language.errors import Fault, Limits
from herobench.suites.autumn.language.expressions import Expressions, LaterExpressions
from herobench.suites.autumn.language.library import RANDOM, SIGNATURES, Library, library
from herobench.suites.autumn.language.names import Names, resolve, within
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.values import (
    MISSING,
    Cell,
    Position,
    RenderedElem,
    Thing,
    Value,
    truthy,
    type_name,
)

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


def define_class(declared: tree.ObjectType) -> type[Thing]:
    """Return the class of an object type, without its constructor."""
    slots = tuple(f"f_{name}" for name in declared.fields)
    members = {
        "__slots__": slots,
        "kind": declared.name,
        "fields": tuple(declared.fields),
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
        field_type = FIELD_TYPES.get(typed) or env.get(f"K_{typed}")
        if field_type is not None:
            types[f"T_{name}"] = field_type
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
        """Count the work of a constructor, and refuse what is not an origin: the last argument, or one of too few."""
        tick(units)
        if type(origin) is not Position:
            if origin is MISSING:
                raise Fault(f"a {name} is made with too few arguments; the last one is its origin")
            raise Fault(f"expected a Position as origin of a {name}, found a {type_name(origin)}")

    return check


def _refuse(field: str, expected: str, value: Value) -> None:
    raise Fault(f"expected a {expected} in the field '{field}', found a {type_name(value)}")


Function = Callable[[], Any]


@dataclass(slots=True)
class Compiled:
    """A program that is ready to run."""

    run: Run
    library: Library
    names: Names
    statements: list[tree.Declare | Function] = field(default_factory=list)
    """What is done at loading, in program order: declarations, and expressions to evaluate."""
    inits: list[tuple[str, Function]] = field(default_factory=list)
    nexts: list[tuple[str, Function]] = field(default_factory=list)
    handlers: list[tuple[Function, Function]] = field(default_factory=list)
    condition: Function | None = None
    functions: list[FunctionType] = field(default_factory=list)
    """The functions that can be values of variables, in the order of their numbers."""
    cells: list[CellCode] = field(default_factory=list)
    kinds: dict[str, type[Thing]] = field(default_factory=dict)

    @property
    def draws_chance(self) -> bool:
        """Whether a cell may draw random numbers when it is drawn."""
        args = [arg for code in self.cells for arg in code.plan.args if isinstance(arg, Argument)]
        return any(isinstance(part, tree.Name) and part.name in RANDOM for part in within(arg.expr for arg in args))

    def declare(self, declared: tree.Declare) -> None:
        """Check what is assigned to a variable from now on, if its type is one that is checked."""
        if declared.type in self.kinds:
            self.run.declared[declared.name] = declared.type
        elif declared.type in FIELD_TYPES and declared.type != "List":
            self.run.declared[declared.name] = "Number" if declared.type == "Int" else declared.type
        else:
            self.run.declared.pop(declared.name, None)


def compile_program(program: tree.Tree, limits: Limits) -> Compiled:
    """Return a program as functions of a run of its own."""
    names = resolve(program)
    env: dict[str, Any] = {"__builtins__": {}}
    run = Run(env, limits)
    compiled = Compiled(run, library(run), names)
    run.sees_identity = names.sees_identity
    _provide(compiled, env)
    compiled.kinds = {name: define_class(declared) for name, declared in program.objects.items()}
    env |= {f"K_{name}": kind for name, kind in compiled.kinds.items()}
    run.places = _definitions(program)
    module = _Module(names)
    module.program(program)
    exec(compile(module.module(), FILE, "exec"), env)  # noqa: S102  nodes that are made here, without builtins
    compiled.cells = module.cell_codes(env)
    compiled.functions = [env[f"f{number}"] for number in range(len(module.expressions.functions))]
    static = {code.plan.at: code.cell for code in compiled.cells if code.shared and code.cell is not None}
    for name, declared in program.objects.items():
        published = [item for item in [*declared.fields, "origin"] if item in module.dynamic]
        if published:
            compiled.library.drawing.published[name] = published
        add_constructor(declared, compiled.kinds[name], env, _static_cells(declared.cells, static))
    _collect(compiled, program, env)
    return compiled


def _collect(compiled: Compiled, program: tree.Tree, env: dict[str, Any]) -> None:
    """Find the functions of statements in the environment."""
    for number, statement in enumerate(program.statements):
        if isinstance(statement, tree.Declare):
            compiled.statements.append(statement)
        elif isinstance(statement, tree.Handler):
            compiled.handlers.append((env[f"on{number}"], env[f"do{number}"]))
        elif isinstance(statement, tree.Expr):
            compiled.statements.append(env[f"do{number}"])
    for number, variable in enumerate(program.state_variables):
        compiled.inits.append((variable.name, env[f"init{number}"]))
        compiled.nexts.append((variable.name, env[f"next{number}"]))
    compiled.run.first = dict.fromkeys(name for name, _ in compiled.inits)
    compiled.condition = env.get("condition")


def _definitions(program: tree.Tree) -> dict[str, int]:
    """Return where each variable is defined among the statements."""
    positions: dict[str, int] = {}
    for statement in program.statements:
        if isinstance(statement, tree.StateVariable | tree.Assign):
            positions.setdefault(statement.name, statement.at)
    return positions


def _static_cells(expr: tree.Expr, static: dict[int, Cell]) -> list[Cell] | None:
    """Return the cells of an object if they are the same for all objects of its type. `static` is by place."""
    items = expr.items if isinstance(expr, tree.ListOf) else [expr]
    cells = [static.get(item.at) if isinstance(item, tree.CallExpression) else None for item in items]
    return [cell for cell in cells if cell is not None] if None not in cells else None


def _provide(compiled: Compiled, env: dict[str, Any]) -> None:
    """Put everything into the environment that generated code may call."""
    run, lib = compiled.run, compiled.library
    making = CellMaking(run)
    env |= {f"n_{name}": native for name, native in lib.natives.items()}
    env |= {
        "MISSING": MISSING,
        "type": type,
        "int": int,
        "truthy": truthy,
        "Position": Position,
        "RenderedElem": RenderedElem,
        "equal": lib.lists.equal,
        "make_cell": making.new_cell,
        "later_name": making.later_name,
        "cells": making.cells,
        **{name: getattr(run, name) for name in ("enter", "leave", "down", "up", "tick", "listed")},
        **{name: getattr(run, name) for name in ("assign", "set_global", "replacing")},
        **lists.OPERATORS,
    }


class _Module:
    """Collects the functions of a program."""

    def __init__(self, names: Names) -> None:
        self.build = Build()
        self.dynamic = names.dynamic
        self.shared = not names.sees_identity
        """Whether constant cells may be shared: they never become others."""
        self.expressions = Expressions(names, self.build, self.dynamic)
        self.body: list[ast.stmt] = []

    def program(self, program: tree.Tree) -> None:
        """Compile all statements."""
        compile_ = self.expressions
        for number, statement in enumerate(program.statements):
            if isinstance(statement, tree.Handler):
                self.build.at = statement.at
                self.add(f"on{number}", compile_.condition(statement.condition))
                self.add(f"do{number}", compile_.value(statement.body))
            elif isinstance(statement, tree.ObjectType):
                self._cells(statement)
            elif isinstance(statement, tree.Expr) and not isinstance(statement, tree.Declare):
                self.add(f"do{number}", compile_.value(statement))
        for number, variable in enumerate(program.state_variables):
            self.add(f"init{number}", compile_.value(variable.init))
            self.add(f"next{number}", compile_.value(variable.next))
        if program.condition is not None:
            self.add("condition", compile_.value(program.condition))
        for number, plan in enumerate(self.expressions.cells):
            self._later(number, plan)

    def _cells(self, declared: tree.ObjectType) -> None:
        """Compile the cells of an object type to a function of its fields."""
        b = self.build
        b.at = declared.at
        pairs = [
            part
            for binder in declared.binders
            if binder.name in self.dynamic
            for part in (b.const(binder.name), b.name(binder.local))
        ]
        code = b.call("cells", self.expressions.value(declared.cells))
        if pairs:
            code = b.sequence([b.call("enter", *pairs), code, b.call("leave")], 1)
        before = self.expressions.counted(declared.cells)
        code = b.sequence([*before, code], len(before))
        self.add(f"cells_{declared.name}", code, [binder.local for binder in declared.binders])

    def _later(self, number: int, plan: CellPlan) -> None:
        """Compile the arguments of a cell that may be evaluated at drawing."""
        for position, arg in enumerate(plan.args):
            if isinstance(arg, Argument):
                compile_ = LaterExpressions(self.expressions, plan, arg.expr)
                before = compile_.counted(arg.expr)
                value = self.build.sequence([*before, compile_.value(arg.expr)], len(before))
                self.add(f"later{number}_{position}", value, ["o", "C"])

    def add(self, name: str, body: ast.expr, params: list[str] | None = None) -> None:
        """Add a function."""
        self.assign(name, self.build.function(params or [], body))

    def assign(self, name: str, value: ast.expr) -> None:
        """Add a variable of the module."""
        target = self.build.place(ast.Name(name, ast.Store()))
        statement = ast.Assign([target], value)
        statement.lineno = statement.end_lineno = self.build.at + 1
        statement.col_offset = statement.end_col_offset = 0
        self.body.append(statement)

    def module(self) -> ast.Module:
        """Return the whole module."""
        for number, function in enumerate(self.expressions.functions):
            self.assign(f"f{number}", function)
        return ast.Module(self.body, [])

    def cell_codes(self, env: dict[str, Any]) -> list[CellCode]:
        """Return the cells, and put them into the environment."""
        codes = []
        for number, plan in enumerate(self.expressions.cells):
            later = tuple(env.get(f"later{number}_{position}") for position in range(3))
            code = CellCode(number, plan, later, constant_cell(plan), self.shared)
            if code.cell is not None:
                code.cell.code = code  # for the place in errors
            codes.append(code)
            env[f"c{number}"] = codes[-1]
        return codes


def initial_variables(compiled: Compiled) -> dict[str, Any]:
    """Return the global variables that are there before the first statement."""
    natives = {name: compiled.library.natives[name] for name in SIGNATURES if name in compiled.names.taken}
    return {
        **natives,
        "GRID_SIZE": 16,
        "FRAME_RATE": 8,
        "background": "black",
        "SpecialConditionTriggered": False,
    }
