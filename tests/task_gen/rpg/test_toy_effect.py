"""A toy effect, added as docs/extend.md says, through all that searches for gear: a blade whose poison decides a fight.

The blade hits less than what the hero wears. So whoever takes more of a stat to be no worse leaves it out.
"""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.task import Knowledge, Task
from herobench.suites.rpg.game.world import ROUND_EFFECTS, World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.climb import GearClimb
from herobench.task_gen.rpg.gear.search import GearSearch
from herobench.task_gen.rpg.oracle.loadouts import TaskLoadouts
from herobench.task_gen.rpg.oracle.planner import is_searchable, lower_bound
from herobench.task_gen.rpg.oracle.steps import Piece, Unplannable
from herobench.task_gen.rpg.tasks.proven_tasks import certify, check_need, rehearse
from herobench.task_gen.rpg.unsolvable.proof import proof_faults
from herobench.task_gen.rpg.unsolvable.reach import HeroReach
from tests.builders import hero_row, tiny_task
from tests.task_gen.rpg.changed import monster, thing, with_more
from tests.task_gen.rpg.oracle.ordering_tasks import PlainSearch

rules = load_rules()
VENOM = {"blade": "venom"}


def poison(value: Any, number: int, hp: Any) -> Any:
    """Take a percentage of what health is left, more each round."""
    return hp * (value * number * 0.01)


def poisoned() -> World:
    """A world in which the troll falls to poison alone, and what the blade takes is dropped by a weak slime."""
    return with_more(
        items=[
            thing("hide", "resource"),
            thing("venom", "blade", {"attack_heat": 1, "poison": 9}, hide=1, clay=1),
            thing("spike", "blade", {"attack_heat": 2}, hide=1, clay=1),
        ],
        monsters=[monster("slime", {"hide": 1}, hp=20, heat=1), monster("troll", hp=5000, heat=10)],
    )


def troll_task(world: World) -> Task:
    """Beat the troll, for a hero with a club that hits more than the blade that he lacks."""
    hero = hero_row(worn={"blade": "club"}, stats={"hp": 150})
    task = tiny_task(world, id="1/1_Troll_kill", target="troll", missing=VENOM, hero=hero)
    told = [code for code, item in world.items.items() if item.recipe]
    others = [code for code in world.items if code not in told]
    knows = Knowledge(tuple(told), tuple(others), frozenset(), tuple(world.monsters), tuple(world.tiles), ())
    return replace(task, knowledge=knows)


@pytest.fixture
def harmless() -> World:
    """The same world without the effect: its name means nothing."""
    return poisoned()


@pytest.fixture
def world(harmless: World, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setitem(ROUND_EFFECTS, "poison", poison)
    return poisoned()


def test_a_toy_effect_goes_through_every_search_for_gear(harmless: World, world: World) -> None:
    task, troll = troll_task(world), world.monsters["troll"]
    # the gear search, and the climb
    assert GearSearch.of(world, rules, troll, task.hero).smallest() == VENOM
    options = {"blade": [world.items[code] for code in ("club", "spike", "venom")]}
    assert GearClimb(world, Hero(world, task.hero), options, 100).winning(troll.stats, rules.rounds) == VENOM
    # the oracle and its bounds
    loadouts = TaskLoadouts(world, rules, task)
    assert loadouts.winning("troll", loadouts.start, VENOM, 0) == ({Piece("blade", "venom", new=True)},)
    proof = certify(world, rules, task, rehearse(world, rules, task)).certificate
    assert proof is not None
    shortest = PlainSearch(world, task).shortest(proof.actions)
    assert shortest is not None
    assert lower_bound(world, rules, task) <= proof.lower_bound <= shortest <= proof.actions
    # what is impossible
    without = HeroReach(harmless, rules, troll_task(harmless)).reach(())
    assert without is not None
    assert HeroReach(world, rules, task).reach(()) is None
    assert "the hero may beat troll, and the proof says that he cannot" in proof_faults(world, rules, task, without)


def test_more_health_may_do_harm_where_a_monster_has_an_effect(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The troll kills whom it leaves with 145 health. That is neither the hero of the start nor the one at the end."""
    monkeypatch.setitem(ROUND_EFFECTS, "awe", lambda value, number, hp: value * (hp == 145))
    troll = world.monsters["troll"]
    awful = replace(troll, stats=troll.stats._replace(round_effects=(("awe", 1_000),)))
    task = troll_task(world)
    check_need(world, rules, task, 10)
    world = replace(world, monsters=MappingProxyType({**world.monsters, "troll": awful}))
    check_need(world, rules, task, 0)
    with pytest.raises(Unplannable, match="not all of the missing gear is needed with 5 more health"):
        check_need(world, rules, task, 10)
    assert not is_searchable(world, rules, task)
