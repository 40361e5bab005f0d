"""Decoys of campaigns: for each goal and each type of gear that it takes, told gear with which the hero loses.

Called by `telling`, and by the validation, which counts them again. The gear of other goals serves as decoys too, so a
prompt grows less than the number of goals. The hero can make every decoy, in what he wears for some goal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

from herobench.rpg.goals import stages
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Item, World, slot_type
from herobench.task_gen.gear.candidates import gear_candidates, sources
from herobench.task_gen.knowledge.decoys import PER_TYPE, Matchup
from herobench.task_gen.oracle.outfits import Fights, outfits_of

Gear = Mapping[str, Sequence[Item]]
"""Gear by type."""


def campaign_decoys(world: World, rules: Rules, task: Task, rng: Random) -> tuple[Code, ...] | None:
    """Return decoys for every goal of a campaign, or None if some goal has none."""
    told = {code for goal in task.goals for code in goal.missing.values()}
    decoys: dict[Code, None] = {}
    can_make = _Workbench(world, rules, task)
    for matchup in _matchups(world, rules, task):
        hidden = matchup.misleading(_told_gear(matchup, told | decoys.keys()))
        # The first goals that meet a type tell a few decoys of it, and later goals share them.
        poor = [kind for kind in _types(matchup) if len(hidden[kind]) < PER_TYPE.start]
        if not poor:
            continue
        candidates = gear_candidates(world, matchup.target, task.hero.combat[0])
        pools = matchup.misleading({kind: [i for i in candidates[kind] if can_make(i.code)] for kind in poor})
        for kind in poor:
            others = [item for item in pools[kind] if item not in hidden[kind]]
            if not others and not hidden[kind]:
                return None
            decoys.update(dict.fromkeys(item.code for item in _some(matchup, others, rng)))
    return tuple(decoys)


def can_be_hidden(matchup: Matchup) -> bool:
    """Return whether the world has gear that could be a decoy for each type of gear that a goal takes."""
    candidates = gear_candidates(matchup.world, matchup.target, matchup.hero.combat[0])
    pools = matchup.misleading({kind: candidates[kind] for kind in _types(matchup)})
    return all(pools[kind] for kind in _types(matchup))


def without_decoys(world: World, rules: Rules, task: Task) -> list[int]:
    """Return the numbers of the goals, from 1, with a type of gear of which no decoy is told."""
    gear = {*task.knowledge.recipes, *task.knowledge.materials}
    bare: list[int] = []
    kills = [number for number, goal in enumerate(task.goals, 1) if goal.kind == "kill"]
    for number, matchup in zip(kills, _matchups(world, rules, task), strict=True):
        hidden = matchup.misleading(_told_gear(matchup, gear))
        if not all(hidden[kind] for kind in _types(matchup)):
            bare.append(number)
    return bare


def _matchups(world: World, rules: Rules, task: Task) -> Iterator[Matchup]:
    for stage in stages(task):
        if stage.kind == "kill":
            yield Matchup(world, rules, world.monsters[stage.target], stage.hero, stage.missing)


def _types(matchup: Matchup) -> list[str]:
    """Return the types of gear that a goal takes."""
    return list(dict.fromkeys(map(slot_type, matchup.missing)))


def _told_gear(matchup: Matchup, told: Collection[Code]) -> Gear:
    """Return the told gear of the types that a goal takes, in the world's order."""
    kinds = _types(matchup)
    level = matchup.hero.combat[0]
    found: dict[str, list[Item]] = {kind: [] for kind in kinds}
    for item in map(matchup.world.items.__getitem__, sorted(told)):
        if item.type in found and item.level <= level:
            found[item.type].append(item)
    return found


def _some(matchup: Matchup, pool: Sequence[Item], rng: Random) -> list[Item]:
    """Choose a few items: one that a heuristic prefers, the others at random."""
    number = min(len(pool), rng.choice(PER_TYPE))
    if not number:
        return []
    strongest = max(pool, key=rng.choice(matchup.heuristics))
    return [strongest, *rng.sample([item for item in pool if item is not strongest], number - 1)]


class _Workbench:
    """Tells whether the hero of a campaign can make an item, in what he wears for some goal."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self._world = world
        self._fights = Fights(world, rules, task.hero)
        self._outfits = {frozenset(outfit.items()): outfit for outfit in outfits_of(task)}.values()
        self._beaten: dict[Code, bool] = {}

    def __call__(self, code: Code) -> bool:
        leaves = sources(self._world, code)
        return leaves is not None and all(leaf in self._world.nodes or self._falls(leaf) for leaf in leaves)

    def _falls(self, leaf: Code) -> bool:
        return any(self._is_beaten(who) for who in self._world.droppers.get(leaf, ()))

    def _is_beaten(self, who: Code) -> bool:
        if who not in self._beaten:
            self._beaten[who] = any(self._fights.beats(who, outfit) for outfit in self._outfits)
        return self._beaten[who]
