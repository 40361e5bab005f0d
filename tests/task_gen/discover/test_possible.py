"""What is possible by a told world: the prior of truths, and the share of them that one loadout wins."""

from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest

from herobench.suites.discover.game.families import FAMILIES, changed
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Fighter, duel
from herobench.task_gen.discover.audit import STRATEGIES, Reader, table, wins_of
from herobench.task_gen.discover.generator import composition
from herobench.task_gen.discover.planner import CourseReader, wins
from herobench.task_gen.discover.possible import KINDS, Possible, rule_sets
from herobench.task_gen.discover.shallow import with_much_gathered
from herobench.task_gen.rpg.courses.armory import SLOTS
from herobench.task_gen.rpg.oracle.steps import read_steps
from tests.suites.discover.mysteries import some

SMALL = some(4, 20)


@cache
def possible(found: Mystery) -> Possible:
    rules = sum(FAMILIES[change.family].kind == "rule" for change in found.changes)
    return Possible(found.told, found.task, rules, list(read_steps(found.usual_plan)))


@pytest.mark.parametrize("found", SMALL, ids=lambda each: each.id)
def test_the_guess_is_the_largest_share_of_worlds_that_one_loadout_wins(found: Mystery) -> None:
    """Counted with single duels, for all loadouts that win anywhere. A loadout of a slot is worn by its code."""
    worlds, world = possible(found), found.told.world
    armory = CourseReader(found.told, found.task).armory
    shares = []
    for monster in worlds.goals:
        open_worlds = [
            (weight, kind, changed({}, found.told.rules, rules)[1], worlds.wins(kind, rules))
            for weight, changes in worlds.sets
            for rules in [[each for each in changes if each.family in ("first", "ward")]]
            for kind in worlds.kinds
            if worlds.is_open(monster, kind, changes)
        ]
        candidates = np.flatnonzero(sum(won.astype(int) for *_, won in open_worlds))
        total = sum(weight for weight, *_ in open_worlds)
        for number in candidates:
            stats = _stats(found, armory.choices[number].tolist())
            won = sum(
                weight
                for weight, kind, rules, _ in open_worlds
                if duel(Fighter(stats), world.monsters[kind].stats, rules.rounds, rules.first, rules.ward).won
            )
            shares.append(100 * won / total)
    assert found.guess == pytest.approx(max(shares), abs=0.01)


def _stats(found: Mystery, choice: list[int]):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    world = found.told.world
    gear = {slot: [item.code for item in world.items.values() if item.type == slot] for slot in SLOTS}
    worn = {slot: gear[slot][piece] for slot, piece in zip(SLOTS, choice, strict=True) if piece < len(gear[slot])}
    return Hero(world, replace(found.task.hero, worn=worn)).stats


@pytest.mark.parametrize("found", SMALL, ids=lambda each: each.id)
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


@pytest.mark.parametrize(
    ("place", "monsters", "expected"),
    [(0, 1, (1, 0)), (1, 5, (1, 1)), (2, 1, (1, 2)), (2, 5, (2, 1)), (6, 5, (1, 2)), (3, 1, (1, 2)), (3, 2, (2, 2))],
)
def test_what_differs_follows_from_the_place_of_a_task(place: int, monsters: int, expected: tuple[int, int]) -> None:
    assert composition(place, monsters) == expected


def test_the_audit_counts_what_strategies_win() -> None:
    assert wins_of(SMALL[0], "told") == (False, False)
    lines = list(table(SMALL[:1]))
    assert len(lines) == 2 + len(STRATEGIES)
    assert lines[2] == "| `told` | 0 | 0 | 0 |"


def test_a_reader_of_the_truth_wins_by_the_same_plans() -> None:
    """The audit would count a win: the plan for the true changes alone wins, with much gathered as well."""
    found = SMALL[0]
    steps = Reader(found).best_plan([frozenset(found.changes)])
    assert wins(found.true, found.task, steps)
    assert wins(found.true, found.task, with_much_gathered(found.told.world, steps))
