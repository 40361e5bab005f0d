"""Brackets: of which difficulties a world gives tasks at all.

Whether it does is found out by making one: a craft task, or a kill task against a monster whose gear is about as much
work, or else whatever the generator draws. That a small world gives only some is no fault; a hole between them is odd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from herobench.rpg.hero import HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, World
from herobench.task_gen.difficulty import BRACKETS, FIGHT, LEAST, STEPS, bracket_of, item_difficulty
from herobench.task_gen.gear.search import Gear, GearSearch
from herobench.task_gen.generator import Generator
from herobench.task_gen.kill_tasks import LEVELS_ABOVE
from herobench.task_gen.spec import Spec
from herobench.task_gen.worlds.oddity import Kind, Oddity, Spots

ASKED = tuple(BRACKETS[:-1])
"""The brackets that datasets are made of; the tenth is open."""
_PROSPECTS = 2
"""How many monsters are tried for a bracket before just any is."""
_FIGHTS = 100
"""How many fights are looked at for prospects."""


def open_brackets(world: World, rules: Rules, step: Callable[[], None] = lambda: None) -> tuple[int, ...]:
    """The brackets of which a task can be made; `step` is called for each once it is known."""
    prospects = _prospects(world, rules)
    found = []
    for bracket in ASKED:
        if _gives(world, rules, bracket, prospects[bracket]):
            found.append(bracket)
        step()
    return tuple(found)


def _gives(world: World, rules: Rules, bracket: int, monsters: Sequence[Code]) -> bool:
    brackets = (bracket,)
    kills = (Spec(brackets=brackets, kind="kill", monster=monster) for monster in monsters)
    specs = (Spec(brackets=brackets, kind="craft"), *kills, Spec(brackets=brackets, kind="kill"))
    return any(Generator(world, rules, spec).attempt(0) is not None for spec in specs)


def _prospects(world: World, rules: Rules) -> Mapping[int, list[Code]]:
    """By bracket, monsters of whose gear a part is as much work; the strongest are looked at first."""
    found: dict[int, list[Code]] = {bracket: [] for bracket in BRACKETS}
    monsters = sorted(world.monsters.values(), key=lambda monster: (-monster.level, monster.code))
    fights = [(monster, monster.intended_level + above) for monster in monsters for above in LEVELS_ABOVE]
    for monster, level in fights[:: len(fights) // _FIGHTS + 1]:
        hero = HeroStart.bare(world, rules, min(level, rules.level_cap))
        gear = GearSearch.of(world, rules, monster, hero).random_set(Random(0))  # noqa: S311 - a look around
        for bracket in brackets_of(difficulties(world, gear or {})):
            found[bracket].append(monster.code)
        if all(len(found[bracket]) >= _PROSPECTS for bracket in ASKED):
            break
    return {bracket: codes[:_PROSPECTS] for bracket, codes in found.items()}


def difficulties(world: World, gear: Gear) -> int:
    """The total difficulties of kill tasks for which any part of a set is missing and nothing is in its place, as a
    number in which the bit of each is set."""
    sums = 1
    for code in gear.values():
        sums |= sums << item_difficulty(world, code)
    return (sums & ~1) << FIGHT


def brackets_of(bits: int) -> set[int]:
    """The brackets of total difficulties that are given as bits."""
    return {bracket_of(difficulty) for difficulty in range(bits.bit_length()) if bits >> difficulty & 1}


def holes(given: Sequence[int], spots: Spots) -> Iterator[Oddity]:
    """The brackets without tasks between those with some; and that there is none at all."""
    if not given:
        what, advice = "no task can be made in this world", "add a monster that gear beats, or items with recipes"
        yield Oddity(Kind.NO_TASKS, spots.about(), what, advice)
        return
    for bracket in range(given[0], given[-1]):
        if bracket not in given:
            least = LEAST + (bracket - 1) * STEPS
            what = f"no task of bracket {bracket} can be made, though there are easier and harder ones"
            advice = f"add gear or goods of a total difficulty from {least} to {least + STEPS - 1}"
            yield Oddity(Kind.NO_TASKS, spots.about(), what, advice)
