"""Leveling: the hero has to learn before he can wear the gear, and every goal is proven all along."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from herobench.prompts.rpg.render import render_prompt
from herobench.sandbox import Sandbox
from herobench.suites.rpg.game.events import Equipped, Fought
from herobench.suites.rpg.game.hero import Hero, HeroStart, bare_hp
from herobench.suites.rpg.game.scoring import goals_reached, score, stages
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_world
from herobench.task_gen.rpg.audit.case import Case
from herobench.task_gen.rpg.audit.classifier import candidates
from herobench.task_gen.rpg.audit.families import FAMILIES, Budget, Known
from herobench.task_gen.rpg.campaigns.draw import CampaignTurn, campaign_turn
from herobench.task_gen.rpg.datasets import dataset, dataset_path, world_of
from herobench.task_gen.rpg.oracle.campaign_plan import campaign_plan
from herobench.task_gen.rpg.oracle.gathering import plan_visits
from herobench.task_gen.rpg.oracle.loadouts import LoadoutFights, MissingGear, needs_leveling
from herobench.task_gen.rpg.oracle.lower_bound import campaign_bound
from herobench.task_gen.rpg.oracle.requirements import Requirements
from herobench.task_gen.rpg.oracle.steps import as_code
from herobench.task_gen.rpg.tasks.drafts import bare_search
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.twins import profile
from herobench.task_gen.rpg.validation import faults
from tests.builders import TINY, craft_task, documents, hero_row, tiny_task, write_world
from tests.sizes import THOROUGH
from tests.task_gen.rpg.made import proof, rules, task_of

ASKED = dataset("horizon")
PLAIN = Spec(goals=3, leveling=True)


@pytest.fixture(scope="module")
def world() -> World:
    return world_of(None, "horizon")


@pytest.fixture(scope="module")
def every() -> list[Task]:
    return [Task.from_row(json.loads(line)) for line in dataset_path("horizon").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def tasks(every: list[Task]) -> list[Task]:
    return [task for task in every if task.mechanics.leveling]


@pytest.fixture(scope="module")
def sandbox(world: World) -> Iterator[Sandbox]:
    with Sandbox(world, rules, workers=1) as opened:
        yield opened


def some(tasks: list[Task], step: int = 20) -> list[Task]:
    return tasks[5 :: step if THOROUGH else 2 * step]


def levels(world: World, task: Task) -> list[int]:
    return [world.items[code].level for goal in task.goals for code in goal.missing.values()]


# -- how many there are -----------------------------------------------------------------------------------------------


def test_a_third_of_each_rung_has_leveling_in_each_turn_of_the_crafts() -> None:
    turns: defaultdict[int, Counter[float]] = defaultdict(Counter)
    for index in range(ASKED.count):
        turn = campaign_turn(ASKED.spec, index, Random(0))
        if turn.leveling:
            turns[index % 10][turn.craft_share] += 1
            assert 1 <= turn.lacking <= 10
            assert (turn.decisions or 0) > 4
    assert [turns[rung].total() for rung in range(10)] == [10, *[12] * 9]
    assert sum(sorted(shares.values()) == [4, 4, 4] for shares in turns.values()) == 8


def test_any_share_is_met_and_none_takes_none() -> None:
    for share in (0.0, 0.25, 0.5, 1.0):
        spec = Spec(decisions=(24, 400), knowledge="decoys", leveling=True, leveling_share=share)
        found = sum(campaign_turn(spec, index, Random(0)).leveling for index in range(360))
        assert found == 360 * share
    bare = [
        campaign_turn(replace(ASKED.spec, leveling=False, leveling_share=1.0), index, Random(0)) for index in range(99)
    ]
    assert not any(turn.leveling or turn.lacking for turn in bare)


def test_tasks_with_leveling_and_no_others_start_too_low(world: World, every: list[Task], tasks: list[Task]) -> None:
    assert len(tasks) == 118
    too_high = 0
    for task in every:
        level = task.hero.combat[0]
        assert task.mechanics.leveling == (level < rules.level_cap) == needs_leveling(world, task)
        assert 30 <= level <= 40
        assert all(world.items[code].level <= level for code in task.hero.worn.values())
        too_high += max(levels(world, task), default=0) > level
    assert too_high >= 0.95 * len(tasks)


# -- the proof --------------------------------------------------------------------------------------------------------


def test_every_goal_is_won_at_the_level_of_the_start_and_needs_all_gear_at_the_highest(
    world: World, tasks: list[Task]
) -> None:
    for task in some(tasks, 10):
        growth = bare_hp(world, rules, 40) - bare_hp(world, rules, task.hero.combat[0])
        assert growth == 5 * (40 - task.hero.combat[0])
        for stage in stages(task):
            if stage.kind == "kill":
                for extra in (0, growth):
                    gear = MissingGear.of(world, stage.hero, stage.missing, extra)
                    assert gear.all_needed(world.monsters[stage.target], rules)


def test_certificates_hold(world: World, tasks: list[Task], sandbox: Sandbox) -> None:
    for task in some(tasks):
        assert faults(world, rules, task, sandbox.execute) == [], task.id


def weaker(task: Task) -> Task:
    return replace(task, hero=replace(task.hero, stats={**task.hero.stats, "hp": 1}))


def with_more_to_gain(task: Task) -> Task:
    """Return the task with a hero who is as strong, but of the lowest level."""
    return replace(task, hero=replace(task.hero, combat=(1, 0, 150)))


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (weaker, "the missing gear does not win"),
        (with_more_to_gain, "and his level is too low for it"),
        (lambda task: replace(task, mechanics=replace(task.mechanics, leveling=False)), "has level"),
    ],
)
def test_what_does_not_hold_is_found(
    spoil: Callable[[Task], Task], fault: str, world: World, tasks: list[Task], sandbox: Sandbox
) -> None:
    assert fault in "; ".join(faults(world, rules, spoil(tasks[60]), sandbox.execute))


def test_a_goal_that_a_grown_hero_wins_with_less_is_found(world: World, tasks: list[Task], sandbox: Sandbox) -> None:
    task = next(with_more_to_gain(task) for task in tasks if not holds_with(195, world, task))
    assert "a hero with 195 more health wins without the missing items" in "; ".join(
        faults(world, rules, task, sandbox.execute)
    )


def holds_with(extra: int, world: World, task: Task) -> bool:
    gear = ((MissingGear.of(world, stage.hero, stage.missing, extra), stage.target) for stage in stages(task))
    return all(each.all_needed(world.monsters[who], rules) for each, who in gear if each.changes)


def test_changes_are_needed_at_any_health_that_the_hero_may_have(world: World) -> None:
    """Random changes towards winning sets, against a count over all of their parts."""
    growth, rng = 50, Random(2)
    strong = HeroStart.bare(world, rules, 40)
    hero = replace(strong, stats={**strong.stats, "hp": strong.stats["hp"] - growth})
    fights, found = LoadoutFights(world, rules, hero, growth), 0
    for who in [who for who, monster in world.monsters.items() if monster.level >= 35][:12]:
        gear = bare_search(world, rules, who, 40).drawn_set(rng)
        change = fights.least_change(who, {}, gear) if gear else None
        if gear and change:
            ways = MissingGear.of(world, hero, change).winning_subsets(world.monsters[who], rules)
            grown = MissingGear.of(world, hero, change, growth).winning_subsets(world.monsters[who], rules)
            assert ways == grown == [frozenset(range(len(change)))]
            found += 1
        elif gear:
            # No part of the set will do: what wins with less health has a part that wins with more.
            ways = MissingGear.of(world, hero, gear).winning_subsets(world.monsters[who], rules)
            grown = MissingGear.of(world, hero, gear, growth).winning_subsets(world.monsters[who], rules)
            assert all(any(less < way for less in grown) for way in ways)
    assert found > 4


# -- the plan ---------------------------------------------------------------------------------------------------------


def lessons(plan: str) -> list[re.Match[str]]:
    """The loops of fights in a plan, the longest first."""
    loops = re.finditer(r"range\((\d+)\):\n    fight\(", plan)
    return sorted(loops, key=lambda loop: -int(loop[1]))


def test_the_oracle_makes_the_proven_plan_again(world: World, tasks: list[Task]) -> None:
    for task in some(tasks, 10):
        assert as_code(campaign_plan(world, task.rules(rules), task)) == proof(task).plan, task.id


def test_the_plan_fights_for_the_missing_levels_and_no_more(world: World, tasks: list[Task], sandbox: Sandbox) -> None:
    """One fight less, and some gear cannot be put on when it is needed."""
    tried = 0
    for task in some(tasks, 10):
        plan, level = proof(task).plan, task.hero.combat[0]
        if max(levels(world, task)) <= level:
            continue
        loop = lessons(plan)[0]
        shorter = f"{plan[: loop.start(1)]}{int(loop[1]) - 1}{plan[loop.end(1) :]}"
        episode = sandbox.execute(task, shorter)
        refused = [event for event in episode.events if event.status == 496]
        assert refused, task.id
        assert score(task, world, task.rules(rules), episode).outcome == "lose"
        tried += 1
    assert tried >= 5


def test_victories_of_earlier_goals_save_lessons(world: World, tasks: list[Task], sandbox: Sandbox) -> None:
    """Without what earlier goals teach, the lessons of the plan would be too few."""
    found = 0
    for task in tasks[40:80]:
        plan = sandbox.execute(task, proof(task).plan).events
        goals = goals_reached(task, plan)
        pupil = Hero(world, task.hero)
        for number, event in enumerate(plan):
            if isinstance(event.detail, Fought) and number not in goals:
                pupil.learn_from_victory(world.monsters[event.detail.monster].level, rules)
            elif isinstance(event.detail, Equipped) and world.items[event.detail.item].level > pupil.combat.level:
                found += 1
                break
    assert found >= 5


def test_the_bound_counts_the_lessons(world: World, tasks: list[Task]) -> None:
    for task in some(tasks, 10):
        bound = campaign_bound(world, task.rules(rules), task)
        assert bound == proof(task).lower_bound <= proof(task).actions
        grown = replace(task, hero=task.hero.grown(rules))
        assert bound >= campaign_bound(world, task.rules(rules), grown)
    short = tasks[3]
    assert campaign_bound(world, rules, replace(short, hero=short.hero.grown(rules))) < proof(short).lower_bound


# -- what is told -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_needed_gear_is_too_high_for_the_hero_as_often_as_decoys(world: World, tasks: list[Task]) -> None:
    higher = pairs = 0.0
    for task in tasks:
        told = [(item, world.items[item.code].level > task.hero.combat[0]) for item in candidates(world, task)]
        told = [(item, high) for item, high in told if not item.worn]
        for one, high in told:
            for other, decoy_high in told:
                if one.needed and not other.needed and one.kind == other.kind:
                    pairs += 1
                    higher += 0.5 + 0.5 * (high - decoy_high)
    assert pairs > 1000
    assert 0.45 < higher / pairs < 0.55


def test_all_that_is_told_can_be_learned_at_told_nodes(world: World, tasks: list[Task]) -> None:
    for task in some(tasks):
        told = task.knowledge
        nodes = {
            code
            for kind, code in filter(None, (world.tiles[place].content for place in told.places))
            if kind == "resource"
        }
        work = Requirements.of(world, dict.fromkeys(told.recipes, 1))
        gathered = {code: 1 for code in work.raw if code in world.nodes}
        assert plan_visits(world, rules, Hero(world, task.hero), gathered, work.skills, nodes)


def test_the_prompt_tells_how_to_learn(world: World, every: list[Task]) -> None:
    for task in (every[20], every[40], every[60], every[80]):
        assert ("may be too low for gear" in render_prompt(world, task, rules)) == task.mechanics.leveling


def test_shortcuts_learn_before_they_choose(world: World, tasks: list[Task]) -> None:
    """They would lose by what they cannot wear, and not by what they choose."""
    task = tasks[2]
    for name in ("listed", "strongest", "greedy"):
        journey = FAMILIES[name].play(Case(world, rules, task), Budget(), Known())
        assert journey.hero.combat.level == rules.level_cap


# -- other campaigns --------------------------------------------------------------------------------------------------


def test_a_bare_hero_learns_to_gather_only(classic: World) -> None:
    task = task_of(classic, PLAIN, 0)
    assert task.hero.combat[0] == rules.level_cap
    assert task.mechanics.leveling
    assert {task.hero.skills[node.skill][0] for node in classic.resources.values()} == {1}
    with Sandbox(classic, rules, workers=1) as opened:
        assert faults(classic, rules, task, opened.execute) == []


@pytest.mark.slow
def test_a_twin_has_leveling_too(every: list[Task]) -> None:
    for task in every[::30]:
        assert profile(task, 5).leveling == task.mechanics.leveling
        assert profile(task, 5).leveling_share == 1


def test_a_turn_without_leveling_lacks_nothing() -> None:
    assert not CampaignTurn(None, 0).lacking


# -- leveling ---------------------------------------------------------------------------------------------------------


def hero(**levels: int) -> dict[str, Any]:
    """Return a hero with these skill levels and no experience in the other skills."""
    return hero_row(skills={skill: {"level": level, "xp": 0, "next_level_xp": 150} for skill, level in levels.items()})


def sword(world: World, **levels: int) -> Task:
    return tiny_task(world, missing={"blade": "bar_sword"}, hero=hero(**levels))


@pytest.mark.parametrize(
    ("digging", "smithing", "has_to"), [(5, 5, False), (9, 9, False), (4, 5, True), (5, 4, True), (1, 1, True)]
)
def test_a_hero_has_to_level_where_a_craft_or_a_node_asks_for_more_than_he_has(
    tiny: World, digging: int, smithing: int, has_to: bool
) -> None:
    assert needs_leveling(tiny, sword(tiny, digging=digging, smithing=smithing)) is has_to
    craft = craft_task(tiny, "bar_sword", hero=hero(digging=digging, smithing=smithing))
    assert needs_leveling(tiny, craft) is has_to


def test_a_skill_that_is_not_told_is_at_level_1(tiny: World) -> None:
    assert needs_leveling(tiny, sword(tiny, smithing=5))
    assert not needs_leveling(tiny, craft_task(tiny, "brick", hero=hero()))


def test_what_monsters_drop_is_not_gathered_and_asks_for_nothing(tiny: World) -> None:
    assert not needs_leveling(tiny, tiny_task(tiny, missing={"coat": "fur_coat"}, hero=hero(smithing=1)))
    assert not needs_leveling(tiny, tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=hero()))


def test_what_monsters_drop_need_not_be_gathered_though_it_can_be(tmp_path: Path) -> None:
    content = documents(TINY)
    content["monsters"]["monsters"][0]["drops"].append({"item": "ore", "one_in": 1, "min": 1, "max": 1})
    world = load_world(write_world(tmp_path / "world", content))
    assert not needs_leveling(world, sword(world, smithing=5, digging=1))


def test_what_is_sold_is_not_gathered(tiny: World) -> None:
    told = {"recipes": [], "materials": ["ore"], "sold": ["ore"], "monsters": [], "places": [], "stats": []}
    assert needs_leveling(tiny, craft_task(tiny, "bar", hero=hero(smithing=5)))
    assert not needs_leveling(tiny, craft_task(tiny, "bar", hero=hero(smithing=5), knowledge=told))


def test_a_fight_alone_takes_no_skill(tiny: World) -> None:
    assert not needs_leveling(tiny, tiny_task(tiny, missing={}, hero=hero()))


def test_of_several_nodes_the_easiest_is_asked(tmp_path: Path) -> None:
    content = documents(TINY)
    pit, vein = content["resources"]["resources"]
    vein["drops"].append(pit["drops"].pop())
    task = {"missing": {"charm1": "pearl_charm"}, "hero": hero(smithing=1, digging=1)}
    only_in_ore = load_world(write_world(tmp_path / "hard", content))
    assert needs_leveling(only_in_ore, tiny_task(only_in_ore, **task))
    pit["drops"].append(vein["drops"][-1])
    in_both = load_world(write_world(tmp_path / "easy", content))
    assert not needs_leveling(in_both, tiny_task(in_both, **task))
