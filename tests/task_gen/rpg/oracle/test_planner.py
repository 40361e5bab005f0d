"""The oracle's plans in the game: they win with the full score, in an order that the fights allow."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.episode import FINISHED, Episode
from herobench.suites.rpg.game.events import Crafted, Event, Moved
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.gathering import NeededItems
from herobench.task_gen.rpg.oracle.planner import lower_bound, oracle_plan
from herobench.task_gen.rpg.oracle.steps import Unplannable, as_code, play
from tests.builders import craft_task, hero_row, task_row, tiny_task
from tests.plays import drake_task
from tests.sizes import for_each
from tests.task_gen.rpg.changed import material, monster, node, thing, tile, tiny_documents, with_more
from tests.task_gen.rpg.made import tasks

rules = load_rules()
NOTHING = {"recipes": [], "materials": [], "sold": [], "monsters": [], "places": [], "stats": []}


def planned(world: World, task: Task, edition: Rules = rules) -> list[Event]:
    """Return the events of the oracle's plan, which wins with the full score and without a refusal."""
    own = task.rules(edition)
    game = play(oracle_plan(world, own, task), Game(world, own, task.hero, task.seed))
    judged = score(task, world, own, Episode(tuple(game.events), FINISHED))
    assert (judged.outcome, judged.score) == ("win", 100), judged.missed
    assert [event for event in game.events if not event.ok] == []
    assert lower_bound(world, own, task) <= len(game.events)
    return game.events


def names(events: Sequence[Event]) -> list[str]:
    """Return events in short: the action and its object."""
    return [" ".join(map(str, (event.action.name, *event.action.args[1:]))) for event in events]


# -- the tiny world ---------------------------------------------------------------------------------------------------


def test_the_drake_is_beaten_in_as_few_actions_as_can_be(tiny: World) -> None:
    events = planned(tiny, drake_task(tiny))
    assert names(events) == [
        *("move 1 1", "gather 8"),
        *("move 1 0", *["fight"] * 5),
        *("move 2 1", "craft fur_coat 1", "craft bar 2", "craft bar_sword 1"),
        *("unequip blade", "equip blade bar_sword", "equip coat fur_coat"),
        *("move 2 0", "fight"),
    ]
    assert len(events) == lower_bound(tiny, rules, drake_task(tiny))


def test_he_need_not_move_to_where_he_stands(tiny: World) -> None:
    far = len(planned(tiny, drake_task(tiny)))
    for place, saved in (((1, 1), 1), ((1, 0), 0), ((0, 0), 0), ((3, 1), 0)):
        task = drake_task(tiny, hero=hero_row(worn={"blade": "twig"}, x=place[0], y=place[1]))
        assert len(planned(tiny, task)) == far - saved, place


def test_a_craft_takes_what_is_gathered_and_what_is_sold(tiny: World) -> None:
    task = craft_task(tiny, "club", knowledge={**NOTHING, "sold": ["twig"]})
    assert names(planned(tiny, task)) == [
        *("move 0 1", "gather 6", "move 0 2", "buy twig 1"),
        *("move 2 1", "craft brick 2", "craft club 1"),
    ]


def test_a_craft_of_nothing_but_what_is_sold(tiny: World) -> None:
    task = craft_task(tiny, "tonic", knowledge={**NOTHING, "sold": ["salt"]})
    assert names(planned(tiny, task)) == ["move 0 2", "buy salt 2", "move 3 1", "craft tonic 1"]


def test_a_craft_of_what_only_monsters_have_and_nobody_sells_cannot_be_played() -> None:
    """Fights earn nothing in a craft task, so the oracle tries to buy the item, and the game refuses."""
    world = with_more(items=[material("rug", fur=2)])
    task = craft_task(world, "rug")
    game = play(oracle_plan(world, rules, task), Game(world, rules, task.hero))
    assert [event.status for event in game.events if event.action.name == "buy"] == [404]


def test_what_he_owns_already_is_not_fetched_but_its_owner_is_beaten_once(tiny: World) -> None:
    task = drake_task(tiny, hero=hero_row(worn={"blade": "twig"}, inventory={"fur": 9, "ore": 6}))
    done = names(planned(tiny, task))
    assert done[:4] == ["move 1 1", "gather 2", "move 1 0", "fight"]
    assert done.count("fight") == 2


def test_a_fight_alone_is_a_walk_and_a_fight(tiny: World) -> None:
    assert names(planned(tiny, tiny_task(tiny, target="rat", missing={}, hero=hero_row(worn={"blade": "club"})))) == [
        "move 1 0",
        "fight",
    ]


def test_the_same_item_in_two_slots_is_made_twice_in_one_go(tiny: World) -> None:
    row = hero_row(worn={"blade": "bar_sword"}, stats={"hp": 130})
    both = {"charm1": "pearl_charm", "charm2": "pearl_charm"}
    done = names(planned(tiny, tiny_task(tiny, missing=both, hero=row)))
    assert "craft pearl_charm 2" in done
    assert done[-4:-2] == ["equip charm1 pearl_charm", "equip charm2 pearl_charm"]


def test_of_several_places_the_one_that_is_told_is_taken(tiny: World) -> None:
    content = tiny_documents()
    content["map"]["tiles"] += [tile(7, 7, "resource", "ore_vein"), tile(8, 8, "workshop", "smithing")]
    world = World.from_documents(content)
    told = drake_task(world, knowledge={**NOTHING, "places": [[7, 7], [1, 0], [8, 8], [2, 0]]})
    moves = [event.detail.place for event in planned(world, told) if isinstance(event.detail, Moved)]
    assert moves == [(7, 7), (1, 0), (8, 8), (2, 0)]
    moves = [event.detail.place for event in planned(world, drake_task(world)) if isinstance(event.detail, Moved)]
    assert moves == [(1, 1), (1, 0), (2, 1), (2, 0)]


def test_the_work_says_what_comes_from_where(tiny: World) -> None:
    work = NeededItems.of(tiny, drake_task(tiny))
    assert (work.bought, work.gathered, work.hunted) == ({}, {"ore": 8}, {"fur": 5})
    work = NeededItems.of(tiny, craft_task(tiny, "club", knowledge={**NOTHING, "sold": ["twig"]}))
    assert (work.bought, work.gathered, work.hunted) == ({"twig": 1}, {"clay": 6}, {})


# -- the order of fights ----------------------------------------------------------------------------------------------


def gauntlet(**golem: Any) -> World:
    """Return a world in which blade, coat and charm must be made in this order, and the old blade is needed again.

    The slime drops the hide for the coat, and only the frost of the new blade harms it. The sprite drops the dust for
    the charm, only the heat of the old blade harms it, and it is too strong for a hero without the coat.
    """
    slime = monster("slime", {"hide": 1}, hp=40) | {"resistance": {"heat": 100}}
    sprite = monster("sprite", {"dust": 1}, hp=40, heat=30) | {"resistance": {"frost": 100}}
    target = monster("golem", hp=300, level=10, heat=18) | {"resistance": {"heat": 100}} | golem
    return with_more(
        items=[
            material("hide"),
            material("dust"),
            thing("ice_blade", "blade", {"attack_frost": 20}, clay=1),
            thing("hide_coat", "coat", {"hp": 100}, hide=1),
            thing("dust_charm", "charm", {"dmg_frost": 50}, dust=1),
        ],
        monsters=[slime, sprite, target],
    )


def golem_task(world: World, **changes: Any) -> Task:
    gear = {"blade": "ice_blade", "coat": "hide_coat", "charm1": "dust_charm"}
    row = {"target": "golem", "missing": gear, "hero": hero_row(worn={"blade": "club"}), **changes}
    return Task.from_row(task_row(world, **row))


def test_new_gear_is_put_on_for_whom_only_it_beats_and_the_old_comes_back_for_whom_only_that_beats() -> None:
    world = gauntlet()
    assert names(planned(world, golem_task(world))) == [
        *("move 0 1", "gather 1", "move 2 1", "craft ice_blade 1"),
        *("unequip blade", "equip blade ice_blade", "move 0 10", "fight"),
        *("move 2 1", "craft hide_coat 1"),
        *("unequip blade", "equip blade club", "equip coat hide_coat", "move 1 10", "fight"),
        *("move 2 1", "craft dust_charm 1"),
        *("unequip blade", "equip blade ice_blade", "equip charm1 dust_charm", "move 2 10", "fight"),
    ]


def test_who_cannot_be_beaten_is_named_with_what_stands_in_the_way() -> None:
    world = gauntlet()
    with pytest.raises(Unplannable, match="the hero cannot beat sprite with the gear that he can have by then"):
        oracle_plan(world, rules, golem_task(world, hero=hero_row()))
    weak = hero_row(worn={"blade": "club"}, stats={"hp": 10})
    with pytest.raises(Unplannable, match="cannot beat sprite"):
        oracle_plan(world, rules, golem_task(world, hero=weak))


def test_without_a_weapon_not_even_the_rat_is_beaten(tiny: World) -> None:
    with pytest.raises(Unplannable, match="the hero cannot beat rat"):
        oracle_plan(tiny, rules, tiny_task(tiny, missing={"coat": "fur_coat"}))


def test_for_what_he_is_not_skilled_enough_and_cannot_learn_there_is_no_plan(tiny: World) -> None:
    unskilled = hero_row(worn={"blade": "twig"}, skills={"digging": {"level": 10, "xp": 0, "next_level_xp": 150}})
    with pytest.raises(Unplannable, match="smithing beyond level 1, and 5 is needed"):
        oracle_plan(tiny, rules, drake_task(tiny, hero=unskilled))


def test_what_falls_from_the_target_alone_or_stands_nowhere_cannot_be_had(tiny: World) -> None:
    armed = hero_row(worn={"blade": "bar_sword"})
    with pytest.raises(Unplannable, match="drake_charm falls from the target alone"):
        oracle_plan(tiny, rules, tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=armed))
    content = tiny_documents()
    content["map"]["tiles"] = [row for row in content["map"]["tiles"] if row["name"] not in ("Cellar", "Forge")]
    with pytest.raises(Unplannable, match="there is no monster rat on the map"):
        oracle_plan(World.from_documents(content), rules, drake_task(World.from_documents(content)))


# -- workshops --------------------------------------------------------------------------------------------------------


def relay() -> World:
    """Return a world with a hat that needs smithing, then brewing, then smithing, and a coat that needs brewing."""
    return with_more(
        items=[
            material("nail", clay=1),
            material("dye", skill="brewing", nail=1),
            thing("hat", "blade", {"attack_heat": 50}, dye=1),
            thing("robe", "coat", {"hp": 50}, skill="brewing", clay=1),
        ]
    )


def relay_task(world: World) -> Task:
    row = task_row(world, target="rat", missing={"blade": "hat", "coat": "robe"}, hero=hero_row())
    return Task.from_row(row)


def workshops(events: Sequence[Event]) -> list[str]:
    """Return the skills of the crafts, with repeats in a row dropped."""
    skills = [event.detail.skill for event in events if isinstance(event.detail, Crafted)]
    return [skill for number, skill in enumerate(skills) if skills[number - 1 : number] != [skill]]


def test_workshops_are_visited_as_rarely_as_can_be() -> None:
    world = relay()
    assert workshops(planned(world, relay_task(world))) == ["smithing", "brewing", "smithing"]


def test_where_any_workshop_will_do_he_stays_in_one() -> None:
    world = relay()
    early = load_rules("paper-early")
    events = planned(world, relay_task(world), early)
    assert [event.action.name for event in events].count("move") == 3
    assert len(events) == lower_bound(world, early, relay_task(world))


# -- leveling and chance ----------------------------------------------------------------------------------------------


def test_a_skill_is_raised_on_a_node_that_nothing_else_is_needed_from(tiny: World) -> None:
    beginner = {"digging": {"level": 1, "xp": 0, "next_level_xp": 150}, "smithing": hero_row()["skills"]["smithing"]}
    told = {**NOTHING, "places": [[0, 1], [1, 1]]}
    task = drake_task(tiny, hero=hero_row(worn={"blade": "twig"}, skills=beginner), knowledge=told)
    done = names(planned(tiny, task))
    assert done[0] == "move 0 1"
    assert done[1].startswith("gather ")
    assert done[2:4] == ["move 1 1", "gather 8"]


def test_only_nodes_that_are_told_are_used_where_any_are(tiny: World) -> None:
    beginner = {"digging": {"level": 1, "xp": 0, "next_level_xp": 150}, "smithing": hero_row()["skills"]["smithing"]}
    hero = hero_row(worn={"blade": "twig"}, skills=beginner)
    with pytest.raises(Unplannable, match="no known node takes digging beyond level 1"):
        oracle_plan(tiny, rules, drake_task(tiny, hero=hero, knowledge={**NOTHING, "places": [[1, 1]]}))
    both = drake_task(tiny, hero=hero, knowledge={**NOTHING, "places": [[1, 1], [0, 1]]})
    planned(tiny, both)


@for_each("seed", range(10))
def test_where_drops_go_by_chance_the_plan_goes_on_until_it_has_them(tiny: World, seed: int) -> None:
    by_chance = {"leveling": False, "drop_scale": 2.0}
    task = drake_task(tiny, mechanics=by_chance, seed=seed)
    fights = names(planned(tiny, task)).count("fight")
    assert fights > 1 + 5 / 2


def test_the_plan_is_the_same_every_time(classic: World) -> None:
    for task in tasks(classic, 9):
        own = task.rules(rules)
        assert as_code(oracle_plan(classic, own, task)) == as_code(oracle_plan(classic, own, task))


def test_a_node_that_gives_two_things_is_visited_once() -> None:
    world = with_more(
        items=[material("sand"), material("shell"), thing("shell_blade", "blade", {"attack_heat": 9}, sand=3, shell=2)],
        resources=[node("beach", {"sand": 1, "shell": 1})],
    )
    row = task_row(world, target="rat", missing={"blade": "shell_blade"}, hero=hero_row())
    assert names(planned(world, Task.from_row(row)))[:2] == ["move 0 11", "gather 3"]


def test_a_longer_life_or_a_shorter_fight_than_the_rules_allow_is_not_counted_on() -> None:
    """With too few rounds for the old blade against the sprite, there is no plan."""
    world = gauntlet()
    with pytest.raises(Unplannable, match="cannot beat sprite"):
        oracle_plan(world, replace(rules, rounds=4), golem_task(world))
