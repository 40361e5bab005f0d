"""The lengths of published tasks over all ways to win: plans meet the bound, and no published answer beats it."""

from itertools import product

import pytest

from herobench.suites.rpg.game.decisions import decisions
from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import CRAFTING, Fighter, duel
from herobench.suites.rpg.game.world import Stats
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import shared_rows
from tests.conformance.least_actions import lessons
from tests.conformance.least_program import PERCENT, falls
from tests.conformance.published import RUNS, replay, tasks, world
from tests.conformance.published_lengths import Scope, proven_actions, proven_length, proven_lengths

EXPECTED: list[tuple[str, str, Scope, int]] = [
    ("1/4_Wooden Staff_craft", "paper-late", "told", 6),
    ("1/3_Hardwood Plank_craft", "paper-early", "all", 5),
    # one dropper of obsidian is enough, though the full score takes both
    ("2/1_Lich_kill", "paper-early", "told", 14),
    # food for both slots
    ("5/11_Pig_kill", "paper-early", "told", 8),
    # food and new levels
    ("6/4_Skeleton_kill", "paper-early", "told", 10),
    ("6/12_Reaper_kill", "paper-late", "told", 45),
]
LONG = ("7/7_Bandit Lizard_kill", "paper-early")
"""The one task whose length in actions takes the solver too long."""


@pytest.mark.parametrize(("name", "edition", "scope", "length"), EXPECTED)
def test_a_published_task_has_its_length(name: str, edition: str, scope: Scope, length: int) -> None:
    assert proven_length(name, edition, scope) == (length, length)


@pytest.mark.parametrize(
    ("name", "edition", "length"),
    [
        ("1/4_Wooden Staff_craft", "paper-late", 6),
        # hunts for drops
        ("3/7_Reaper_kill", "paper-early", 56),
        # pieces of easier work that raise a skill
        ("4/13_Bandit Lizard_kill", "paper-early", 52),
        # one piece of food fills two slots, for one action more
        ("3/9_Pig_kill", "paper-early", 9),
        # two victories that give food for one slot and one piece for the other
        ("2/4_Vampire_kill", "paper-early", 9),
        # new levels
        ("6/9_Lich_kill", "paper-late", 49),
        # a workshop that is visited before a hunt and after it
        ("5/17_Lich_kill", "paper-early", 104),
    ],
)
def test_a_published_task_has_its_length_in_actions(name: str, edition: str, length: int) -> None:
    assert proven_actions(name, edition) == (length, length)


@pytest.mark.parametrize("edition", ["paper-early", "paper-late"])
@pytest.mark.parametrize("level", [9, 10])
def test_the_fewest_lessons_are_those_of_a_pupil_who_is_taught(edition: str, level: int) -> None:
    rules = load_rules(edition)
    start = HeroStart.bare(world(), rules, 8)
    fights = lessons(rules, frozenset([start.combat]), level, frozenset({9}), None)
    pieces = lessons(rules, frozenset([start.skills["mining"]]), level, frozenset({9}), CRAFTING)
    for less in (1, 0):
        pupil = Hero(world(), start)
        for _ in range(fights - less):
            pupil.learn_from_victory(9, rules)
        pupil.practise("mining", 9, rules, CRAFTING, pieces - less)
        assert (pupil.combat.level == level) == (pupil.skills["mining"].level == level) == (not less)


def test_nobody_wins_who_falls_with_the_most_health() -> None:
    """The bound relies on this: whoever has no more health, eats no more and is hit no less falls as well."""
    checked = 0
    for health, hurt, restored, hits in product(range(10, 120, 7), (7, 12, 19), (0, 3, 8, 21), (2, 5, 9)):
        if not falls(PERCENT * health, PERCENT * hurt, PERCENT * restored, hits):
            continue
        for less, more in product(range(1, health + 1, 3), (0, 5)):
            meals = ((restored, 99),) if restored else ()
            hero = Fighter(Stats(less, (1,), (0,), (0,)), meals=meals)
            monster = Stats(hits + 1, (hurt + more,), (0,), (0,))
            assert not duel(hero, monster, 49).won, (health, less, hurt + more, restored, hits)
            checked += 1
    assert checked > 1000


def test_no_published_answer_buys_in_a_kill_task() -> None:
    """Prompts of kill tasks do not tell of the exchange, so lengths with purchases say nothing about these runs."""
    answers = [row for about in RUNS.values() for row in shared_rows(about) if row["task"].endswith("_kill")]
    assert len(answers) > 1500
    assert [row["task"] for row in answers if "buy(" in (row["code"] or "")] == []


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["paper-early", "paper-late"])
def test_all_lengths_in_told_places_are_proven(edition: str) -> None:
    lengths = proven_lengths(edition, "told")
    assert [name for name in tasks("tasks.json") if lengths[name] is None] == []


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["paper-early", "paper-late"])
def test_all_lengths_in_actions_are_proven(edition: str) -> None:
    names = [name for name in tasks("tasks.json") if (name, edition) != LONG]
    assert [name for name in names if not proven_actions(name, edition).proven] == []


@pytest.mark.slow
@pytest.mark.parametrize("run", [run for run, about in RUNS.items() if about["tasks"] == "tasks.json"])
def test_no_published_win_is_shorter(run: str) -> None:
    edition = RUNS[run]["edition"]
    for _, task, result in replay(run):
        if result.score.outcome == "win":
            taken = decisions((event.action.name, event.action.args) for event in result.episode.events)
            assert taken >= proven_length(task.id, edition, "told").bound, task.id
            if (task.id, edition) != LONG:
                assert len(result.episode.events) >= proven_actions(task.id, edition).bound, task.id
