"""What is possible by a told world: the prior of truths, and the share of them that one loadout wins."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import ceil
from random import Random

import numpy as np
import pytest

from herobench.suites.discover.courses.armory import SLOTS, CourseArmory, Shares
from herobench.suites.discover.game.families import FAMILIES, apply
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.discover.making.audit import STRATEGIES, Reader, table, try_strategy
from herobench.suites.discover.making.explorers import with_much_gathered
from herobench.suites.discover.making.generator import composition
from herobench.suites.discover.making.planner import CourseReader, wins
from herobench.suites.discover.making.possible import KINDS, Armories, Possible, of_fights, rule_sets
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Fighter, Rules, duel
from herobench.suites.rpg.game.world import Stats
from herobench.task_gen.rpg.oracle.steps import read_steps
from tests.sizes import for_each, many
from tests.suites.discover.mysteries import some

SMALL = some(4, 20)


@cache
def possible(found: Mystery) -> Possible:
    rules = sum(FAMILIES[change.family].kind == "rule" for change in found.changes)
    return Possible(found.told, found.task, rules, list(read_steps(found.usual_plan)))


def _worlds(found: Mystery, goal: str) -> list[tuple[float, Stats, Rules]]:
    """The chances, numbers and rules of the worlds in which a goal is of another kind."""
    worlds, world = possible(found), found.told.world
    return [
        (weight, world.monsters[kind].stats, apply({}, found.told.rules, of_fights(changes))[1])
        for weight, changes in worlds.sets
        for kind in worlds.kinds
        if worlds.is_open(goal, kind, changes)
    ]


def _loadouts(found: Mystery) -> list[Stats]:
    """The stats of the hero in each loadout, computed one by one. A piece of a slot is worn by its code."""
    return [_stats(found, choice) for choice in CourseReader(found.told, found.task).armory.choices.tolist()]


def _fought(hero: Stats, monster: Stats, rules: Rules) -> int:
    """What a single fight is answered with: the thirds of the monster's health that are left."""
    result = duel(Fighter(hero), monster, rules.rounds, rules.first, rules.ward)
    return 0 if result.won else ceil(Fraction(result.monster_hp) / monster.hp * 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "found", [each for each in SMALL if len(possible(each).goals) == 1][: many(3, 1)], ids=lambda each: each.id
)
def test_the_shares_after_no_fight_and_after_one_are_those_of_single_duels(found: Mystery) -> None:
    (goal,) = possible(found).goals
    worlds, heroes = _worlds(found, goal), _loadouts(found)
    total = sum(weight for weight, *_ in worlds)
    usual = [{at for at, hero in enumerate(heroes) if not _fought(hero, *world)} for _, *world in worlds]

    def share(answers: list[int]) -> float:
        won: dict[int, Counter[int]] = {}
        for (weight, *_), loadouts, answer in zip(worlds, usual, answers, strict=True):
            for loadout in loadouts:
                won.setdefault(answer, Counter())[loadout] += weight  # type: ignore[assignment]
        return 100 * sum(max(each.values()) for each in won.values()) / total

    assert (possible(found).guess(), possible(found).one_fight()) == (found.guess, found.one_fight)
    assert found.guess == pytest.approx(share([0] * len(worlds)), abs=0.01)
    shares = [share([_fought(hero, *world) for _, *world in worlds]) for hero in heroes[:: many(1, 97)]]
    assert found.guess <= max(shares) <= found.one_fight + 0.01
    if many(1, 97) == 1:
        assert found.one_fight == pytest.approx(max(shares), abs=0.01)


@pytest.mark.slow
def test_no_two_loadouts_for_two_goals_win_more_than_the_guess() -> None:
    """One of them may be of another kind, and the other has to be beaten as it is told, under the same rules."""
    found = next(each for each in some(240, 60) if len(possible(each).goals) == 2 and len(each.changes) == 3)
    worlds = possible(found)
    lost = np.zeros(len(CourseReader(found.told, found.task).armory.choices), bool)
    best, total = 0.0, 0.0
    chances = []
    for goal, other in (worlds.goals, worlds.goals[::-1]):
        for weight, changes in worlds.sets:
            for kind in worlds.kinds:
                if worlds.is_open(goal, kind, changes):
                    pair = worlds.wins(kind, changes), worlds.wins(other, changes)
                    chances.append((weight, *(pair if goal == worlds.goals[0] else pair[::-1])))
                    total += weight
    for loadout in np.flatnonzero(np.any([first for _, first, _ in chances], axis=0)):
        won = sum((weight * second for weight, first, second in chances if first[loadout]), lost * 1.0)
        best = max(best, float(won.max()))
    assert 0 < 100 * best / total <= worlds.guess() + 0.01
    assert worlds.guess() == found.guess


@for_each("found", some(many(240, 20), 500))
def test_a_monster_of_the_goals_can_be_beaten_under_all_rules_that_may_hold(found: Mystery) -> None:
    worlds = possible(found)
    assert all(worlds.wins(goal, changes).any() for goal in worlds.goals for _, changes in worlds.sets)


def test_the_health_of_a_monster_is_less_where_the_bound_is_above_what_duels_say() -> None:
    found = SMALL[0]
    armory = CourseReader(found.told, found.task).armory
    stats = found.told.world.monsters[possible(found).goals[0]].stats

    class Bounded(CourseArmory):
        def most_dealt(self, attacks: Shares, resistances: Shares) -> tuple[Shares, Shares]:
            most, balance = super().most_dealt(attacks, resistances)
            return most + 3, balance

    hardest = Armories(Bounded(armory.pieces, armory.hero, armory.rules, armory.emptied)).hardest(stats, [])
    assert armory.beats(hardest).any()
    assert not armory.beats(hardest._replace(hp=hardest.hp + 1)).any()


def _stats(found: Mystery, choice: list[int]) -> Stats:
    world = found.told.world
    gear = {slot: [item.code for item in world.items.values() if item.type == slot] for slot in SLOTS}
    worn = {slot: gear[slot][piece] for slot, piece in zip(SLOTS, choice, strict=True) if piece < len(gear[slot])}
    return Hero(world, replace(found.task.hero, worn=worn)).stats


@for_each("found", SMALL)
def test_few_loadouts_win_in_a_truth_and_not_that_of_the_told_plan(found: Mystery) -> None:
    assert possible(found).allows(found.changes)
    assert not any(possible(found).is_open(goal, goal, ()) for goal in possible(found).goals)
    assert len(possible(found).kinds) == KINDS


def test_truths_are_drawn_as_the_prior_says() -> None:
    found = next(each for each in some(240) if len(each.changes) == 4 and len(each.told.world.resources))
    worlds, chance = possible(found), Random(1)
    facts = sum(FAMILIES[change.family].kind == "fact" for change in found.changes)
    families: Counter[str] = Counter()
    for _ in range(400):
        drawn = worlds.draw(facts, chance)
        assert sum(FAMILIES[change.family].kind == "fact" for change in drawn) == facts
        assert len(drawn) == 4
        assert "kind" in [change.family for change in drawn]
        things = [thing for site in found.sites for each in site.rivals if each in drawn for thing in site.things]
        assert len(things) == len(set(things))
        families.update(change.family for change in drawn if FAMILIES[change.family].kind == "rule")
    assert max(families.values()) < 1.5 * min(families.values())


def test_rules_that_differ_are_as_likely_family_by_family() -> None:
    sites = some(1, 20)[0].sites
    assert rule_sets(sites, 0) == [(1, ())]
    for count in (1, 2):
        sets = rule_sets(sites, count)
        assert sum(weight for weight, _ in sets) == pytest.approx(1)
        assert all(len(changes) == count for _, changes in sets)
    single = Counter[str]()
    for weight, (change,) in rule_sets(sites, 1):
        single[change.family] += weight  # type: ignore[assignment]
    assert set(single.values()) == {0.5}


@for_each(
    ("place", "monsters", "expected"),
    [(0, 1, (1, 0)), (1, 5, (1, 1)), (2, 1, (1, 2)), (2, 5, (2, 1)), (6, 5, (1, 2)), (3, 1, (1, 2)), (3, 2, (2, 2))],
)
def test_what_differs_follows_from_the_place_of_a_task(place: int, monsters: int, expected: tuple[int, int]) -> None:
    assert composition(place, monsters) == expected


def test_the_audit_counts_what_strategies_win() -> None:
    assert try_strategy(SMALL[0], "told") == (False, False)
    assert try_strategy(SMALL[0], "found") == (True, True)
    won = [(True, dict.fromkeys(STRATEGIES, (True, False))), (False, dict.fromkeys(STRATEGIES, (True, True)))]
    assert table(won).rows == [[name, "2", "1", "1"] for name in STRATEGIES]


def test_a_reader_of_the_truth_wins_by_the_same_plans() -> None:
    """The audit would count a win: the plan for the true changes alone wins, with much gathered as well."""
    found = SMALL[0]
    steps = Reader(found).best_plan([frozenset(found.changes)])
    assert wins(found.true, found.task, steps)
    assert wins(found.true, found.task, with_much_gathered(found.told.world, steps))
