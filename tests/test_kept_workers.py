"""A kept worker is a real one that had time left: it is used again only where a new one would do the same."""

from __future__ import annotations

import os
import signal

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task
from tests.kept_workers import keeping
from tests.suites.rpg.sandbox.processes import GOOD, children, linux


@pytest.fixture
def others() -> set[int]:
    """The workers that earlier tests have left, such as that of the shared scorer. They may end at any time."""
    return set(children())


@linux
@pytest.mark.slow
def test_an_idle_worker_is_used_again_until_a_plan_reaches_a_limit_or_it_dies(tiny: World, others: set[int]) -> None:
    def play(plan: str = GOOD, limits: Limits | None = None) -> list[int]:
        """Play a plan in a sandbox of its own, and return the workers that there are afterwards."""
        with Sandbox(tiny, load_rules(), limits) as sandbox:
            sandbox.execute(craft_task(tiny, "brick"), plan)
        return [worker for worker in children() if worker not in others]

    with keeping():
        (first,) = play()
        assert play() == [first]
        os.kill(first, signal.SIGKILL)
        (second,) = play()
        assert second != first
        assert play("x = 'x' * 10**9") == [], "it may be short of memory"
        (third,) = play()
        assert len(play(limits=Limits(actions=9))) == 2, "other limits need another worker"
        assert third in play()
    assert set(children()) <= others
