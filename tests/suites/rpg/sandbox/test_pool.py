"""The sandbox with real worker processes: what is lost is tried again, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from herobench.data.errors import SandboxError
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Limits, Sandbox, pool
from herobench.suites.rpg.sandbox.confine import LAYERS
from herobench.suites.rpg.sandbox.wire import Played
from herobench.suites.rpg.worlds.content import load_rules
from tests.sizes import some_slow
from tests.suites.rpg.sandbox.processes import ENDLESS, GOOD, IN_C_CODE, SLOW, children, descriptors, killing, linux

PATIENT = Limits(seconds=60, steps=10**12)


@pytest.fixture
def sandbox(tiny: World) -> Iterator[Sandbox]:
    with Sandbox(tiny, load_rules()) as opened:
        yield opened


def test_the_layers_that_hold_are_told_by_name(sandbox: Sandbox) -> None:
    assert set(sandbox.layers) <= set(LAYERS)
    assert "resources" in sandbox.layers


def test_plans_in_one_worker_do_not_see_each_other(sandbox: Sandbox, task: Task) -> None:
    assert sandbox.execute(task, "secret = 1\nprint = None\nrange = 5\ndef gather_all(): pass").finished
    for name in ("secret", "gather_all"):
        assert sandbox.execute(task, f"{name}").ending.reason == f"NameError: name '{name}' is not defined"
    assert sandbox.execute(task, "print(len(range(3)))").output == "3\n"


@linux
@pytest.mark.parametrize(
    ("plan", "how", "kind"),
    [
        (None, "no_code", None),
        (" \n", "no_code", "empty"),
        ("x" * 101, "rejected", "size"),
        ("x\n" * 9, "rejected", "size"),
        ("x" * 60, "rejected", "size"),
    ],
    ids=["none", "empty", "long", "many lines", "a long line"],
)
def test_what_is_no_plan_or_too_long_never_reaches_a_worker(
    tiny: World, task: Task, plan: str | None, how: str, kind: str | None
) -> None:
    with Sandbox(tiny, load_rules(), Limits(source=100, lines=8, width=50)) as sandbox:
        ending = sandbox.execute(task, plan).ending
        assert (ending.how, ending.kind) == (how, kind)
        assert not children()


# -- workers that are lost ---------------------------------------------------------------------------------------------


@linux
def test_a_worker_killed_while_idle_costs_nothing(sandbox: Sandbox, task: Task) -> None:
    expected = sandbox.execute(task, GOOD)
    for worker in children():
        os.kill(worker, signal.SIGKILL)
    assert sandbox.execute(task, GOOD) == expected
    assert expected.finished


@linux
@pytest.mark.parametrize("after", some_slow([0.001, 0.02, 0.05, 0.1], {0.001, 0.02, 0.1}))
def test_a_worker_killed_while_playing_costs_nothing(sandbox: Sandbox, task: Task, after: float) -> None:
    expected = sandbox.execute(task, SLOW)
    killer = threading.Timer(after, lambda: [os.kill(worker, signal.SIGKILL) for worker in children()])
    killer.start()
    assert sandbox.execute(task, SLOW) == expected
    killer.join()
    assert expected.finished


@linux
def test_a_worker_killed_while_it_starts_costs_nothing(tiny: World, task: Task) -> None:
    with Sandbox(tiny, load_rules()) as sandbox, killing(0.0, most=2) as killed:
        assert sandbox.execute(task, GOOD).finished
        assert len(killed) == 2


@pytest.mark.kills
@linux
def test_a_plan_whose_process_dies_every_time_is_a_limit(tiny: World, task: Task) -> None:
    with Sandbox(tiny, load_rules(), PATIENT) as sandbox, killing(1.0):
        ending = sandbox.execute(task, ENDLESS).ending
    assert (ending.how, ending.kind, ending.reason) == ("limit", "killed", "the plan's process died")


@pytest.mark.parametrize("plan", some_slow([ENDLESS, IN_C_CODE], {IN_C_CODE}), ids=["steps", "C code"])
def test_a_plan_beyond_the_deadline_is_tried_twice_and_then_a_limit(tiny: World, task: Task, plan: str) -> None:
    with Sandbox(tiny, load_rules(), Limits(seconds=0.1, steps=10**12)) as sandbox:
        sandbox.execute(task, GOOD)
        begun = time.monotonic()
        episode = sandbox.execute(task, plan)
        assert time.monotonic() - begun >= 0.2
        assert (episode.ending.how, episode.ending.kind) == ("limit", "wall_clock")
        assert sandbox.execute(task, GOOD).finished


class Interrupted(Exception):
    """Raised by the alarm of the next test."""


@linux
def test_an_interrupted_plan_does_not_answer_for_the_next(tiny: World, task: Task) -> None:
    def interrupt(number: int, frame: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    late = "for n in range(2_000_000):\n    pass\nprint('late')"
    try:
        with Sandbox(tiny, load_rules(), PATIENT) as sandbox:
            sandbox.execute(task, GOOD)
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            with pytest.raises(Interrupted):
                sandbox.execute(task, late)
            assert sandbox.execute(task, "print('mine')").output == "mine\n"
        assert not children()
    finally:
        signal.signal(signal.SIGALRM, before)


# -- workers that are worn ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@linux
def test_a_worker_is_kept_from_plan_to_plan_and_replaced_after_a_thousand(sandbox: Sandbox, task: Task) -> None:
    seen = {}
    for number in range(1001):
        sandbox.execute(task, "pass")
        if number in (0, 999, 1000):
            seen[number] = children()
    assert seen[0] == seen[999] != seen[1000]
    assert len(seen[1000]) == 1


@linux
def test_a_worker_that_ran_out_of_memory_is_replaced(sandbox: Sandbox, task: Task) -> None:
    sandbox.execute(task, GOOD)
    [first] = children()
    assert sandbox.execute(task, "x = 'x' * 10**9").ending.kind == "memory"
    assert sandbox.execute(task, GOOD).finished
    assert first not in children()


# -- many at once, and the end -----------------------------------------------------------------------------------------


@linux
def test_threads_share_the_workers_there_are(tiny: World, task: Task) -> None:
    with Sandbox(tiny, load_rules(), workers=2) as sandbox, ThreadPoolExecutor(8) as threads:
        outputs = list(threads.map(lambda n: sandbox.execute(task, f"print({n})").output, range(100)))
        assert outputs == [f"{n}\n" for n in range(100)]
        assert len(children()) <= 2


def test_a_long_first_plan_keeps_no_other_waiting(tiny: World, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "START_SECONDS", 0.0)
    begun, over, play = threading.Event(), threading.Event(), pool._WorkerSlot.play

    def played(slot: pool._WorkerSlot, request: Mapping[str, Any]) -> Played:
        if request["plan"] == "pass":
            begun.set()
            assert over.wait(60)
        return play(slot, request)

    monkeypatch.setattr(pool._WorkerSlot, "play", played)
    with Sandbox(tiny, load_rules(), workers=2) as sandbox, ThreadPoolExecutor(2) as threads:
        long = threads.submit(sandbox.execute, task, "pass")
        assert begun.wait(60)
        try:
            assert threads.submit(sandbox.execute, task, GOOD).result(30).finished
        finally:
            over.set()
        assert long.result().finished


def test_a_worker_that_does_not_start_is_told_to_the_plan_and_not_before(
    tiny: World, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise SandboxError("A worker process does not start.")

    told: list[object] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    monkeypatch.setattr(pool, "WorkerHandle", failing)
    with Sandbox(tiny, load_rules(), workers=2) as sandbox:
        sandbox.warm_up()
        with pytest.raises(SandboxError):
            sandbox.execute(task, GOOD)
        with pytest.raises(SandboxError):
            sandbox.execute(task, GOOD)
    assert told == []


@pytest.mark.slow
@linux
def test_another_worker_is_started_for_plans_that_wait_longer(
    tiny: World, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "START_SECONDS", 0.0)
    with Sandbox(tiny, load_rules(), workers=2) as sandbox, ThreadPoolExecutor(2) as threads:
        sandbox.execute(task, GOOD)
        assert all(threads.map(lambda _: sandbox.execute(task, SLOW).finished, range(2)))
        assert len(children()) == 2


@pytest.mark.slow
@linux
def test_nothing_is_left_behind(tiny: World, task: Task) -> None:
    before = descriptors(), children()
    with Sandbox(tiny, load_rules(), Limits(seconds=0.3, steps=10**12), workers=2) as sandbox:
        sandbox.execute(task, GOOD)
        sandbox.execute(task, ENDLESS)
        sandbox.execute(task, GOOD)
        assert children()
    assert (descriptors(), children()) == before


def test_workers_that_were_warmed_up_play_like_any(tiny: World, task: Task) -> None:
    with Sandbox(tiny, load_rules(), workers=2) as cold:
        expected = cold.execute(task, GOOD)
    with Sandbox(tiny, load_rules(), workers=2) as warm:
        warm.warm_up()
        assert warm.execute(task, GOOD) == expected


@linux
def test_a_sandbox_closed_while_it_warms_up_leaves_nothing(tiny: World) -> None:
    before = descriptors()
    with Sandbox(tiny, load_rules(), workers=2) as sandbox:
        sandbox.warm_up()
    assert not children()
    assert descriptors() == before
