"""Oddities, and the reach of practice, compared with a hero who practises."""

import re
from pathlib import Path
from typing import get_args

from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from herobench.task_gen.rpg.worlds.oddity import Ladder, OddityKind, Spots, broken_ladders
from tests.sizes import for_each
from tests.task_gen.rpg.changed import node, thing, with_more


def test_every_kind_of_oddity_is_defined_in_the_guide() -> None:
    guide = (Path(__file__).parents[4] / "docs" / "worlds.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z_]+)` \| .{20,} \|$", guide.partition("| kind |")[2], re.MULTILINE)
    assert tuple(rows) == get_args(OddityKind)


# -- ladders ----------------------------------------------------------------------------------------------------------


def practised(world: World, rules_name: str, skill: str, levels: list[int]) -> int:
    """Return the level of a beginner who does all that he may, again and again."""
    rules = load_rules(rules_name)
    hero = Hero(world, HeroStart.bare(world, rules, 1))
    before = 0
    while hero.skills[skill].level > before:
        before = hero.skills[skill].level
        for level in sorted(levels):
            if level <= hero.skills[skill].level:
                hero.practise(skill, level, rules, 1, 3000)
    return hero.skills[skill].level


@for_each("edition", edition_names())
@for_each("levels", [[1], [1, 12], [1, 13], [1, 10, 19], [1, 10, 20, 30], [1, 11, 22, 33]])
def test_the_top_of_a_ladder_is_where_a_diligent_beginner_ends(edition: str, levels: list[int], tiny: World) -> None:
    world = with_more(resources=[node(f"pit_{level}", {"clay": 1}, level, "brewing") for level in levels])
    ladder = Ladder.of(world, load_rules(edition), Spots(world, "w"), "brewing")
    assert ladder.top == practised(world, edition, "brewing", levels)


def test_a_skill_with_nodes_is_practised_at_them(tiny: World) -> None:
    world = with_more(items=[thing("vase", "resource", clay=1, skill="digging", at=16)])
    ladder = Ladder.of(world, load_rules(), Spots(world, "w"), "digging")
    assert ([rung.level for rung in ladder.nodes], [rung.level for rung in ladder.recipes]) == ([1, 5], [16])
    assert ladder.top == 16


def test_what_is_just_in_reach_is_no_gap() -> None:
    def beyond(level: int) -> list[OddityKind]:
        world = with_more(resources=[node("deep_pit", {"clay": 1}, level)])
        return [oddity.kind for oddity in broken_ladders(world, load_rules(), Spots(world, "w"))]

    assert beyond(16) == []
    assert beyond(17) == ["out_of_skill"]
