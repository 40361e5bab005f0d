"""The same plan has the same episode in every worker, whatever that has played before and however busy the machine is.

With HEROBENCH_PLANS=300, HEROBENCH_WORKERS=12 and HEROBENCH_BUSY=20 in the environment it takes more of all.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from herobench.suites.rpg.game.episode import Episode
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from tests.sizes import many
from tests.suites.rpg.sandbox.test_corpus import BENIGN, CANARY, OURS, SHARED_ATTACKS

PLANS, WORKERS, BUSY = (int(os.environ.get(f"HEROBENCH_{name}", most)) for name, most in
                        (("PLANS", many(40, 6)), ("WORKERS", many(3, 2)), ("BUSY", many(4, 2))))  # fmt: skip
ADDRESSES = (
    "for x in {None, 'a', 1, 2.5, (None, 3), 'b'}:\n    move('Hero', len(str(x)), 0)",
    "seen = {(None, i) for i in range(9)}\nprint(seen)\nfor _, i in seen:\n    gather('Hero', i)",
    "d = {}\ntry:\n    d[...] = 1\nexcept TypeError:\n    gather('Hero', 3)\nprint(d)",
    "try:\n    s = {..., 'a'}\nexcept TypeError:\n    move('Hero', 0, 1)",
    "print(sorted({frozenset({None, i}) for i in range(5)}, key=str), {(), (None,), ((None,), 1)})",
)


@pytest.fixture
def busy() -> Iterator[None]:
    """Processes that compute all the time."""
    processes = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(BUSY)]
    yield
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_plan_has_the_same_episode_in_fresh_workers_on_a_busy_machine(tiny: World, task: Task, busy: None) -> None:
    chance = random.Random(11)
    corpus = [plan["code"] for plan in (*OURS, *SHARED_ATTACKS, *BENIGN)]
    plans = [CANARY, *ADDRESSES, *chance.sample(corpus, min(PLANS, len(corpus)))]
    orders = [chance.sample(plans, len(plans)) for _ in range(WORKERS)]

    def played(order: list[str]) -> dict[str, Episode]:
        """Play all plans in a fresh worker."""
        with Sandbox(tiny, load_rules()) as sandbox:
            return {plan: sandbox.execute(task, plan) for plan in order}

    with ThreadPoolExecutor(WORKERS) as pool:
        first, *others = pool.map(played, orders)
    assert {episode.ending.kind for episode in first.values()} & {"wall_clock", "killed", "protocol"} == set()
    for other in others:
        assert [plan for plan in plans if other[plan] != first[plan]] == []
