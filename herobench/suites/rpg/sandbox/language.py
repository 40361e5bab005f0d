"""The language of plans: check that a text is a plan, and read it as steps or compile it.

Nine of ten plans have only calls of actions in counted loops. These are read as steps.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any, NamedTuple

from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.task import PlanTrack
from herobench.suites.rpg.sandbox import fstrings
from herobench.suites.rpg.sandbox.bounds import (
    MOST_CODE_PARTS,
    PlanBudget,
    Rejected,
    check_straight,
    code_steps,
    forbidden,
    literal,
    unknown_name,
)
from herobench.suites.rpg.sandbox.transformer import PlanTransformer
from herobench.suites.rpg.sandbox.trees import FILENAME
from herobench.suites.rpg.sandbox.wire import recordable

_MARGIN = (" ", "#")
"""The beginnings of lines that do not begin a statement. Empty lines do not either."""
_TIMES = 2
"""A plan is read by its distinct statements if each occurs this often on average. Otherwise it would save nothing."""


class Place(NamedTuple):
    """A statement of the plan."""

    statement: int
    """Its number among the distinct ones."""
    line: int


class WrittenOut(NamedTuple):
    """A plan by its distinct statements."""

    text: str
    """The distinct statements."""
    lines: list[int]
    """The line of each in that text."""
    places: list[Place]
    """All statements of the plan, in order."""


def written_out(source: str) -> WrittenOut | None:
    """Return a plan by its distinct statements; None if it repeats few, or if its lines may be misread.

    The caller has to check in the parsed text that each statement begins on its line, so that none continues in the
    next one."""
    # A backslash joins lines. Unprintable characters, such as tabs, may be forbidden or end a line.
    if "\\" in source or not source.replace("\n", "").isprintable():
        return None
    lines = source.split("\n")
    starts = [number for number, line in enumerate(lines) if line and not line.startswith(_MARGIN)]
    if not starts or not all(map(_is_bare, lines[: starts[0]])):
        return None
    numbers: dict[str, int] = {}
    places = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        while _is_bare(lines[end - 1]):
            end -= 1
        statement = lines[start] if end - start == 1 else "\n".join(lines[start:end])
        places.append(Place(numbers.setdefault(statement, len(numbers)), start + 1))
    if len(numbers) * _TIMES > len(places):
        return None
    text, at = "\n".join(numbers), [1]
    for statement in numbers:
        at.append(at[-1] + statement.count("\n") + 1)
    return WrittenOut(text, at[:-1], places)


def _is_bare(line: str) -> bool:
    """Return whether a line between two statements has at most a comment."""
    bare = line.lstrip()
    return not bare or bare[0] == "#"


_SIMPLE_NAME = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]{0,49}")
_DOUBTFUL = 10**18
"""From here on, the language may refuse a number for its length."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A counted loop."""

    turns: range
    cost: int
    """The steps that each turn costs."""
    line: int
    """The line of the first statement of its body."""
    body: Sequence[Action | Loop]


Steps = Sequence[Action | Loop]


class _Doubt(Exception):
    """Raised where a plan may have more than calls and loops."""


def read_steps(tree: ast.Module, actions: Collection[str], places: Iterable[Place] | None = None) -> Steps | None:
    """Return a plan as steps; None for one that has to be compiled. Each node has its `size`.

    With `places`, the tree has the distinct statements of the plan, and the places say where each occurs."""
    try:
        check_straight(tree, actions)
        if places is None:
            return _block(tree.body)
        blocks = [(statement.lineno, _block([statement])) for statement in tree.body]
    except (Rejected, _Doubt):
        return None
    return [_move_down(step, line - blocks[which][0]) for which, line in places for step in blocks[which][1]]


def _move_down(step: Action | Loop, lines: int) -> Action | Loop:
    """Return a step moved down by some lines."""
    if isinstance(step, Loop):
        return Loop(step.turns, step.cost, step.line + lines, [_move_down(inner, lines) for inner in step.body])
    assert step.line is not None
    return Action(step.name, step.args, step.keywords, step.line + lines)


def _block(statements: Iterable[ast.stmt]) -> Steps:
    steps: list[Action | Loop] = []
    for statement in statements:
        if isinstance(statement, ast.For):
            steps.append(_loop(statement))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            steps.append(_call(statement.value))
    return steps


def _loop(loop: ast.For) -> Loop:
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    _sure(loop.target.id)
    ends = [_number(end) for end in loop.iter.args]
    return Loop(range(*ends), code_steps([loop.target, *loop.body]), loop.body[0].lineno, _block(loop.body))


def _call(call: ast.Call) -> Action:
    assert isinstance(call.func, ast.Name)
    by_name = [(_sure(keyword.arg), recordable(_value(keyword.value))) for keyword in call.keywords]
    if len(dict(by_name)) < len(by_name):  # the compiler refuses repeated names
        raise _Doubt
    args = tuple([recordable(_value(argument)) for argument in call.args])
    return Action(call.func.id, args, tuple(by_name), call.lineno)


def _sure(name: str | None) -> str:
    if name is None or not _SIMPLE_NAME.fullmatch(name):
        raise _Doubt
    return name


def _value(expression: ast.expr) -> str | int:
    value = literal(expression)
    if value is None or (isinstance(value, int) and value >= _DOUBTFUL):
        raise _Doubt
    return -value if isinstance(value, int) and _is_negative(expression) else value


def _number(expression: ast.expr) -> int:
    value = _value(expression)
    assert isinstance(value, int)
    return value


def _is_negative(expression: ast.expr) -> bool:
    return isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub)


class StepWalk:
    """Follows steps. `line` is the present line of the plan."""

    __slots__ = ("_act", "_budget", "line")

    def __init__(self, act: Callable[[Action], object], budget: PlanBudget) -> None:
        self._act = act
        self._budget = budget
        self.line: int | None = None

    def follow(self, steps: Steps) -> None:
        """Do the steps in order. Exceptions of actions and the budget pass through."""
        for step in steps:
            if isinstance(step, Loop):
                for _ in step.turns:
                    self.line = step.line
                    self._budget.tick(step.cost)
                    self.follow(step.body)
            else:
                self.line = step.line
                self._budget.act()
                self._act(step)


MOST_CONTINUATIONS = 1_000
"""The most lines that end with a backslash."""
_MOST_DEPTH = 60
_MOST_ELIFS = 200
MOST_NESTED = 15
"""The greatest depth of nested loops, `try` and `for` of comprehensions. CPython's own limits differ between versions,
and Python 3.12 and 3.13 crash on 21 nested comprehensions."""
_TOO_DEEP = "the plan is too deeply nested"
_BLOCKS = frozenset({ast.For, ast.While, ast.Try})
_LEAVES = frozenset({ast.Name, ast.Constant})
_COMPREHENSIONS = frozenset({ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp})


def read_plan(
    source: str, actions: Collection[str], track: PlanTrack = "program", most: int = MOST_CODE_PARTS
) -> Steps | CodeType:
    """Return a plan of a track as steps if it has only calls of the named actions and loops, else compiled.

    Raises Rejected for any other text, and for one of more parts than `most`."""
    with _refusals():
        steps = _steps_written_out(source, actions, track, most)
        if steps is not None:
            return steps
        tree = _parse(source, actions, track, most)
        steps = read_steps(tree, actions)
        return _compile(tree, actions) if steps is None else steps


def compile_plan(source: str, actions: Collection[str], track: PlanTrack = "program") -> CodeType:
    """Compile a plan of a track, even one of steps. Raises Rejected for any other text."""
    with _refusals():
        return _compile(_parse(source, actions, track), actions)


def _steps_written_out(source: str, actions: Collection[str], track: PlanTrack, most: int) -> Steps | None:
    """Return a plan with repeated statements as steps; None for one that has to be read as a whole."""
    plan = written_out(source)
    if plan is None:
        return None
    try:
        tree = _parse(plan.text, actions, track, most)
    # A refusal has to name a line of the plan, and a line that seems to begin a statement may be inside a string.
    except (Rejected, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if [statement.lineno for statement in tree.body] != plan.lines:
        return None
    sizes = [statement.size for statement in tree.body]  # type: ignore[attr-defined]
    if sum(sizes[place.statement] for place in plan.places) >= most:
        return None
    return read_steps(tree, actions, plan.places)


@contextmanager
def _refusals() -> Iterator[None]:
    """Raise Rejected for errors of Python's own parser and compiler."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)  # so Python 3.11 warns of unknown escapes
            yield
    except Rejected:
        raise
    except SyntaxError as error:
        raise Rejected("syntax", f"syntax error: {error.msg}", error.lineno) from None
    except (RecursionError, MemoryError):
        raise Rejected("size", _TOO_DEEP) from None
    except ValueError as error:
        raise Rejected("syntax", f"syntax error: {error}") from None


def _parse(source: str, actions: Collection[str], track: PlanTrack, most: int = MOST_CODE_PARTS) -> ast.Module:
    """Return the syntax tree of a plan of a track, with the size of each node."""
    strange = forbidden(source)
    if strange:
        line = source.count("\n", 0, strange.start()) + 1
        raise Rejected("forbidden", f"the character U+{ord(strange[0]):04X} has no place in a plan", line)
    unknown = unknown_name(source)
    if unknown:
        line = source.count("\n", 0, unknown.start()) + 1
        raise Rejected("syntax", f"syntax error: unknown Unicode character name {unknown[1]!r}", line)
    if source.count("\\\n") > MOST_CONTINUATIONS:
        raise Rejected("size", f"the plan has more than {MOST_CONTINUATIONS:,} lines that a backslash continues")
    tree = fstrings.parse(source, FILENAME)
    _measure(tree, most)
    if track == "straight":
        check_straight(tree, actions)
    return tree


def _compile(tree: ast.Module, actions: Collection[str]) -> CodeType:
    plan = PlanTransformer(actions).visit(tree)
    _locate(plan)
    # Not inherited: the `__future__` import of this module must not change the meaning of a plan.
    return compile(plan, FILENAME, "exec", dont_inherit=True)


def _measure(tree: ast.AST, most: int) -> None:
    """Store the number of parts of each node as its `size`. Refuse a tree of more parts than `most`, or too deep."""
    # Not recursive, because it protects later, recursive passes from trees that are too deep.
    nodes: list[Any] = []
    parents: list[int] = []
    waiting = [(tree, 0, 1, 0, 0)]
    while waiting:
        node, parent, depth, nesting, elifs = waiting.pop()
        if depth > _MOST_DEPTH or nesting > MOST_NESTED or elifs > _MOST_ELIFS:
            raise Rejected("size", _TOO_DEEP, getattr(node, "lineno", None))
        here = len(nodes)
        nodes.append(node)
        parents.append(parent)
        if here >= most:
            raise Rejected("size", f"the plan's code has more than {most:,} parts")
        kind = type(node)
        if kind in _BLOCKS:
            nesting += 1
        elif kind in _COMPREHENSIONS:
            nesting += len(node.generators)  # type: ignore[attr-defined]
        for child in _children(node):
            if kind is ast.If and type(child) is ast.If and node.orelse == [child]:  # type: ignore[attr-defined]
                waiting.append((child, here, depth, nesting, elifs + 1))  # an `elif` is as deep as its `if`
            else:
                waiting.append((child, here, depth + 1, nesting, 0))
    sizes = [1] * len(nodes)
    for number in range(len(nodes) - 1, 0, -1):  # backwards, since children follow their parents
        nodes[number].size = sizes[number]
        sizes[parents[number]] += sizes[number]


def _children(node: ast.AST) -> list[ast.AST]:
    """Return the children of a node without its context: a faster `ast.iter_child_nodes`."""
    if type(node) in _LEAVES:
        return []
    children: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if type(value) is list:
            children += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST) and name != "ctx":
            children.append(value)
    return children


def _locate(tree: ast.AST) -> None:
    """Give each node from the transformer the line of its parent: a faster `ast.fix_missing_locations`."""
    waiting = [(tree, 1)]
    while waiting:
        node, line = waiting.pop()
        if node._attributes:
            own: int | None = getattr(node, "lineno", None)
            if own is None:
                node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
                node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
            else:
                line = own
        waiting += [(child, line) for child in _children(node)]
