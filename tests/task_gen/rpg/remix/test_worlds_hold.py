"""Remixed worlds over sizes and seeds: nothing in them is odd, and what is made of them is proven.

HEROBENCH_WORLDS asks for more of them.
"""

import os
from itertools import islice
from random import Random

import pytest

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import check_world, load_rules
from herobench.task_gen.rpg.generator import Generator
from herobench.task_gen.rpg.remix.remixed_world import remix
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.validation import faults
from herobench.task_gen.rpg.worlds.survey import survey
from tests.sizes import many

WORLDS = int(os.environ.get("HEROBENCH_WORLDS", many(4, 1)))
SIZES = (1.0, 0.1, 0.5, 0.3, 2.0, 0.2, 0.7, 0.15, 1.0, 0.4, 3.0, 0.5, 1.5, 0.25)
LARGE = 0.5
"""From this size on a world gives tasks of every bracket."""
ALL = tuple(range(1, 10))
TASKS, PLAIN = 20, 12
"""How many tasks of each world are proven, and how many of them have no extras; the others have one each."""
EXTRAS = ({"leveling": True}, {"noise": 3}, {"knowledge": "decoys"}, {"stochastic": True})

rules = load_rules()


def wish(number: int) -> tuple[int, float]:
    return Random(number).getrandbits(32), SIZES[number % len(SIZES)]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(WORLDS))
def test_a_world_is_sound_and_its_certificates_hold(number: int) -> None:
    seed, size = wish(number)
    documents = remix(seed, size)
    assert check_world(documents, "it") == []
    world = World.from_documents(documents)
    found = survey(world, rules, "it")
    assert list(map(str, found.oddities)) == [], world.code
    assert found.brackets == ALL or size < LARGE, world.code
    assert found.brackets[:2] == ALL[:2], world.code
    with Sandbox(world, rules) as sandbox:
        for task in draw_tasks(world, found.brackets, is_large=size >= LARGE):
            assert faults(world, rules, task, sandbox.execute) == [], (world.code, task.id)


def draw_tasks(world: World, brackets: tuple[int, ...], is_large: bool) -> list[Task]:
    """Twenty tasks. A small world may not have room for the harder extras, and of its hardest bracket there may be so
    few tasks that not every number finds one: others of its tasks stand in for those."""
    plain = Generator(world, rules, Spec(seed=1, brackets=brackets))
    wanted = [(plain, index) for index in range(PLAIN)]
    for extra in EXTRAS:
        some = Generator(world, rules, Spec(seed=2, brackets=(2, 3) if not is_large else (2, 3, 4, 5, 6), **extra))
        wanted += [(some, index) for index in range(2)]
    found = [task for maker, index in wanted if (task := maker.attempt(index))]
    assert not is_large or len(found) == TASKS, world.code
    others = (task for index in range(PLAIN, 10 * TASKS) if (task := plain.attempt(index)))
    found += islice(others, TASKS - len(found))
    assert len(found) == TASKS, world.code
    return found
