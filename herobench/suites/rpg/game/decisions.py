"""The length of a plan in decisions: its distinct steps, after repetitions are folded.

Work that is only repeated is no decision. A plan that gathers ten times in a row decides once, and so does each step in
the body of a loop. The fold looks at the list of calls, so a plan counts the same with loops and without:

    gather gather gather craft gather gather gather craft fight    9 actions
    gather craft gather craft fight                                equal neighbours are one
    gather craft fight                                             3 decisions

Rows of tasks have this figure of the plan in their certificate. The analysis takes it for the length of a task.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress, groupby, islice
from operator import eq
from threading import Lock

from herobench.suites.rpg.game.arguments import CallError, RefusedAction, bound
from herobench.suites.rpg.game.task import Certificate

_PARSING = Lock()
"""Python 3.11 counts the depth of all syntax trees in one place, and fails when two threads parse at once."""
_Calls = Sequence[int]
"""Calls as numbers; equal calls have equal numbers."""


def decisions(calls: Iterable[Hashable]) -> int:
    """Return the number of calls that are left when every block that stands twice in a row is folded into one.

    The shortest blocks are folded first, until no block stands twice in a row. The order matters in rare cases: without
    it, one list could be folded to different lengths.
    """
    numbers: dict[Hashable, int] = {}
    left: _Calls = [numbers.setdefault(call, len(numbers)) for call, _ in groupby(calls)]
    size = 1
    # One pass is enough: a shorter block that stood twice after a fold would overlap itself in the block that was
    # folded, and then its overlap had stood twice before.
    while 2 * size <= len(left):
        left = _folded(left, size)
        size += 1
    return len(left)


def plan_decisions(certificate: Certificate) -> int | None:
    """Return the number of decisions of the plan in a certificate; None if the plan is no list of calls."""
    return _count(certificate.plan, certificate.actions)


@lru_cache(maxsize=4096)  # every sample of a task asks again
def _count(plan: str, actions: int) -> int | None:
    try:
        with _PARSING:
            body = ast.parse(plan).body
        # a plan cannot have more calls than actions, so the expansion of its loops is bounded
        return decisions(islice(_calls(body), actions))
    except (SyntaxError, ValueError):
        return None


def _folded(calls: _Calls, size: int) -> _Calls:
    """Return the calls with blocks of a size folded: of equal blocks in a row, the first is kept."""
    if not _may_fold(calls, size):
        return calls
    kept = [True] * len(calls)
    end = 0
    for repeats, run in groupby(one == other for one, other in zip(calls, calls[size:], strict=False)):
        start, end = end, end + sum(1 for _ in run)
        if repeats:
            # a run of `size` or more calls that equal those `size` places on is one block after the other
            dropped = (end - start) // size * size
            kept[start + size : start + size + dropped] = [False] * dropped
    return list(compress(calls, kept))


def _may_fold(calls: _Calls, size: int) -> bool:
    """Return False when no block of a size stands twice in a row. Long plans have thousands of sizes without any.

    Of a block that stands twice, some call has a number that `size` divides, so only such calls are looked at."""
    some = calls[::size]
    return any(map(eq, some, some[1:]))


def _calls(body: Iterable[ast.stmt]) -> Iterator[Hashable]:
    """Yield the calls of a plan in their order. Raise ValueError at a statement that is no call, loop or function."""
    for statement in body:
        match statement:
            case ast.FunctionDef():
                pass  # what it does is one step, each time it is called
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=args, keywords=keywords)):
                yield _call(name, args, keywords)
            case ast.For(
                target=ast.Name(),
                iter=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(times))], keywords=[]),
                orelse=[],
            ):
                for _ in range(times):
                    yield from _calls(statement.body)
            case _:
                raise ValueError(statement)


def _call(name: str, args: list[ast.expr], keywords: list[ast.keyword]) -> Hashable:
    """Return a call of an action by what it is given, however that is written; other calls by their text."""
    try:
        given = tuple(map(ast.literal_eval, args))
        named = tuple((str(keyword.arg), ast.literal_eval(keyword.value)) for keyword in keywords)
        return name, bound(name, given, named)
    except (CallError, KeyError, RefusedAction, TypeError):
        return name, *map(ast.unparse, (*args, *(keyword.value for keyword in keywords)))
