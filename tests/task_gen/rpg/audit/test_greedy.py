from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import as_file

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Duel, Fighter, duel
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Item, Stats, World, slot_type, sum_stats
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.rpg.audit.families import chosen_gear, greedily
from herobench.task_gen.rpg.datasets import dataset_path
from herobench.task_gen.rpg.gear.candidates import add, subtract
from tests.builders import hero_row
from tests.plays import drake_task
from tests.task_gen.rpg.audit.cases import ALL, WINNING, armed, case, noise, told

RULES = load_rules()
EACH = 10
"""Of the default dataset every so many tasks are looked at."""


@cache
def kill_tasks() -> dict[str, Task]:
    """Return some kill tasks of three datasets: with exact knowledge, with decoys, and with noise."""
    found = {}
    for name in ("base", "decoys", "noise"):
        with as_file(dataset_path(name)) as path:
            tasks = [task for task in load_tasks(path, load_world()).values() if task.kind == "kill"]
        found.update({f"{name} {task.id}": task for task in tasks[:: EACH if name == "base" else 5]})
    return found


def stats_with(world: World, task: Task, gear: dict[str, Item]) -> Stats:
    stats = Hero(world, task.hero).stats
    for slot, item in gear.items():
        worn = task.hero.worn.get(slot)
        bare = subtract(stats, world.items[worn].worn) if worn else stats
        stats = add(bare, sum_stats(item.effects, world.elements))  # a made-up thing has no stats of its own
    return stats


def fight(world: World, task: Task, stats: Stats) -> Duel:
    return duel(Fighter(stats), world.monsters[task.target].stats, RULES.rounds)


def merit(found: Duel) -> tuple[bool, float, float]:
    """Return how good a fight is: won first, then little health left to the monster, then much left to the hero."""
    return found.won, -found.monster_hp, found.hero_hp


def gear_merit(world: World, task: Task, gear: dict[str, Item]) -> tuple[bool, float, float]:
    return merit(fight(world, task, stats_with(world, task, gear)))


def told_gear(world: World, task: Task) -> dict[str, Item]:
    """Return the told items by code, without noise, which nobody can make."""
    codes = (*task.knowledge.recipes, *task.knowledge.materials)
    return {code: world.items[code] for code in codes}


def one_more(world: World, task: Task, gear: dict[str, Item]) -> Iterator[dict[str, Item]]:
    """Yield the gear after each change of one slot, except where the effects of the worn item are not told."""
    told_things = told_gear(world, task)
    for slot in world.slots:
        worn = task.hero.worn.get(slot)
        if worn and worn not in {*told_things, *task.knowledge.stats}:
            continue
        for item in told_things.values():
            if item.type == slot_type(slot) and item.level <= task.hero.combat[0]:
                yield {**gear, slot: item}


def test_only_told_gear_that_can_be_worn_is_chosen(classic: World) -> None:
    for name, task in kill_tasks().items():
        known = told_gear(classic, task)
        for slot, item in chosen_gear(case(classic, task)).items():
            assert known[item.code] == item, name
            assert item.type == slot_type(slot), name
            assert item.level <= task.hero.combat[0], name


def test_the_choice_ends_in_a_win_or_where_nothing_alone_helps(classic: World) -> None:
    for name, task in kill_tasks().items():
        gear = chosen_gear(case(classic, task))
        found, bare = gear_merit(classic, task, gear), gear_merit(classic, task, {})
        assert found > bare if gear else found == bare, name
        if found[0]:
            continue
        parts = {part for item in told_gear(classic, task).values() if item.recipe for part in item.recipe.ingredients}
        better = [
            more
            for more in one_more(classic, task, gear)
            if gear_merit(classic, task, more) > found and not {item.code for item in more.values()} & parts
        ]
        assert better == [], name


def test_each_step_is_better_than_the_one_before_and_the_last_is_the_first_to_win(classic: World) -> None:
    """If the prompt tells several items for a slot, he may replace his choice, so the steps cannot be checked."""
    seen = 0
    for task in kill_tasks().values():
        chosen = chosen_gear(case(classic, task))
        types = [item.type for item in told_gear(classic, task).values()]
        if len(chosen) > 1 and all(types.count(item.type) == 1 for item in chosen.values()):
            steps = [dict(list(chosen.items())[:count]) for count in range(len(chosen) + 1)]
            merits = [gear_merit(classic, task, step) for step in steps]
            assert [won for won, *_ in merits[:-1]] == [False] * len(chosen)
            assert merits == sorted(set(merits))
            seen += 1
    assert seen >= 3


def test_greedy_wins_some_of_the_default_dataset_and_not_all(classic: World) -> None:
    won = [gear_merit(classic, task, chosen_gear(case(classic, task)))[0] for task in kill_tasks().values()]
    assert 0 < sum(won) < len(won)


def test_what_helps_most_is_put_on_first(tiny: World) -> None:
    task = armed(tiny, **{**ALL, "recipes": ["brick", "bar", "club", "bar_sword", "fur_coat"]})
    gear = chosen_gear(case(tiny, task))
    first = next(iter(gear))
    alone = {
        item.code: gear_merit(tiny, task, {slot: item})
        for slot, code in (("blade", "club"), ("blade", "bar_sword"), ("coat", "fur_coat"))
        for item in [tiny.items[code]]
    }
    assert alone[gear[first].code] == max(alone.values())


def test_who_wins_as_he_is_puts_nothing_on(tiny: World) -> None:
    task = told(tiny, hero_row(stats={"hp": 1000, "attack_heat": 1_000_000}), **ALL)
    assert chosen_gear(case(tiny, task)) == {}


def test_what_does_not_help_is_not_put_on(tiny: World) -> None:
    hero = hero_row(worn={"blade": "bar_sword"})
    weaker = told(tiny, hero, recipes=["brick", "club"], materials=["clay", "twig"], stats=["bar_sword"])
    assert chosen_gear(case(tiny, weaker)) == {}


def test_where_nothing_is_told_nothing_is_put_on(tiny: World) -> None:
    assert chosen_gear(case(tiny, drake_task(tiny))) == {}


def test_gear_that_does_not_exist_is_no_choice(tiny: World) -> None:
    task = told(tiny, noise=[noise("axe", effects={"attack_heat": 10_000})])
    assert chosen_gear(case(tiny, task)) == {}


def test_he_makes_and_wears_what_he_chose_and_fights(tiny: World) -> None:
    task = armed(tiny, **WINNING)
    journey = greedily(case(tiny, task))
    chosen = {slot: item.code for slot, item in chosen_gear(case(tiny, task)).items()}
    assert chosen.items() <= journey.hero.worn.items()
    assert journey.judged().outcome == "win"


def test_what_the_task_says_is_missing_is_not_looked_at(tiny: World) -> None:
    task = armed(tiny, **{**ALL, "recipes": ["brick", "bar", "club", "bar_sword", "fur_coat"]})
    blind = replace(task, missing={})
    assert chosen_gear(case(tiny, task)) == chosen_gear(case(tiny, blind))
