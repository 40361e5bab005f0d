"""A set that holds None has one order in all workers, on all versions of Python."""

from __future__ import annotations

import subprocess
import sys

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import worker
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.wire import played_from
from herobench.suites.rpg.sandbox.worker_handle import WorkerHandle
from tests.sizes import for_each, many
from tests.suites.rpg.sandbox.plans import plan_error, printed, request

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
    seen = set()
    for _ in range(many(12, 5)):
        process = WorkerHandle(tiny, Limits())
        try:
            seen.add(played_from(process.ask(request(tiny, PLAN), 10)).output)
        finally:
            process.kill()
    assert len(seen) == 1
    assert next(iter(seen)).split() == ORDER.split()


PINNED = """
import gc, os
from herobench.suites.rpg.sandbox.worker import NONE_HASH, pin_none_hash

def is_fixed():
    try:
        type(None).__hash__ = None
    except TypeError:
        return True

before = os.listdir("/dev/fd")
pin_none_hash()
pin_none_hash()
assert os.listdir("/dev/fd") == before, "nothing is left open"
gc.collect()
assert hash(None) == NONE_HASH == 0xFCA86420
assert {None: 1, 2: None}[None] == {(None, 1): 1}[None, 1] == 1
assert is_fixed(), "None's type is as immutable as before"
assert [hash(value) for value in (True, 1, 2.5, ())] == [1, 1, hash(2.5), hash(())]
"""


def test_none_gets_the_hash_of_python_3_12_on_every_version() -> None:
    done = subprocess.run([sys.executable, "-c", PINNED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_python_whose_types_are_laid_out_otherwise_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_WORDS", 4)
    with pytest.raises(RuntimeError, match="cannot be set in this Python: 0 words look like flags"):
        worker._flags_word()


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
None 0 2 3 1 4 5 6 100 1000
(0, (None,)) (None, 4) (None, 0) (None, 7) (2, (None,)) (None, 3) (None, 6) (1, (None,))
(None, 5) (None, 2) (None, 8) (None, 1) 2 0 4 1 3
"""
"""The output of Python 3.12."""
