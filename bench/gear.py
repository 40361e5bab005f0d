"""The gear search: the smallest winning set, and a thousand minimal sets, for every monster of the classic world."""

from __future__ import annotations

from itertools import islice

from bench.clock import seconds
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.gear.search import GearSearch


def measure() -> dict[str, float]:
    """Seconds for all monsters at the levels they are meant for."""
    world, rules = load_world(), load_rules()

    def search(code: str) -> GearSearch:
        monster = world.monsters[code]
        return GearSearch.of(world, rules, monster, HeroStart.bare(world, rules, monster.intended_level))

    def smallest() -> None:
        assert all(search(code).smallest() for code in world.monsters)

    def thousand() -> int:
        return sum(sum(1 for _ in islice(search(code).minimal_sets(), 1000)) for code in world.monsters)

    return {
        "monsters": len(world.monsters),
        "seconds, smallest sets": seconds(smallest),
        "seconds, 1,000 sets each": seconds(thousand, 1),
        "sets found": thousand(),
    }
