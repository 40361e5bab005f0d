"""The length of a plan in decisions: its distinct steps, after repetitions are folded.

Repeated work is not a decision. A plan that gathers ten times in a row decides once, and so does each step in the body
of a loop. The fold works on the list of calls, so a plan counts the same with and without loops:

    gather gather gather craft gather gather gather craft fight    9 actions
    gather craft gather craft fight                                equal neighbours are one
    gather craft fight                                             3 decisions

Scored rows have this figure for the plan in the task's certificate. The analysis uses it as the length of the task.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress, groupby, islice
from operator import eq
from threading import Lock

from herobench.suites.rpg.game.events import CallError, RefusedAction, bound
from herobench.suites.rpg.game.task import Certificate

_PARSING = Lock()
"""Held while parsing: Python 3.11 counts the depth of all syntax trees together, and fails if two threads parse."""
_Calls = Sequence[int]
"""Calls as numbers; equal calls have equal numbers."""


def decisions(calls: Iterable[Hashable]) -> int:
    """Return the number of calls that are left after every block that repeats at once is folded into one.

    The shortest blocks are folded first, until no block repeats at once. The order matters in rare cases: without it,
    one list could be folded to different lengths.
    """
    numbers: dict[Hashable, int] = {}
    left: _Calls = [numbers.setdefault(call, len(numbers)) for call, _ in groupby(calls)]
    size = 1
    # One pass is enough: a shorter block that repeats after a fold would overlap itself in the folded block, so its
    # overlap would have repeated before.
    while 2 * size <= len(left):
        left = _folded(left, size)
        size += 1
    return len(left)


def plan_decisions(certificate: Certificate) -> int | None:
    """Return the number of decisions of the plan in a certificate; None if it is not a plain list of calls."""
    return _count(certificate.plan, certificate.actions)


@lru_cache(maxsize=4096)  # every sample of a task asks again
def _count(plan: str, actions: int) -> int | None:
    try:
        with _PARSING:
            body = ast.parse(plan).body
        # a plan has no more calls than actions, which bounds the expansion of its loops
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
    """Return False when no block of a size repeats at once. Long plans have thousands of sizes without any.

    A block that repeats has a call whose index `size` divides, so only these calls are compared."""
    some = calls[::size]
    return any(map(eq, some, some[1:]))


def _calls(body: Iterable[ast.stmt]) -> Iterator[Hashable]:
    """Yield the calls of a plan in order. Raise ValueError at a statement other than a call, loop or function."""
    for statement in body:
        match statement:
            case ast.FunctionDef():
                pass  # each call of it is one step
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
    """Return a call of an action with its values, however they are written; other calls as text."""
    try:
        given = tuple(map(ast.literal_eval, args))
        named = tuple((str(keyword.arg), ast.literal_eval(keyword.value)) for keyword in keywords)
        return name, bound(name, given, named)
    except (CallError, KeyError, RefusedAction, TypeError):
        return name, *map(ast.unparse, (*args, *(keyword.value for keyword in keywords)))
