"""A plan has processor time, so that a busy machine changes no verdict."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.sandbox.worker_handle import Deadline
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task
from tests.suites.rpg.sandbox.processes import GOOD, SLOW, children, linux

BUSY = "while True: pass"


def started(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code])


def time_over(deadline: Deadline) -> bool:
    try:
        deadline.left()
    except TimeoutError:
        return True
    return False


@linux
def test_a_process_that_waits_uses_no_time() -> None:
    process = started("import time; time.sleep(60)")
    try:
        deadline = Deadline(process.pid, 0.5, 60)
        time.sleep(1)
        assert 0 < deadline.left() <= 0.5
    finally:
        process.kill()
        process.wait()


@linux
def test_a_process_that_computes_uses_its_time_up() -> None:
    process = started(BUSY)
    try:
        deadline = Deadline(process.pid, 0.2, 600)
        while not time_over(deadline):
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()


def test_wall_clock_time_ends_what_does_not_even_compute() -> None:
    process = started("import time; time.sleep(60)")
    try:
        assert time_over(Deadline(process.pid, 60, 0))
        assert not time_over(Deadline(process.pid, 60, 60))
    finally:
        process.kill()
        process.wait()


@linux
def test_a_process_that_is_gone_is_looked_at_at_once() -> None:
    process = started("import time; time.sleep(60)")
    deadline = Deadline(process.pid, 60, 60)
    process.kill()
    process.wait()
    assert deadline.left() == 0.0


def test_a_process_that_was_gone_before_has_wall_clock_time() -> None:
    process = started("pass")
    process.wait()
    assert 0 < Deadline(process.pid, 5, 60).left() <= 5
    assert time_over(Deadline(process.pid, 0, 60))


# -- in the sandbox ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@linux
def test_a_plan_whose_worker_is_stopped_for_a_while_is_not_lost(tiny: World) -> None:
    task = craft_task(tiny, "brick")
    with Sandbox(tiny, load_rules(), Limits(seconds=1)) as sandbox:
        expected = sandbox.execute(task, SLOW)
        [worker] = children()
        os.kill(worker, signal.SIGSTOP)
        waker = threading.Timer(1.5, os.kill, (worker, signal.SIGCONT))
        waker.start()
        assert sandbox.execute(task, SLOW) == expected
        waker.join()
        assert children() == [worker], "the same worker has answered"


@pytest.mark.slow
@linux
def test_a_plan_beside_busy_processes_is_not_lost(tiny: World) -> None:
    task = craft_task(tiny, "brick")
    busy = [started(BUSY) for _ in range(3 * multiprocessing.cpu_count())]
    try:
        with Sandbox(tiny, load_rules(), Limits(seconds=2)) as sandbox:
            assert sandbox.execute(task, SLOW).finished
    finally:
        for process in busy:
            process.kill()
            process.wait()


@pytest.mark.slow
@linux
def test_a_worker_that_stays_stopped_is_given_up(tiny: World) -> None:
    task = craft_task(tiny, "brick")
    with Sandbox(tiny, load_rules(), Limits(wall_seconds=3)) as sandbox:
        sandbox.execute(task, GOOD)
        [worker] = children()
        os.kill(worker, signal.SIGSTOP)
        assert sandbox.execute(task, GOOD).finished, "a fresh worker tries again"
        assert worker not in children()
