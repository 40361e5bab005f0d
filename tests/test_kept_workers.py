"""A kept worker is a real one that had time left: it is used again only where a new one would do the same."""

from __future__ import annotations

import os
import signal

import pytest

from herobench.sandbox import Limits, Sandbox
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task
from tests.kept_workers import keeping
from tests.sandbox.processes import GOOD, children, linux


def play(world: World, plan: str = GOOD, limits: Limits | None = None) -> list[int]:
    """Play a plan in a sandbox of its own, and return the workers that there are afterwards."""
    with Sandbox(world, load_rules(), limits) as sandbox:
        sandbox.execute(craft_task(world, "brick"), plan)
    return children()


@linux
@pytest.mark.slow
def test_an_idle_worker_is_used_again_until_a_plan_reaches_a_limit_or_it_dies(tiny: World) -> None:
    with keeping():
        (first,) = play(tiny)
        assert play(tiny) == [first]
        os.kill(first, signal.SIGKILL)
        (second,) = play(tiny)
        assert second != first
        assert play(tiny, "x = 'x' * 10**9") == [], "it may be short of memory"
        (third,) = play(tiny)
        assert len(play(tiny, limits=Limits(actions=9))) == 2, "other limits need another worker"
        assert third in play(tiny)
    assert children() == []
