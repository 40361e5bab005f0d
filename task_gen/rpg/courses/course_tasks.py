"""Tasks of courses: the hero, the goals and the knowledge, with the plan and the proof of its length.

The generator calls this for a world of courses, whose task number i takes place in shard number i.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import LARGEST_ROOM, Certificate, Goal, Knowledge, Mechanics, Task
from herobench.suites.rpg.game.world import Code, World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.courses.armory import PIECES, SLOTS
from herobench.task_gen.rpg.courses.course import PRODUCTS
from herobench.task_gen.rpg.courses.course_world import MORE, CourseWish, draw_shard, world_and
from herobench.task_gen.rpg.courses.shard import Shard, raw_material
from herobench.task_gen.rpg.oracle.all_ways import all_ways_bound
from herobench.task_gen.rpg.oracle.steps import as_code, play
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.tasks.certificate import chain_depth, left_over
from herobench.task_gen.rpg.tasks.drafts import EXCHANGE
from herobench.task_gen.rpg.tasks.spec import LENGTHS, Spec, total_difficulty, with_budget
from herobench.work.engine import Each, Local


def check_for_courses(spec: Spec) -> None:
    """Raise UsageError for options that would draw other tasks than the world has."""
    usual = Spec(seed=spec.seed, plan=spec.plan, defeat=spec.defeat, budget=spec.budget)
    if spec not in (usual, replace(usual, knowledge="decoys")):
        raise UsageError(TaskFault.COURSE_OPTIONS)


def course_task(world: World, rules: Rules, spec: Spec, wish: CourseWish, index: int) -> Task:
    """Return the task of a course, without its id. Raises UsageError if the world has no such course."""
    shard = draw_shard(wish, index) if index < wish.courses + MORE else None
    # a world for the tasks of a run has courses behind its count
    if shard is None or shard.code(("foe", shard.foes[0])) not in world.monsters:
        raise UsageError(TaskFault.NO_COURSE, code=world.code, courses=wish.courses, number=index + 1)
    task = task_in(world, rules, spec, shard, index)
    if wish.length(index) > LENGTHS[1]:
        # the same for all of these, so that it does not tell how long the plan is
        task = replace(task, mechanics=replace(task.mechanics, room=LARGEST_ROOM))
    task = replace(task, difficulty=total_difficulty(world, task))
    task = replace(task, certificate=_certificate(world, task.rules(rules), task, shard))
    return task if spec.budget is None else with_budget(task, spec.budget)


def courses_made(wish: CourseWish, spec: Spec, numbers: Collection[int], jobs: int) -> dict[int, tuple[Shard, Task]]:
    """Return courses by their numbers, each with its task. Several processes make them.

    All of one seed are kept: several runs ask many of the same courses, each in another lane.
    """
    by_number = _known_courses(wish, spec)
    new = [number for number in numbers if number not in by_number]
    work = Each(partial(_alone, wish, spec), worth=4)
    shards_and_tasks = ((shard, Task.from_row(row)) for shard, row in Local(jobs).results(work, new))
    by_number |= zip(new, shards_and_tasks, strict=True)
    return {number: by_number[number] for number in numbers}


@lru_cache(maxsize=1)
def _known_courses(wish: CourseWish, spec: Spec) -> dict[int, tuple[Shard, Task]]:
    return {}


def _alone(wish: CourseWish, spec: Spec, number: int) -> tuple[Shard, Mapping[str, Any]]:
    """Return a course, and its task in a world that has no other course."""
    shard = draw_shard(wish, number)
    task = course_task(world_and(None, wish, {number: shard}), load_rules(), spec, wish, number)
    return shard, task.as_row()


def task_in(world: World, rules: Rules, spec: Spec, shard: Shard, index: int) -> Task:
    """Return the task of a shard of a world, without its certificate."""
    first, *then = course_goals(shard)
    return Task(
        id="course",
        world=world.digest,
        kind=first.kind,
        target=first.target,
        hero=_hero(world, rules, shard),
        missing=first.missing,
        knowledge=_knowledge(world, shard),
        mechanics=Mechanics(exchange=EXCHANGE, plan=spec.plan, defeat=spec.defeat, ground="told"),
        seed=index,
        difficulty=0,
        then=tuple(then),
        is_short=not then,
    )


def course_goals(shard: Shard) -> Iterator[Goal]:
    """Yield the goals, each kill with the gear that the plan changes to for it."""
    worn = shard.loadout(shard.course.start)
    kills = (fight for fight in shard.course.fights if not fight.is_hunt)
    for aim in shard.course.aims:
        if aim.kind == "craft":
            yield Goal("craft", shard.code(PRODUCTS[aim.number]))
            continue
        then = shard.loadout(next(kills).worn)
        missing = {slot: code for slot, code in then.items() if worn.get(slot) != code}
        worn = then
        yield Goal("kill", shard.code(("foe", aim.number)), MappingProxyType(missing))


def _hero(world: World, rules: Rules, shard: Shard) -> HeroStart:
    level = rules.level_cap
    hero = HeroStart.bare(world, rules, level, dict.fromkeys(world.skills, level))
    worn = shard.loadout(shard.course.start)
    owned = [code for code in _gear(shard, lacking=False) if code not in worn.values()]
    return replace(hero, worn=MappingProxyType(worn), inventory=MappingProxyType(dict.fromkeys(sorted(owned), 1)))


def _gear(shard: Shard, lacking: bool) -> Iterator[Code]:
    """Yield the gear that the hero lacks, or that he has."""
    pieces = ((slot, number) for slot in range(len(SLOTS)) for number in range(PIECES))
    return (shard.code(piece) for piece in pieces if (piece in shard.course.recipes) == lacking)


def _knowledge(world: World, shard: Shard) -> Knowledge:
    """Tell all of the shard, in the world's order."""
    products = [shard.code(material) for material in shard.materials if material.is_refined]
    recipes = {*_gear(shard, lacking=True), *products}
    leaves = {shard.code(raw_material(material)) for material in shard.materials} | set(_gear(shard, lacking=False))
    foes = {shard.code(("foe", number)) for number in shard.foes}
    return Knowledge(
        recipes=tuple(code for code in world.items if code in recipes),
        materials=tuple(code for code in world.items if code in leaves),
        sold=frozenset(),
        monsters=tuple(code for code in world.monsters if code in foes),
        places=tuple(shard.told_places),
        stats=(),
        level="decoys",
    )


def _certificate(world: World, rules: Rules, task: Task, shard: Shard) -> Certificate:
    """Play the plan, and return its figures with the bound of the course."""
    steps = shard.steps()
    game = play(steps, Game(world, rules, task.hero, task.seed))
    assert all(event.ok for event in game.events), "the plan of a course is never refused"
    without, *then = left_over(world, rules, task, 0)
    return Certificate(
        plan=as_code(steps),
        actions=len(game.events),
        lower_bound=all_ways_bound(world, rules, task),
        seeds=1,
        wins=1,
        without=without,
        proof="loadouts",
        scope="all_ways",
        then=tuple(then),
        depth=chain_depth(task, game.events, world),
        hulls=shard.course.hulls,
    )
