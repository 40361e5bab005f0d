"""Bounds on growth, against games in which the fights are won in every order."""

from itertools import permutations
from random import Random
from typing import Any

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.job_order import Growth
from tests.builders import hero_row, tiny_task
from tests.sizes import for_each

WINS = {"rat": 9, "wall": 7, "drake": 5}


def beginner(world: World, **hero: Any) -> Task:
    return tiny_task(world, hero=hero_row(**hero))


@for_each("edition", ["standard", "paper-early"])
@for_each("seed", range(20))
def test_no_order_of_victories_teaches_more_or_less_than_is_said(tiny: World, seed: int, edition: str) -> None:
    chance, rules = Random(seed), load_rules(edition)
    task = beginner(tiny, level=chance.randint(1, 18), xp=chance.randint(0, 149))
    spare = chance.randint(0, 6)
    most = Growth.at_most(tiny, rules, task, WINS, spare)
    least = Growth.at_least(tiny, rules, task, WINS)
    for order in permutations(WINS):
        hero = Hero(tiny, task.hero)
        before = hero.hp
        for _ in range(spare):
            hero.learn_from_victory(tiny.monsters["drake"].level, rules)
        poor = Hero(tiny, task.hero)
        for number, who in enumerate(order, 1):
            for _ in range(WINS[who]):
                hero.learn_from_victory(tiny.monsters[who].level, rules)
                poor.learn_from_victory(tiny.monsters[who].level, rules)
            beaten = frozenset(order[:number])
            assert hero.hp - before <= most.extra_hp(beaten)
            assert least.extra_hp(beaten) <= poor.hp - before
        assert hero.combat.level <= most.level


def test_the_first_levels_are_counted_to_the_victory(tiny: World) -> None:
    """A victory gives 50 experience, and the first level takes 150."""
    rules, task = load_rules(), beginner(tiny)
    assert [Growth.at_most(tiny, rules, task, {"rat": wins}, 0).level for wins in (0, 2, 3)] == [10, 10, 11]
    assert [Growth.at_most(tiny, rules, task, {"rat": 1}, spare).level for spare in (1, 2)] == [10, 11]
    assert Growth.at_most(tiny, rules, task, {"rat": 3}, 0).extra_hp(frozenset(["rat"])) == rules.hp_per_level
    assert Growth.at_most(tiny, rules, task, {"rat": 3}, 0).extra_hp(frozenset()) == 0
