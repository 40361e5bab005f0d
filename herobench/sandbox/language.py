"""The language of plans: check that a text is a plan, and read it as steps or compile it. `play` calls `read_plan`.

Plans have no imports, no classes, and no attributes but the methods that `methods` lists; `transformer` holds the rest.
Harmless things that models write are allowed: type hints, `if __name__ == "__main__":`, `print`. Compiled code counts
what it does: there is a tick in every loop and function, and a guard in place of every operation that can be large.
A task may ask for a straight plan, which holds far less: `straight` has its grammar. This module must refuse a text
with Rejected only, whatever the text is.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from herobench.rpg.task import PlanTrack
from herobench.sandbox import fstrings
from herobench.sandbox.characters import forbidden, unknown_name
from herobench.sandbox.rejected import Rejected
from herobench.sandbox.repeats import written_out
from herobench.sandbox.steps import Steps, steps_of
from herobench.sandbox.straight import check_straight
from herobench.sandbox.transformer import PlanTransformer

FILENAME = "<plan>"
MOST_PARTS = 80_000
"""The most nodes (names, numbers, operators, calls) of a plan. Compiling each takes up to 15 microseconds."""
MOST_CONTINUATIONS = 1_000
"""The most lines that end with a backslash."""
_MOST_DEPTH = 60
_MOST_ELIFS = 200
MOST_NESTED = 15
"""The greatest depth of nested loops, `try` and `for` of comprehensions. CPython's own limits differ from version to
version, and Python 3.12 and 3.13 crash on 21 nested comprehensions."""
_TOO_DEEP = "the plan is too deeply nested"
_BLOCKS = frozenset({ast.For, ast.While, ast.Try})
_LEAVES = frozenset({ast.Name, ast.Constant})
_COMPREHENSIONS = frozenset({ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp})


def read_plan(source: str, actions: Collection[str], track: PlanTrack = "program") -> Steps | CodeType:
    """Return a plan of a track as steps, if it has nothing but calls of the named actions and loops, else compiled.

    Raises Rejected for every text that is no plan."""
    with _refusals():
        steps = _steps_written_out(source, actions, track)
        if steps is not None:
            return steps
        tree = _parsed(source, actions, track)
        steps = steps_of(tree, actions)
        return _compiled(tree, actions) if steps is None else steps


def compile_plan(source: str, actions: Collection[str], track: PlanTrack = "program") -> CodeType:
    """Compile a plan of a track, whatever it holds. Raises Rejected for every text that is no plan."""
    with _refusals():
        return _compiled(_parsed(source, actions, track), actions)


def _steps_written_out(source: str, actions: Collection[str], track: PlanTrack) -> Steps | None:
    """Return a plan that repeats its statements as steps; None for one that has to be read as a whole."""
    plan = written_out(source)
    if plan is None:
        return None
    try:
        tree = _parsed(plan.text, actions, track)
    # A refusal has to name a line of the plan; and what begins a statement here may stand within a text of the plan.
    except (Rejected, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if [statement.lineno for statement in tree.body] != plan.lines:
        return None
    sizes = [statement.size for statement in tree.body]  # type: ignore[attr-defined]
    if sum(sizes[place.statement] for place in plan.places) >= MOST_PARTS:
        return None
    return steps_of(tree, actions, plan.places)


@contextmanager
def _refusals() -> Iterator[None]:
    """Raise Rejected for what Python itself refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.11 warns of unknown escapes in this way
            yield
    except Rejected:
        raise
    except SyntaxError as error:
        raise Rejected("syntax", f"syntax error: {error.msg}", error.lineno) from None
    except (RecursionError, MemoryError):
        raise Rejected("size", _TOO_DEEP) from None
    except ValueError as error:
        raise Rejected("syntax", f"syntax error: {error}") from None


def _parsed(source: str, actions: Collection[str], track: PlanTrack) -> ast.Module:
    """Return the syntax tree of a plan of a track, whose nodes have their sizes."""
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
    _measure(tree)
    if track == "straight":
        check_straight(tree, actions)
    return tree


def _compiled(tree: ast.Module, actions: Collection[str]) -> CodeType:
    plan = PlanTransformer(actions).visit(tree)
    _locate(plan)
    # Not inherited: the `__future__` import of this module must not change what a plan means.
    return compile(plan, FILENAME, "exec", dont_inherit=True)


def _measure(tree: ast.AST) -> None:
    """Count the parts of each node, and keep the count as its `size`. Refuse a tree that is too large or too deep."""
    # Not recursive, because it protects the recursive passes behind it from trees that are too deep for them.
    nodes: list[Any] = []
    parents: list[int] = []
    waiting = [(tree, 0, 1, 0, 0)]
    while waiting:
        node, parent, depth, nested, elifs = waiting.pop()
        if depth > _MOST_DEPTH or nested > MOST_NESTED or elifs > _MOST_ELIFS:
            raise Rejected("size", _TOO_DEEP, getattr(node, "lineno", None))
        here = len(nodes)
        nodes.append(node)
        parents.append(parent)
        if here >= MOST_PARTS:
            raise Rejected("size", f"the plan's code has more than {MOST_PARTS:,} parts")
        kind = type(node)
        if kind in _BLOCKS:
            nested += 1
        elif kind in _COMPREHENSIONS:
            nested += len(node.generators)  # type: ignore[attr-defined]
        for child in _children(node):
            if kind is ast.If and type(child) is ast.If and node.orelse == [child]:  # type: ignore[attr-defined]
                waiting.append((child, here, depth, nested, elifs + 1))  # an `elif` stands no deeper than its `if`
            else:
                waiting.append((child, here, depth + 1, nested, 0))
    sizes = [1] * len(nodes)
    for number in range(len(nodes) - 1, 0, -1):  # backwards, since children come behind their parents
        nodes[number].size = sizes[number]
        sizes[parents[number]] += sizes[number]


def _children(node: ast.AST) -> list[ast.AST]:
    """Return the children of a node without its context: a faster `ast.iter_child_nodes`."""
    if type(node) in _LEAVES:
        return []
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST) and name != "ctx":
            found.append(value)
    return found


def _locate(tree: ast.AST) -> None:
    """Give each node that the transformer added the line of its parent: a faster `ast.fix_missing_locations`."""
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
