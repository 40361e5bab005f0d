"""A set that holds None has one order in all workers, on all versions of Python."""

from __future__ import annotations

import sys
from dataclasses import asdict

import pytest

from herobench.sandbox.bounds import Limits
from herobench.sandbox.wire import Scene, played_from
from herobench.sandbox.worker import PINNED
from herobench.sandbox.worker_handle import WorkerHandle
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task
from tests.sandbox.plans import plan_error, printed
from tests.sizes import for_each, many

PLAN = """
for value in {None, *range(7), 100, 1000}:
    print(value)
for value in {(None, n) for n in range(9)} | {(n, (None,)) for n in range(3)}:
    print(value)
for value in {frozenset({None, n}) for n in range(5)}:
    print(sum(n for n in value if n is not None))
"""


@pytest.mark.slow
def test_a_set_with_none_has_one_order_in_all_workers(tiny: World) -> None:
    task = craft_task(tiny, "brick")
    request = {
        "plan": PLAN,
        "track": "program",
        **Scene(tiny, load_rules(), task).request(),
        "limits": asdict(Limits()),
    }
    seen = set()
    for _ in range(many(12, 5)):
        worker = WorkerHandle(tiny, Limits())
        try:
            seen.add(played_from(worker.ask(request, 10)).output)
        finally:
            worker.kill()
    assert len(seen) == 1
    assert next(iter(seen)).split() == ORDER.split()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the hash of None is its address up to Python 3.11")
def test_the_hash_is_that_of_python_3_12() -> None:
    assert hash(None) == PINNED


@for_each(
    "plan",
    [
        "{...}", "{...: 1}", "{1: 2, ...: 3}", "{1, (2, ...)}", "d = {}\nd[...]", "d = {}\nd[...] = 1",
        "d = {}\nd[1, ...] = 1",
        "d = {1: 2}\ndel d[...]", "x = ...\n{x}", "x = ...\n{(1, (x,)): 1}", "set([...])", "dict([(..., 1)])",
        "frozenset([...])",
        "{x for x in [...]}", "{x: 1 for x in [...]}", "{1}.add(...)", "{}.get(...)", "... in {1}", "... in {1: 2}",
        "d = {}\nd[...] += 1", "for d in [{}]:\n    d[(..., 1)] = 1", "{*[...]}", "{frozenset({(...,)})}",
    ],
)  # fmt: skip
def test_ellipsis_is_no_key(plan: str) -> None:
    assert plan_error(plan) == "TypeError: a ellipsis cannot be a key in a plan"


def test_ellipsis_may_be_anything_but_a_key() -> None:
    assert printed("x = [...]\nprint(... in x, x == [...], {1: ...}[1] is ...)") == "True True True\n"


ORDER = """
None
0
2
3
1
4
5
6
100
1000
(0, (None,))
(None, 4)
(None, 0)
(None, 7)
(2, (None,))
(None, 3)
(None, 6)
(1, (None,))
(None, 5)
(None, 2)
(None, 8)
(None, 1)
2
0
4
1
3
"""
"""The output of Python 3.12."""
