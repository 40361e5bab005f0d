"""The trivial players: what they do, and that they score next to nothing under the standard rules."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from herobench.sandbox import Sandbox
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Knowledge, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.case import Case
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.thumb_rules import TRIVIAL
from herobench.task_gen.rpg.datasets import OLDER, SHIPPED, datasheet_path
from herobench.task_gen.rpg.oracle.steps import as_code
from tests.builders import hero_row, tiny_task
from tests.plays import STRONG

RULES = load_rules()


def told(world: World, **changes: object) -> Task:
    """A task that tells all places and that salt is for sale."""
    task = tiny_task(world, **changes)
    places = tuple(place for place, tile in world.tiles.items() if tile.content)
    return replace(task, knowledge=Knowledge((), (), frozenset({"salt"}), (), places, ()))


def journey(world: World, task: Task, name: str, rules: Rules = RULES) -> Journey:
    return TRIVIAL[name].play(Case(world, rules, task))


def code(world: World, task: Task, name: str) -> list[str]:
    return as_code(journey(world, task, name).steps).splitlines()


def test_noop_does_nothing(tiny: World) -> None:
    assert code(tiny, told(tiny), "noop") == []


def test_the_gatherer_gathers_and_buys_what_is_told_once(tiny: World) -> None:
    lines = code(tiny, told(tiny), "gatherer")
    assert lines.count('gather("Hero")') == 2
    assert lines[-2:] == ['move("Hero", 0, 2)', 'buy("Hero", "salt", 1)']
    assert not [line for line in lines if line.startswith("fight")]
    untold = replace(told(tiny), knowledge=Knowledge((), (), frozenset({"salt"}), (), ((1, 1),), ()))
    assert code(tiny, untold, "gatherer") == ['move("Hero", 1, 1)', 'gather("Hero")']


def test_the_visitor_also_fights_each_told_monster_once_the_weakest_first(tiny: World) -> None:
    lines = code(tiny, told(tiny), "visitor")
    fights = [lines[at - 1] for at, line in enumerate(lines) if line.startswith("fight")]
    assert len(fights) == len(tiny.monsters)
    levels = [tiny.monsters[tiny.standing("monster")[place(move)]].level for move in fights]
    assert levels == sorted(levels)


def place(move: str) -> tuple[int, int]:
    _, x, y = move.removesuffix(")").split(", ")
    return int(x), int(y)


@pytest.mark.parametrize(
    ("hero", "beaten"), [(hero_row(), 0), (hero_row(worn={"blade": "twig"}), 1), (hero_row(stats=STRONG), 3)]
)
def test_the_collector_fights_what_it_beats_and_never_loses(tiny: World, hero: dict[str, object], beaten: int) -> None:
    task = told(tiny, hero=hero)
    lines = code(tiny, task, "collector")
    assert sum(line.startswith("fight") for line in lines) == beaten
    assert journey(tiny, task, "collector").judged().defeats == 0


@pytest.mark.parametrize("name", TRIVIAL)
@pytest.mark.parametrize("defeat", [None, "final"])
def test_the_plan_is_what_is_judged(tiny: World, name: str, defeat: str | None) -> None:
    task = told(tiny, hero=hero_row(worn={"blade": "twig"}))
    task = replace(task, mechanics=replace(task.mechanics, defeat=defeat))  # type: ignore[arg-type]
    played = journey(tiny, task, name)
    with Sandbox(tiny, RULES) as sandbox:
        episode = sandbox.execute(task, as_code(played.steps) or "pass")
    assert played.judged() == score(task, tiny, task.rules(RULES), episode)


@pytest.mark.parametrize("dataset", [*SHIPPED, *OLDER])
def test_no_trivial_player_scores_more_than_a_few_points_on_a_shipped_set(dataset: str) -> None:
    rows = json.loads(datasheet_path(dataset).read_text("utf-8"))["audit"]
    scores = [row["score"] for row in rows if row["family"] in TRIVIAL]
    assert len(scores) % len(TRIVIAL) == 0
    assert max(scores) < 5


@pytest.mark.parametrize("name", ["gatherer", "visitor"])
def test_the_published_sum_gives_them_much_more(tiny: World, name: str) -> None:
    task = told(tiny, hero=hero_row(worn={"blade": "twig"}))
    assert journey(tiny, task, name).judged().score == 0
    assert journey(tiny, task, name, load_rules("paper-late")).judged().score > 0
