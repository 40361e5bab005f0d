"""Open brackets: find the brackets that a world has tasks for.

Called by `herobench world validate` and `world remix`. A bracket is open if one task of it can be made: a craft
task, a kill task against a likely monster, or else anything that the generator draws. A small world may have few
brackets; only a hole between two open ones is odd.
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
from herobench.task_gen.worlds.oddity import Oddity, OddityKind, Spots

ASKED = tuple(BRACKETS[:-1])
"""The brackets that datasets are made of; the tenth has no upper end."""
_PROSPECTS = 2
"""The number of likely monsters that are tried for a bracket before any monster is."""
_FIGHTS = 100
"""The number of fights that are looked at to find likely monsters."""


def open_brackets(world: World, rules: Rules, step: Callable[[], None] = lambda: None) -> tuple[int, ...]:
    """Return the brackets that a task can be made for; `step` is called after each bracket."""
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
    # The cheapest question first: a craft task needs no search for gear.
    specs = (Spec(brackets=brackets, kind="craft"), *kills, Spec(brackets=brackets, kind="kill"))
    return any(Generator(world, rules, spec).attempt(0) is not None for spec in specs)


def _prospects(world: World, rules: Rules) -> Mapping[int, list[Code]]:
    """Return, by bracket, monsters whose gear has parts of that difficulty; the strongest monsters come first."""
    found: dict[int, list[Code]] = {bracket: [] for bracket in BRACKETS}
    monsters = sorted(world.monsters.values(), key=lambda monster: (-monster.level, monster.code))
    fights = [(monster, monster.intended_level + above) for monster in monsters for above in LEVELS_ABOVE]
    # An even sample, because a large world has thousands of fights.
    for monster, level in fights[:: len(fights) // _FIGHTS + 1]:
        hero = HeroStart.bare(world, rules, min(level, rules.level_cap))
        gear = GearSearch.of(world, rules, monster, hero).random_set(Random(0))  # noqa: S311 - a reproducible estimate
        for bracket in brackets_of(difficulties(world, gear or {})):
            found[bracket].append(monster.code)
        if all(len(found[bracket]) >= _PROSPECTS for bracket in ASKED):
            break
    return {bracket: codes[:_PROSPECTS] for bracket, codes in found.items()}


def difficulties(world: World, gear: Gear) -> int:
    """Return the total difficulties of kill tasks about a gear set, as a bit set.

    Any part of the set may be missing, and no slot has to be emptied first.
    """
    sums = 1
    for code in gear.values():
        # Subset sums as one big integer: bit n is set if some subset adds up to n.
        sums |= sums << item_difficulty(world, code)
    return (sums & ~1) << FIGHT


def brackets_of(bits: int) -> set[int]:
    """Return the brackets of a bit set of total difficulties."""
    return {bracket_of(difficulty) for difficulty in range(bits.bit_length()) if bits >> difficulty & 1}


def holes(given: Sequence[int], spots: Spots) -> Iterator[Oddity]:
    """Yield the closed brackets between two open ones, or that no bracket is open at all."""
    if not given:
        what, advice = "no task can be made in this world", "add a monster that gear beats, or items with recipes"
        yield Oddity(OddityKind.NO_TASKS, spots.about(), what, advice)
        return
    for bracket in range(given[0], given[-1]):
        if bracket not in given:
            least = LEAST + (bracket - 1) * STEPS
            what = f"no task of bracket {bracket} can be made, though there are easier and harder ones"
            advice = f"add gear or goods of a total difficulty from {least} to {least + STEPS - 1}"
            yield Oddity(OddityKind.NO_TASKS, spots.about(), what, advice)
