"""Writes what a question tells: the world in the records of the prompts of RPG tasks, and the rules and the state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from herobench.prompts.rpg.render import fill, section_records
from herobench.prompts.words import words_of
from herobench.suites.acp.hero.ask import WORDS
from herobench.suites.acp.hero.question import text_of
from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import CRAFTING, Fighter
from herobench.suites.rpg.game.world import World

_NOTHING = "nothing"


def context(scene: HeroScene) -> str:
    """Return the world, its rules and the state."""
    words, world, rules = words_of(WORDS), scene.world, scene.rules
    x, y = world.start
    curve = fill(f"xp_{rules.xp}")
    teaching = {"curve": curve, "crafting": CRAFTING, "cap": rules.level_cap, "health": rules.hp_per_level}
    return words.fill(
        "context",
        slots=", ".join(world.slots),
        elements=", ".join(world.elements),
        start_x=x,
        start_y=y,
        rounds=rules.rounds,
        experience=words.fill(f"experience_{rules.experience}", **teaching),
        sections="\n\n".join(_sections(scene)),
        state=_state(scene),
    )


def question(scene: HeroScene, task: str, **facts: object) -> str:
    """Return the text of a question."""
    kind = scene.task.kind
    things = scene.world.monsters if kind == "kill" else scene.world.items
    goal = words_of(WORDS).fill(f"goal_{kind}", name=things[scene.task.target].name, code=scene.task.target)
    return words_of(WORDS).fill(f"ask_{task}", **{"goal": goal, **facts})


def gear_goal(scene: HeroScene, gear: Mapping[str, int]) -> str:
    """Return the goal to beat the target in some gear, given as a number of pieces by item."""
    target = scene.task.target
    worn = ", ".join(code if count == 1 else f"{count} {code}" for code, count in sorted(gear.items()))
    return words_of(WORDS).fill("goal_gear", name=scene.world.monsters[target].name, code=target, gear=worn)


def numbered(plan: Iterable[Action]) -> str:
    """Return a plan, one action a line with its number, from 0."""
    return "\n".join(f"{number}: {text_of(action)}" for number, action in enumerate(plan))


def _sections(scene: HeroScene) -> Iterable[str]:
    # What is told does not depend on where the hero is now, and what he has is told with the state.
    for heading, records in section_records(scene.whole, scene.task, scene.rules).items():
        if records:
            yield f"{fill(heading)}\n\n" + "\n".join(record.line for record in records)


def _state(scene: HeroScene) -> str:
    start, world = scene.task.hero, scene.world
    hero, content = Hero(world, start), world.tiles[start.place].content
    level, xp, needed = start.combat
    return words_of(WORDS).fill(
        "state",
        x=start.place[0],
        y=start.place[1],
        here=f", where there is {content.code} ({content.type})" if content else "",
        bag=_listed(f"{count} {code}" for code, count in sorted(start.inventory.items())),
        worn=_listed(f"{start.worn[slot]} ({slot})" for slot in world.slots if slot in start.worn),
        level=level,
        xp=xp,
        next=needed,
        skills=_listed(
            f"{skill} {progress.level} ({progress.xp} of {progress.next_level_xp})"
            for skill, progress in hero.skills.items()
        ),
        stats=_stats(world, Fighter(hero.stats)),
    )


def _stats(world: World, fighter: Fighter) -> str:
    named = {"hp": fighter.stats.hp}
    for prefix, values in zip(("attack", "dmg", "res"), fighter.stats[1:4], strict=True):
        named |= {f"{prefix}_{element}": value for element, value in zip(world.elements, values, strict=True)}
    return _listed(f"{name} {value}" for name, value in named.items() if value)


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts) or _NOTHING
