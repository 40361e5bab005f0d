"""Rules of thumb, and the trivial players, which score next to nothing under the standard rules."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from herobench.sandbox import Sandbox
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Knowledge, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.case import Case
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.shortcuts import (
    RULES,
    TRIVIAL,
    by_rule,
    chosen_gear,
    make_all_listed,
    make_everything_and_wear_the_last,
)
from herobench.task_gen.rpg.datasets import SHIPPED, datasheet_path
from herobench.task_gen.rpg.oracle.steps import as_code
from tests.builders import hero_row, tiny_task
from tests.plays import STRONG
from tests.sizes import for_each
from tests.task_gen.rpg.audit.cases import ALL, WINNING, armed, case, noise, told
from tests.task_gen.rpg.audit.cases import RULES as EDITION
from tests.task_gen.rpg.made import tasks


def chosen(world: World, task: Task, name: str) -> dict[str, str]:
    return {slot: item.code for slot, item in chosen_gear(case(world, task), name).items()}


def test_listed_gear_is_dealt_to_the_slots_in_order_and_again_from_the_start(tiny: World) -> None:
    clay = {"materials": ["clay", "pearl", "ore", "fur", "twig"]}
    two = armed(tiny, recipes=["brick", "club", "bar", "bar_sword"], **clay)
    assert chosen(tiny, two, "listed") == {"blade": "club"}
    assert chosen(tiny, two, "last") == {"blade": "bar_sword"}
    one = told(tiny, recipes=["pearl_charm"], **clay)
    both = dict.fromkeys(("charm1", "charm2"), "pearl_charm")
    for name in ("listed", "last"):
        found = chosen(tiny, one, name)
        assert {slot: code for slot, code in found.items() if slot != "blade"} == both


@for_each("name", ["strongest", "highest_level"])
def test_what_is_worn_is_kept_if_it_looks_better(tiny: World, name: str) -> None:
    hero = hero_row(worn={"blade": "bar_sword"})
    better = told(tiny, hero, recipes=["brick", "club"], materials=["clay", "twig"], stats=["bar_sword"])
    assert chosen(tiny, better, name) == {}
    assert chosen(tiny, better, "listed") == {"blade": "club"}


def test_strength_is_the_sum_of_effects_and_level_is_level_and_value_counts_the_work(tiny: World) -> None:
    task = armed(tiny, **{**ALL, "recipes": ["brick", "bar", "club", "bar_sword"]})
    assert chosen(tiny, task, "strongest") == chosen(tiny, task, "highest_level") == {"blade": "bar_sword"}
    # A twig has an effect of 2 for 1 piece; a club 11 for 10 pieces, a sword 30 for 12.
    assert chosen(tiny, task, "value") == {"blade": "bar_sword"}
    easy = armed(tiny, **{**ALL, "recipes": ["brick", "club"]})
    assert chosen(tiny, easy, "value") == {"blade": "club"}


def test_random_choices_go_by_the_tasks_seed(tiny: World) -> None:
    row = armed(tiny, **ALL).as_row()
    found = [
        chosen(tiny, tiny_task(tiny, knowledge=row["knowledge"], hero=row["hero"], seed=seed), "random").get("blade")
        for seed in [*range(20), *range(20)]
    ]
    assert set(found) == {"club", "bar_sword", None}
    assert found[:20] == found[20:]


def test_noise_is_no_choice_however_strong_it_looks(tiny: World) -> None:
    task = armed(tiny, **WINNING, noise=[noise("axe", effects={"attack_heat": 99}, level=9)])
    for name in RULES:
        if name != "random":
            assert chosen(tiny, task, name)["blade"] == "bar_sword"
    assert by_rule(case(tiny, task), "strongest").judged().outcome == "win"
    assert make_all_listed(case(tiny, task)).judged().outcome == "win"


def test_with_just_the_missing_gear_told_the_listed_gear_wins(tiny: World) -> None:
    judged = by_rule(case(tiny, armed(tiny, **WINNING)), "listed").judged()
    assert (judged.outcome, judged.score) == ("win", 100)


def test_who_makes_the_wrong_gear_loses_and_keeps_what_he_reached(tiny: World) -> None:
    judged = by_rule(case(tiny, armed(tiny, recipes=["fur_coat"], materials=["fur"])), "listed").judged()
    assert judged.outcome == "lose"
    assert {str(milestone) for milestone in judged.reached} >= {"craft_missing:fur_coat", "equip_missing:fur_coat"}


def test_the_filter_makes_all_and_wears_the_first_and_everything_wears_the_last(tiny: World) -> None:
    knowledge: dict[str, Any] = {**ALL, "recipes": ["brick", "bar", "club", "bar_sword", "fur_coat"]}
    first = make_all_listed(case(tiny, armed(tiny, **knowledge)))
    last = make_everything_and_wear_the_last(case(tiny, armed(tiny, **knowledge)))
    assert (first.hero.worn["blade"], last.hero.worn["blade"]) == ("club", "bar_sword")
    assert "bar_sword" in first.hero.inventory
    assert "club" in last.hero.inventory
    assert (first.judged().outcome, last.judged().outcome) == ("lose", "win")


def test_a_plan_in_the_sandbox_does_what_the_journey_did(classic: World) -> None:
    with Sandbox(classic, EDITION) as sandbox:
        for task in tasks(classic, 4, brackets=(2, 4), kind="kill"):
            for name in ("listed", "random"):
                journey = by_rule(case(classic, task), name)
                episode = sandbox.execute(task, as_code(journey.steps))
                assert score(task, classic, journey.rules, episode) == journey.judged()


# -- trivial ----------------------------------------------------------------------------------------------------------


def with_all_places(world: World, **changes: object) -> Task:
    """A task that tells all places and that salt is for sale."""
    task = tiny_task(world, **changes)
    places = tuple(place for place, tile in world.tiles.items() if tile.content)
    return replace(task, knowledge=Knowledge((), (), frozenset({"salt"}), (), places, ()))


def journey(world: World, task: Task, name: str, rules: Rules = EDITION) -> Journey:
    return TRIVIAL[name].play(Case(world, rules, task))


def code(world: World, task: Task, name: str) -> list[str]:
    return as_code(journey(world, task, name).steps).splitlines()


def test_the_gatherer_gathers_and_buys_what_is_told_once(tiny: World) -> None:
    lines = code(tiny, with_all_places(tiny), "gatherer")
    assert lines.count('gather("Hero")') == 2
    assert lines[-2:] == ['move("Hero", 0, 2)', 'buy("Hero", "salt", 1)']
    assert not [line for line in lines if line.startswith("fight")]
    untold = replace(with_all_places(tiny), knowledge=Knowledge((), (), frozenset({"salt"}), (), ((1, 1),), ()))
    assert code(tiny, untold, "gatherer") == ['move("Hero", 1, 1)', 'gather("Hero")']


def test_the_visitor_also_fights_each_told_monster_once_the_weakest_first(tiny: World) -> None:
    lines = code(tiny, with_all_places(tiny), "visitor")
    fights = [lines[at - 1] for at, line in enumerate(lines) if line.startswith("fight")]
    assert len(fights) == len(tiny.monsters)
    levels = [tiny.monsters[tiny.standing("monster")[place(move)]].level for move in fights]
    assert levels == sorted(levels)


def place(move: str) -> tuple[int, int]:
    _, x, y = move.removesuffix(")").split(", ")
    return int(x), int(y)


@for_each(("hero", "beaten"), [(hero_row(), 0), (hero_row(worn={"blade": "twig"}), 1), (hero_row(stats=STRONG), 3)])
def test_the_collector_fights_what_it_beats_and_never_loses(tiny: World, hero: dict[str, object], beaten: int) -> None:
    task = with_all_places(tiny, hero=hero)
    lines = code(tiny, task, "collector")
    assert sum(line.startswith("fight") for line in lines) == beaten
    assert journey(tiny, task, "collector").judged().defeats == 0


@for_each("name", TRIVIAL)
@for_each("defeat", [None, "final"])
def test_the_plan_is_what_is_judged(tiny: World, name: str, defeat: str | None) -> None:
    task = with_all_places(tiny, hero=hero_row(worn={"blade": "twig"}))
    task = replace(task, mechanics=replace(task.mechanics, defeat=defeat))  # type: ignore[arg-type]
    played = journey(tiny, task, name)
    with Sandbox(tiny, EDITION) as sandbox:
        episode = sandbox.execute(task, as_code(played.steps) or "pass")
    assert played.judged() == score(task, tiny, task.rules(EDITION), episode)


@for_each("dataset", SHIPPED)
def test_no_trivial_player_scores_more_than_a_few_points_on_a_shipped_set(dataset: str) -> None:
    rows = json.loads(datasheet_path(dataset).read_text("utf-8"))["audit"]
    scores = [row["score"] for row in rows if row["family"] in TRIVIAL]
    assert len(scores) % len(TRIVIAL) == 0
    assert max(scores) < 5


@for_each("name", ["gatherer", "visitor"])
def test_the_published_sum_gives_them_much_more(tiny: World, name: str) -> None:
    task = with_all_places(tiny, hero=hero_row(worn={"blade": "twig"}))
    assert journey(tiny, task, name).judged().score == 0
    assert journey(tiny, task, name, load_rules("paper-late")).judged().score > 0
