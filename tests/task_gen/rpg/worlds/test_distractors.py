"""Advice for distractors that no task can tell of."""

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.worlds.gear_checks import odd_distractors
from herobench.task_gen.rpg.worlds.oddity import Spots
from tests.task_gen.rpg.changed import tiny_documents


@pytest.mark.parametrize(("level", "nearest"), [(3, 1), (8, 10), (30, 10)])
def test_the_level_of_the_nearest_gear_of_its_type_is_suggested(level: int, nearest: int) -> None:
    content = tiny_documents()
    content["distractors"]["items"][0] |= {"type": "charm", "level": level}
    world = World.from_documents(content)
    (oddity,) = odd_distractors(world, load_rules(), Spots(world, "w"))
    assert oddity.advice == f"give moon_blade level {nearest}"
