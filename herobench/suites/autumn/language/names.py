"""Decides which variables of a program are plain local ones, and which need dynamic scope.

Autumn has dynamic scope: a function sees the variables of its callers. Generated code is fast where a name can only
mean one thing, so every occurrence of a name is resolved from the text first:

- An occurrence is *bound* if the parameter, field or `let` variable that it means stands around it in one function.
  A function that a native calls at once, such as the one in `(map (--> x ..) l)`, belongs to the function around it.
- Any other occurrence is *loose*: it means what its callers, or the global variables, have under that name.

A name that has loose occurrences, and is a local variable somewhere, is *dynamic*: all its occurrences go through the
run's frames. All other names are Python locals or global variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from herobench.suites.autumn.language import tree
from herobench.suites.autumn.language.library import SIGNATURES

PREDEFINED = frozenset({"GRID_SIZE", "FRAME_RATE", "background", "click", "SpecialConditionTriggered"})
"""Global variables that every program has."""
_NAMED = (tree.StateVariable, tree.Declare)


@dataclass(slots=True)
class _Scope:
    """What stands around an expression: the parameters of a function, a `let`, or the fields of an object."""

    owner: tree.Lambda | tree.Let | tree.ObjectType
    binders: dict[str, tree.Binder] = field(default_factory=dict)


@dataclass(slots=True)
class Names:
    """What is known of the names of a program."""

    taken: frozenset[str]
    """Names that the program gives to something of its own; natives of such a name are called by value."""
    objects: frozenset[str]
    loose: set[str] = field(default_factory=set)
    local: set[str] = field(default_factory=set)
    sees_identity: bool = False
    """Whether something depends on which object it is, beside its value."""

    @property
    def dynamic(self) -> frozenset[str]:
        """Names of dynamic scope."""
        return frozenset(self.loose & self.local)

    def native(self, name: str) -> bool:
        """Say whether a name is certain to mean a native function."""
        return name in SIGNATURES and name not in self.taken and name not in self.objects


def resolve(program: tree.Tree) -> Names:
    """Return what is known of the names of a program, and mark the nodes of its tree."""
    objects = frozenset(program.objects) | {"Position", "Cell", "RenderedElem"}
    names = Names(frozenset(_names_used(program)), objects)
    names.loose |= PREDEFINED | (names.taken & SIGNATURES.keys())
    names.loose |= {declared.name for declared in program.statements if isinstance(declared, _NAMED)}
    walk = _Walk(names)
    for statement in program.statements:
        if isinstance(statement, tree.ObjectType):
            statement.binders = [walk.binder(name, is_field=True) for name in [*statement.fields, "origin"]]
            scope = _Scope(statement, {binder.name: binder for binder in statement.binders})
            walk.expr(statement.cells, (scope,), certain=False)
        else:
            for expr in parts(statement):
                walk.expr(expr, (), certain=False)
    if program.condition is not None:
        walk.expr(program.condition, (), certain=False)
    return names


def parts(statement: tree.Expr | tree.StateVariable | tree.Handler | tree.ObjectType) -> list[tree.Expr]:
    """Return the expressions of a statement."""
    match statement:
        case tree.StateVariable():
            return [statement.init, statement.next]
        case tree.Handler():
            return [statement.condition, statement.body]
        case tree.ObjectType():
            return [statement.cells]
        case _:
            return [statement]


def children(expr: tree.Expr) -> list[tree.Expr]:
    """Return the expressions in an expression."""
    match expr:
        case tree.ListOf() | tree.Let():
            return expr.items
        case tree.If():
            return [expr.condition, expr.then, expr.otherwise]
        case tree.Assign():
            return [expr.value]
        case tree.Lambda():
            return [expr.body]
        case tree.Get():
            return [expr.thing]
        case tree.Unary():
            return [expr.operand]
        case tree.Binary() | tree.Logic():
            return [expr.left, expr.right]
        case tree.CallExpression():
            return [expr.head, *expr.args]
        case _:
            return []


def within(exprs: Iterable[tree.Expr]) -> Iterator[tree.Expr]:
    """Yield expressions and everything in them."""
    waiting = list(exprs)
    while waiting:
        expr = waiting.pop()
        yield expr
        waiting += children(expr)


def _names_used(program: tree.Tree) -> Iterator[str]:
    """Yield every name that a program defines or assigns."""
    roots = [part for statement in program.statements for part in parts(statement)]
    for expr in within([*roots, *([program.condition] if program.condition else [])]):
        if isinstance(expr, tree.Assign):
            yield expr.name
        elif isinstance(expr, tree.Lambda):
            yield from expr.params
    for statement in program.statements:
        if isinstance(statement, tree.StateVariable):
            yield statement.name
        elif isinstance(statement, tree.ObjectType):
            yield from [*statement.fields, "origin"]


class _Walk:
    """Walks expressions in the order of their evaluation."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._count = 0

    def binder(self, name: str, *, is_field: bool = False) -> tree.Binder:
        """Return a new local variable."""
        self._count += 1
        self.names.local.add(name)
        return tree.Binder(name, f"v{self._count}_{name}", is_field)

    def expr(self, expr: tree.Expr, scopes: tuple[_Scope, ...], *, certain: bool) -> None:
        """Resolve an expression. `certain` says that it is an item of the innermost `let`, and so always evaluated."""
        match expr:
            case tree.Name():
                expr.binder = self._find(expr.name, scopes)
                if expr.binder is None:
                    self.names.loose.add(expr.name)
                    self.names.sees_identity |= expr.name in ("prev", "removeObj")
            case tree.Assign():
                self.expr(expr.value, scopes, certain=False)
                self._assign(expr, scopes, certain)
            case tree.Let():
                inner = (*scopes, _Scope(expr))
                for item in expr.items:
                    self.expr(item, inner, certain=True)
            case tree.Lambda():
                self._lambda(expr, scopes)
            case tree.CallExpression():
                self._call(expr, scopes)
            case _:
                for child in children(expr):
                    self.expr(child, scopes, certain=False)

    def _find(self, name: str, scopes: tuple[_Scope, ...]) -> tree.Binder | None:
        """Return the local variable that a name means for certain."""
        for scope in reversed(scopes):
            if name in scope.binders:
                return scope.binders[name]
            if isinstance(scope.owner, tree.Lambda) and scope.owner.given is None:
                return None
        return None

    def _assign(self, expr: tree.Assign, scopes: tuple[_Scope, ...], certain: bool) -> None:
        """Resolve the target of an assignment: it overwrites a variable of this function, or defines one in a `let`."""
        expr.scoped = bool(scopes)
        for scope in reversed(scopes):
            if expr.name in scope.binders and not isinstance(scope.owner, tree.ObjectType):
                expr.binder = scope.binders[expr.name]
                return
            if not isinstance(scope.owner, tree.Let):
                break
        innermost = scopes[-1].owner if scopes else None
        if certain and isinstance(innermost, tree.Let) and self._find(expr.name, scopes) is None:
            expr.binder, expr.defines = self.binder(expr.name), True
            scopes[-1].binders[expr.name] = expr.binder
            innermost.defined.append(expr.name)
            return
        self.names.loose.add(expr.name)
        if scopes:
            self.names.local.add(expr.name)
        if isinstance(innermost, tree.Let | tree.Lambda):
            innermost.needs_frame = True

    def _lambda(self, expr: tree.Lambda, scopes: tuple[_Scope, ...]) -> None:
        expr.binders = [self.binder(name) for name in expr.params]
        scope = _Scope(expr, {binder.name: binder for binder in expr.binders})
        self.expr(expr.body, (*scopes, scope), certain=False)

    def _call(self, expr: tree.CallExpression, scopes: tuple[_Scope, ...]) -> None:
        name = expr.head.name
        native = self.names.native(name)
        if native:
            for number, arity in SIGNATURES[name].calls.items():
                self._give(expr.args, number, arity)
            self._mark_identity(name, expr.args)
        elif name not in self.names.objects:
            self.expr(expr.head, scopes, certain=False)
        is_prev = native and name == "prev" and len(expr.args) == 1 and isinstance(expr.args[0], tree.Name)
        if is_prev:
            return  # the name of a global variable, and no variable that is read
        for arg in expr.args:
            self.expr(arg, scopes, certain=False)

    @staticmethod
    def _give(args: list[tree.Expr], number: int, arity: int) -> None:
        """Mark a function that a native calls at once. `updateObj` may keep a function that stands behind a field."""
        function = args[number] if number < len(args) else None
        if isinstance(function, tree.Lambda) and all(isinstance(arg, tree.Lambda) for arg in args[1:number]):
            function.given = arity

    def _mark_identity(self, name: str, args: list[tree.Expr]) -> None:
        if name == "prev" and len(args) == 1:
            plain = isinstance(args[0], tree.Name | tree.Literal)
            self.names.sees_identity |= not plain
        elif name == "removeObj":
            self.names.sees_identity |= len(args) < 2 or not isinstance(args[1], tree.Lambda)
