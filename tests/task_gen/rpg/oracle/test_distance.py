"""The distance of a hero from a win: its interval holds what brute force finds, and its way was seen to win."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import inf
from random import Random

import pytest

from herobench.scorer import Scorer, TaskQuery
from herobench.suites.rpg.game.calls import straight_calls
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import slot_type
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.datasets import shipped_tasks
from herobench.task_gen.rpg.oracle.distance import Distances
from tests.sizes import THOROUGH

_PLENTY = 12
"""More of an item than any of the small tasks takes."""


@cache
def tasks_between(dataset: str, least: int, most: int) -> Sequence[Task]:
    tasks = shipped_tasks(dataset).values()
    return [task for task in tasks if task.certificate and least <= task.certificate.actions <= most]


@cache
def distances(dataset: str) -> Distances:
    return Distances(load_world(), load_rules())


def start_position(dataset: str, task: Task) -> GamePosition:
    return GamePosition(load_world(), load_rules(), task)


def plan_actions(task: Task) -> list[Action]:
    assert task.certificate
    return [call.action for call in straight_calls(task.certificate.plan) or ()]


def act(name: str, *values: str | int) -> Action:
    return Action(name, (NAME, *values))


def useful_actions(position: GamePosition) -> Iterator[Action]:
    """Yield all actions that are not refused, in quantities that are enough."""
    world, hero = position.game.world, position.game.hero
    content = world.tiles[hero.place].content
    yield from (act("move", *place) for place in position.task.knowledge.places if place != hero.place)
    if content and content.type == "monster":
        yield act("fight")
    if content and content.type == "resource":
        yield act("gather", _PLENTY)
    if content and content.type == "grand_exchange":
        yield from (act("buy", code, _PLENTY) for code in sorted(position.task.knowledge.sold))
    for item in world.items.values() if content and content.type == "workshop" else ():
        if item.recipe and item.recipe.skill == content.code:
            sets = min(hero.inventory.get(code, 0) // number for code, number in item.recipe.ingredients.items())
            yield from (act("craft", item.code, number) for number in range(1, min(sets, 2) + 1))
    for slot in world.slots:
        if slot in hero.worn:
            yield act("unequip", slot)
        else:
            fitting = (code for code in hero.inventory if world.items[code].type == slot_type(slot))
            yield from (act("equip", slot, code) for code in fitting)


def position_state(position: GamePosition) -> object:
    hero = position.game.hero
    bag = sorted((code, min(number, _PLENTY)) for code, number in hero.inventory.items())
    return hero.place, position.reached, tuple(sorted(hero.worn.items())), tuple(bag)


def by_brute_force(position: GamePosition) -> float:
    """Return the fewest actions to a win, by trying all of them."""
    seen, layer, distance = {position_state(position)}, [position], 0
    while layer and not any(one.won for one in layer):
        following = []
        for one in layer:
            for action in useful_actions(one):
                after = one.fork()
                after.act(action)
                if after.won or (not after.ended and position_state(after) not in seen):
                    seen.add(position_state(after))
                    following.append(after)
        layer, distance = following, distance + 1
    return distance if layer else inf


def along(dataset: str, task: Task) -> Iterator[GamePosition]:
    """Yield the positions on the way of a plan."""
    position = start_position(dataset, task)
    for action in plan_actions(task):
        yield position
        position.act(action)


def wandering(dataset: str, task: Task, chance: Random) -> Iterator[GamePosition]:
    """Yield positions on the way of a plan with some steps left out, and some others put in."""
    position = start_position(dataset, task)
    for action in plan_actions(task):
        if chance.random() < 0.3:
            position.act(chance.choice(list(useful_actions(position))))
        elif chance.random() < 0.8:
            position.act(action)
        if position.won or position.ended:
            return
        yield position


def test_the_interval_holds_what_brute_force_finds() -> None:
    chance, exact, compared = Random(4), 0, 0
    for task in tasks_between("base", 4, 6)[: None if THOROUGH else 7]:
        # from where a fight ended otherwise than planned, all ways of it take minutes to try
        ways = wandering("base", task, chance) if task.kind == "craft" else along("base", task)
        for position in ways:
            distance, true = distances("base")(position), by_brute_force(position)
            assert distance.least <= true <= distance.most, (task.id, position_state(position))
            exact += distance.most == true
            compared += 1
    assert exact > 0.9 * compared > 20  # the way that is known is most often a shortest one


def test_along_the_certified_plan_each_action_is_a_step_nearer() -> None:
    dataset = "base"
    for task in tasks_between(dataset, 4, 400)[::23]:
        position, actions = start_position(dataset, task), plan_actions(task)
        for number, action in enumerate(actions):
            found = distances(dataset)(position)
            assert found.most == len(actions) - number
            position.act(action)
        assert position.won
        assert distances(dataset)(position).most == 0


def test_a_way_is_found_from_wherever_the_hero_went() -> None:
    chance = Random(5)
    for task in tasks_between("base", 4, 60)[::5]:
        position, actions = start_position("base", task), plan_actions(task)
        for _ in range(40):
            here = position.fork()
            position.act(chance.choice(actions))
            found, before = distances("base")(position), distances("base")(here)
            assert found.least <= found.most < inf
            assert found.most >= before.most - 1 or before.least < before.most
        assert not position.won or found.most == 0


def test_the_task_stays_as_it_is_and_equal_positions_have_equal_distances() -> None:
    task = tasks_between("base", 20, 60)[0]
    position = start_position("base", task)
    for action in plan_actions(task)[:9]:
        position.act(action)
    before = position_state(position)
    assert distances("base")(position) == Distances(load_world(), load_rules())(position.fork())
    assert position_state(position) == before


def test_a_hero_who_died_where_that_is_final_is_out_of_reach() -> None:
    task = next(task for task in tasks_between("base", 9, 60) if task.kind == "kill")
    task = replace(task, id="final", mechanics=replace(task.mechanics, defeat="final"))
    position = start_position("base", task)
    position.act(act("move", *position.game.world.places_of("monster", task.target)[0]))
    position.act(act("fight"))
    assert position.ended
    assert not position.won
    assert distances("base")(position).least == inf


@pytest.mark.slow
@pytest.mark.parametrize(
    "knobs",
    [
        {"difficulty": "3", "stochastic": True},
        {"difficulty": "3", "leveling": True},
        {"difficulty": "2", "budget": "1.5", "defeat": "final"},
        {"difficulty": "3", "unsolvable": "0.5", "knowledge": "world"},
    ],
    ids=lambda knobs: " ".join(map(str, knobs)),
)
def test_tasks_of_every_kind_have_a_distance_in_every_mode_of_many_turns(knobs: dict[str, object]) -> None:
    for mode in ("tools", "feedback"):
        with Scorer(TaskQuery(suite="rpg", seed=3, count=1, mode=mode, jobs=1, **knobs)) as scorer:
            for task_id in scorer.tasks:
                play, found = scorer.play(task_id), []
                for turn in scorer.way(task_id):
                    found.append(play.distance())
                    play.say(turn)
                assert play.result().won
                ends = [distance.most for distance in found if distance]
                assert len(ends) == len(found)
                # where drops fall by chance no way is certain; work that only teaches is done again
                assert max(ends) == inf if "stochastic" in knobs else max(ends) < inf
                assert ends == sorted(ends, reverse=True) or "leveling" in knobs
                over = play.distance()
                assert over
                assert over.most == 0
