"""The told task of a course: the hero, the goals and the knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from herobench.suites.discover.courses.armory import PIECES, SLOTS
from herobench.suites.discover.courses.course import PRODUCTS
from herobench.suites.discover.courses.shard import Shard, raw_material
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Goal, Knowledge, Mechanics, Task
from herobench.suites.rpg.game.world import Code, World
from herobench.task_gen.rpg.tasks.drafts import EXCHANGE


def task_in(world: World, rules: Rules, shard: Shard, index: int) -> Task:
    """Return the task of a shard of a world, without its certificate. A lost fight ends its plans."""
    first, *then = course_goals(shard)
    return Task(
        id="course",
        world=world.digest,
        kind=first.kind,
        target=first.target,
        hero=_hero(world, rules, shard),
        missing=first.missing,
        knowledge=_knowledge(world, shard),
        mechanics=Mechanics(exchange=EXCHANGE, plan="straight", defeat="final", ground="told"),
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
