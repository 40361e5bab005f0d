"""The replay: what the changes say is what the game says."""

from dataclasses import replace
from typing import Any

import pytest

from herobench.analysis.suites.rpg.panel import CHANGED_BY, change, goals_at, hero_state, replay, start_state
from herobench.suites.rpg.game.events import Bought, CraftRefused
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Goal
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.trace import DETAIL_KINDS, write_trace
from herobench.suites.rpg.worlds.content import load_rules
from tests.analysis.report.made import REFUSED
from tests.plays import WINNING, drake_task, played


def put_over(state: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """What the page does with a change."""
    together = {**state, **found}
    for name, value in found.items():
        if isinstance(value, dict):
            merged = {**state[name], **value}
            together[name] = {key: one for key, one in merged.items() if one is not None}
    return together


@pytest.mark.parametrize("play", [WINNING, REFUSED, ""])
def test_the_changes_put_together_are_the_state_of_the_hero(tiny: World, play: str) -> None:
    task, rules = drake_task(tiny), load_rules()
    events = played(tiny, task, play).events
    made = replay(tiny, task, rules, write_trace(events))
    assert made.differs_at is None
    state: Any = start_state(tiny, task)
    game = Game(tiny, task.rules(rules), task.hero, task.seed)
    for entry, found in zip(write_trace(events)["actions"], made.changes, strict=True):
        state = put_over(state, found)
        for event in events[len(game.events) : len(game.events) + entry.get("times", 1)]:
            game.act(event.action)
        assert state == hero_state(game.hero)


def test_the_steps_at_which_goals_are_reached_count_equal_events_once(tiny: World) -> None:
    task = replace(drake_task(tiny), kind="craft", target="brick", missing={}, then=(Goal("kill", "rat"),))
    move, gather, *rest = played(tiny, task, "move 0 1; gather 3; move 2 1; craft brick 1; move 1 0; fight").events
    trace = write_trace([move, gather, gather, *rest])
    assert goals_at(task, trace) == [4, 6]
    assert goals_at(drake_task(tiny), trace) == []


def test_what_falls_by_chance_falls_again(tiny: World) -> None:
    task = drake_task(tiny, mechanics={"leveling": False, "drop_scale": 3.0}, seed=11)
    rules = load_rules()
    trace = write_trace(played(tiny, task, WINNING, task.rules(rules)).events)
    assert replay(tiny, task, rules, trace).differs_at is None
    other = drake_task(tiny, mechanics={"leveling": False, "drop_scale": 3.0}, seed=12)
    assert replay(tiny, other, rules, trace).differs_at is not None


def test_a_refused_action_changes_nothing(tiny: World) -> None:
    task = drake_task(tiny)
    made = replay(tiny, task, load_rules(), write_trace(played(tiny, task, "gather 1").events))
    assert made.changes == ({},)


def test_every_kind_of_event_has_the_parts_that_it_changes() -> None:
    changes_only_the_bag_or_nothing = {Bought, CraftRefused}
    assert set(DETAIL_KINDS.values()) == {*CHANGED_BY, *changes_only_the_bag_or_nothing}


def test_a_run_of_equal_events_is_one_change(tiny: World) -> None:
    task = drake_task(tiny)
    detail = {"kind": "moved", "place": [1, 0]}
    entry = {"action": "move", "args": ["Hero", 1, 0], "line": 1, "status": 200, "times": 3, "detail": detail}
    trace = {"schema": 1, "actions": [entry]}
    assert replay(tiny, task, load_rules(), trace).differs_at == 0  # no one moves to where he is
    trace = write_trace(played(tiny, task, "move 1 0; unequip artifact1").events)
    assert [list(found) for found in replay(tiny, task, load_rules(), trace).changes] == [["place"], []]


def test_the_replay_ends_where_it_is_not_what_was_stored(tiny: World) -> None:
    task = drake_task(tiny)
    trace = write_trace(played(tiny, task, WINNING).events)
    trace["actions"][2] = {**trace["actions"][2], "detail": {"kind": "moved", "place": [3, 3]}}
    made = replay(tiny, task, load_rules(), trace)
    assert (made.differs_at, len(made.changes)) == (2, 2)


def test_a_call_that_the_game_does_not_know_ends_it_too(tiny: World) -> None:
    trace = {"schema": 1, "actions": [{"action": "fly", "args": ["Hero"], "line": 1, "status": 200}]}
    assert replay(tiny, drake_task(tiny), load_rules(), trace).differs_at == 0


def test_a_change_has_what_is_otherwise_and_null_for_what_is_gone() -> None:
    before = {"place": [0, 0], "bag": {"ore": 2, "clay": 1}, "worn": {}}
    after = {"place": [0, 0], "bag": {"ore": 1}, "worn": {"blade": "twig"}}
    assert change(before, after) == {"bag": {"clay": None, "ore": 1}, "worn": {"blade": "twig"}}
