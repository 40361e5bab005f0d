"""The language of plans: which Python a plan may be written in, and its compilation.

RestrictedPython refuses every kind of syntax that it does not know; `transformer` is narrower still. There are no
imports, no classes, no attributes to be set, and none to be read but the methods that `methods` lists for the builtin
types. With only exact builtin values and functions around, plain unpacking and iteration need no guards of their own.
What a good model writes naturally and is harmless is let through: type hints (unevaluated), augmented assignment of
items, names with leading underscores, `if __name__ == "__main__":`, `print`.

What a plan does is counted: a tick stands in every loop, function, lambda, handler and comprehension, and operations
that can make or walk much are calls of guards, whose names no plan can spell, so that it can neither call nor replace
them. An action called for its effect alone, as nearly all are, is marked as such, so that no response is built for
nobody to read.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterator
from types import CodeType
from typing import NamedTuple

from herobench.sandbox import fstrings
from herobench.sandbox.characters import forbidden, unknown_name
from herobench.sandbox.transformer import PlanTransformer, Rejected

FILENAME = "<plan>"
MOST_PARTS = 80_000
"""Parts of the syntax tree of a plan: names, numbers, operators, calls. Compiling one takes up to 15 microseconds."""
MOST_CONTINUATIONS = 1_000
_MOST_DEPTH = 60
_MOST_ELIFS = 200
_MOST_NESTED = 15
"""How deeply loops, `try` and the `for` of comprehensions may stand in each other: CPython's own limits differ from
version to version, and Python 3.12 and 3.13 crash on 21 comprehensions in each other."""


def compile_plan(source: str, actions: Collection[str]) -> CodeType:
    """Compile a plan that calls the named actions. Raises Rejected, whatever the text is."""
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
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)  # for unknown escapes, up to Python 3.11
            tree = fstrings.parse(source, FILENAME)
            _measure(tree)
            plan = PlanTransformer(actions).visit(tree)
            return compile(ast.fix_missing_locations(plan), FILENAME, "exec", dont_inherit=True)
    except Rejected:
        raise
    except SyntaxError as error:
        raise Rejected("syntax", f"syntax error: {error.msg}", error.lineno) from None
    except (RecursionError, MemoryError):
        raise Rejected("size", _TOO_DEEP) from None
    except ValueError as error:
        raise Rejected("syntax", f"syntax error: {error}") from None


_TOO_DEEP = "the plan is too deeply nested"
_BLOCKS = (ast.For, ast.While, ast.Try)


class _Visit(NamedTuple):
    """A node, and how deep it stands in the tree, in loops and in a chain of `elif`."""

    node: ast.AST
    depth: int
    nested: int
    elifs: int


def _measure(tree: ast.AST) -> None:
    """Count the parts of each node, and keep the count as its `size`; refuse what is too large, or too deep for the
    recursive passes that follow. The walk itself is not recursive."""
    seen: list[ast.AST] = []
    waiting = [_Visit(tree, 1, 0, 0)]
    while waiting:
        visit = waiting.pop()
        if visit.depth > _MOST_DEPTH or visit.nested > _MOST_NESTED or visit.elifs > _MOST_ELIFS:
            raise Rejected("size", _TOO_DEEP, getattr(visit.node, "lineno", None))
        seen.append(visit.node)
        if len(seen) > MOST_PARTS:
            raise Rejected("size", f"the plan's code has more than {MOST_PARTS:,} parts")
        waiting.extend(_children(visit))
    for node in reversed(seen):
        node.size = 1 + sum(child.size for child in ast.iter_child_nodes(node))  # type: ignore[attr-defined]


def _children(visit: _Visit) -> Iterator[_Visit]:
    """The parts of a node. An `elif` stands no deeper than its `if`."""
    node = visit.node
    nested = visit.nested + isinstance(node, _BLOCKS) + len(getattr(node, "generators", ()))
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]:
            yield _Visit(child, visit.depth, nested, visit.elifs + 1)
        else:
            yield _Visit(child, visit.depth + 1, nested, 0)
