"""A plan has processor time, so that a busy machine changes no verdict."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.sandbox.worker_handle import Deadline
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task
from tests.suites.rpg.sandbox.processes import GOOD, SLOW, children, linux

BUSY, ASLEEP = "while True: pass", "import time; time.sleep(60)"


@contextmanager
def running(code: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs some code, and is ended with the block."""
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def time_over(deadline: Deadline) -> bool:
    try:
        deadline.left()
    except TimeoutError:
        return True
    return False


@pytest.mark.slow
@linux
def test_a_process_that_waits_uses_no_time() -> None:
    with running(ASLEEP) as process:
        deadline = Deadline(process.pid, 0.5, 60)
        time.sleep(1)
        assert 0 < deadline.left() <= 0.5


@linux
def test_a_process_that_computes_uses_its_time_up() -> None:
    with running(BUSY) as process:
        deadline = Deadline(process.pid, 0.2, 600)
        while not time_over(deadline):
            time.sleep(0.01)


def test_wall_clock_time_ends_what_does_not_even_compute() -> None:
    with running(ASLEEP) as process:
        assert time_over(Deadline(process.pid, 60, 0))
        assert not time_over(Deadline(process.pid, 60, 60))


@linux
def test_a_process_that_is_gone_is_looked_at_at_once() -> None:
    with running(ASLEEP) as process:
        deadline = Deadline(process.pid, 60, 60)
    assert deadline.left() == 0.0


def test_a_process_that_was_gone_before_has_wall_clock_time() -> None:
    with running("pass") as process:
        pass
    assert 0 < Deadline(process.pid, 5, 60).left() <= 5
    assert time_over(Deadline(process.pid, 0, 60))


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
    with ExitStack() as busy:
        for _ in range(3 * multiprocessing.cpu_count()):
            busy.enter_context(running(BUSY))
        sandbox = busy.enter_context(Sandbox(tiny, load_rules(), Limits(seconds=2)))
        assert sandbox.execute(task, SLOW).finished


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
