"""Kill goals of campaigns with decoys: monsters that no gear beats by luck, and rivals whose gear is told as well.

For each new monster a few contenders are drawn, each with a random winning set, and chance makes one of them the goal.
The gear of the others is told too. Each of them could have been the goal, so nothing that can be seen of a piece tells
whether it is needed: only the fight does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from herobench.rpg.hero import HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, World, slot_type
from herobench.task_gen.campaigns.draw import Draw
from herobench.task_gen.campaigns.reach import can_dress
from herobench.task_gen.campaigns.step import Step, kill
from herobench.task_gen.gear.candidates import gear_candidates, gear_slots
from herobench.task_gen.gear.search import Gear
from herobench.task_gen.kill_tasks import bare_search
from herobench.task_gen.knowledge.campaign_decoys import bare_types
from herobench.task_gen.knowledge.decoys import MOST_LUCK, Matchup
from herobench.task_gen.oracle.outfits import Outfit, placed

_FIRST_RIVALS, _RIVALS = 3, 1
"""The number of rivals of the first goal, and of each later one against a new monster."""
_SETS = 60
"""The number of random winning sets of a monster that all campaigns of a world share."""
_TRIES = 3
"""The number of winning sets that are tried for a contender."""
_SEARCHES = 4
"""The number of times that a campaign may lack contenders before it goes on with the gear that it has."""
_TOP = 0.75
"""Gear and monsters of the top levels count: those from this share of the highest level on."""
_DRAWS = 200
"""The number of random outfits that estimate how often one wins by luck."""
_FEWEST = 8
"""A world has at least so many contenders: those that luck beats least."""


class _Contender(NamedTuple):
    """A monster that could be the next goal."""

    who: Code
    gear: Outfit
    """Winning gear, all that the hero wears in that fight."""
    missing: Outfit
    """What he has to put on for it."""


class HiddenKills:
    """The kill goals of a world for one hero."""

    def __init__(self, world: World, rules: Rules, hero: HeroStart) -> None:
        self._world = world
        self._rules = rules
        self._hero = hero

    def steps(self, draw: Draw, rng: Random) -> Iterator[Step]:
        """Yield kills for which the hero has to change, in random order: for gear from before, or for new gear."""
        monsters = hard_monsters(self._world, self._rules)
        is_new_tried = False
        for who in rng.sample(monsters, len(monsters)):
            if draw.repeats(who) or draw.fights.beats(who, draw.worn):
                continue
            if who in draw.beaten:
                missing = draw.fights.nearest(who, draw.worn, draw.wardrobe)
                step = self._step(draw, who, missing) if missing else None
            else:
                step = None if is_new_tried else self._new(draw, rng)
                is_new_tried = True
            if step:
                yield step

    def begin(self, draw: Draw, rng: Random) -> Step | None:
        """Dress the hero and return his first goal, or None if none was found.

        He starts in gear against some monster, so that he can hunt for better gear. In a short campaign most of it is
        already what the first goal takes.
        """
        monsters = hard_monsters(self._world, self._rules)
        if not monsters:
            return None
        draw.start = self._in_order(rng.choice(winning_sets(self._world, self._rules, rng.choice(monsters))))
        pool = self._pool(draw, 1 + _FIRST_RIVALS, rng)
        if len(pool) <= _FIRST_RIVALS:
            return None
        goal, *rivals = pool
        swapped, emptied = draw.turn.swapped, draw.turn.emptied
        if not swapped and not emptied:
            return self._step(draw, goal.who, goal.missing, rivals)
        slots = [slot for slot in goal.missing if goal.gear.get(slot) != draw.start.get(slot)]
        slots = rng.sample(slots, len(slots))
        worn = {slot: draw.start[slot] for slot in slots[:swapped] if slot in draw.start}
        gone = slots[swapped : swapped + emptied]
        start = {**{slot: code for slot, code in goal.gear.items() if slot not in gone}, **worn}
        draw.start = self._in_order(start)
        missing = draw.fights.least_change(goal.who, draw.start, goal.gear)
        return self._step(draw, goal.who, missing, rivals) if missing else None

    def _in_order(self, gear: Outfit) -> Outfit:
        return MappingProxyType({slot: gear[slot] for slot in self._world.slots if slot in gear})

    def _step(self, draw: Draw, who: Code, missing: Outfit, rivals: Collection[_Contender] = ()) -> Step | None:
        """Return the step to a goal, if some told gear misleads in each type of gear that it takes."""
        step = Step(kill(self._world, who, missing), _pieces(rivals))
        hero = replace(self._hero, worn=draw.worn)
        matchup = Matchup(self._world, self._rules, self._world.monsters[who], hero, step.goal.missing)
        told = draw.needed | draw.decoys | {*step.rivals, *missing.values()}
        return None if bare_types(matchup, told) else step

    def _new(self, draw: Draw, rng: Random) -> Step | None:
        """Return a new monster as a goal, with its rivals, if there are enough contenders."""
        if len(draw.wardrobe) > draw.turn.sets or draw.searches >= _SEARCHES:
            return None
        pool = self._pool(draw, 1 + _RIVALS, rng)
        if len(pool) <= _RIVALS:
            draw.searches += 1
            return None
        goal, *rivals = pool
        return self._step(draw, goal.who, goal.missing, rivals)

    def _pool(self, draw: Draw, number: int, rng: Random) -> list[_Contender]:
        """Return contenders in random order, no two of which share a piece."""
        monsters = hard_monsters(self._world, self._rules)
        left = iter(rng.sample(monsters, len(monsters)))
        pool: list[_Contender] = []
        for who in left:
            if who in draw.beaten or draw.repeats(who):
                continue
            contender = self._contender(draw, who, _pieces(pool), rng)
            if contender:
                pool.append(contender)
            if len(pool) == number:
                break
        rng.shuffle(pool)
        return pool

    def _contender(self, draw: Draw, who: Code, taken: frozenset[Code], rng: Random) -> _Contender | None:
        """Return a monster with winning gear that has no piece in common with others, nor with decoys."""
        # A decoy stays one. Or what helps against many monsters would be needed more often than others.
        for gear in self._sets(who, draw.decoys | taken, rng):
            worn = placed(self._world, gear, draw.worn)
            missing = draw.fights.least_change(who, draw.worn, worn)
            if missing and (draw.turn.stock == 1 or can_dress(draw, who, missing)):
                return _Contender(who, worn, missing)
        return None

    def _sets(self, who: Code, taken: frozenset[Code], rng: Random) -> Iterator[Gear]:
        """Yield some random winning sets against a monster that have none of the taken pieces."""
        known = [gear for gear in winning_sets(self._world, self._rules, who) if taken.isdisjoint(gear.values())]
        if known:
            yield from rng.sample(known, min(_TRIES, len(known)))
            return
        # A search among fewer items has to be set up, which takes long.
        search = bare_search(self._world, self._rules, who, self._rules.level_cap).without(taken)
        yield from filter(None, (search.drawn_set(rng) for _ in range(_TRIES)))


def _pieces(contenders: Collection[_Contender]) -> frozenset[Code]:
    return frozenset(code for contender in contenders for code in contender.missing.values())


@lru_cache(maxsize=1000)
def winning_sets(world: World, rules: Rules, who: Code) -> tuple[Gear, ...]:
    """Return random winning sets of a hero of the highest level. Campaigns of a world share them."""
    # Its own randomness, so that no set depends on who asks first.
    search, rng = bare_search(world, rules, who, rules.level_cap), Random(who)  # noqa: S311 - reproducible
    return tuple(filter(None, (search.drawn_set(rng) for _ in range(_SETS))))


@lru_cache(maxsize=20)
def hard_monsters(world: World, rules: Rules) -> tuple[Code, ...]:
    """Return the monsters of the top levels that a grown hero hardly ever beats in random gear of those levels."""
    top, hero = _TOP * rules.level_cap, HeroStart.bare(world, rules, rules.level_cap)
    luck: dict[Code, float] = {}
    for monster in world.monsters.values():
        search = bare_search(world, rules, monster.code, rules.level_cap)
        if monster.intended_level >= top and search.drawn_set(Random(monster.code)):  # noqa: S311 - reproducible
            luck[monster.code] = _luck(Matchup(world, rules, monster, hero, {}), top, Random(monster.code))  # noqa: S311 - reproducible
    hardest = sorted(luck, key=lambda code: (luck[code], code))
    return tuple(code for place, code in enumerate(hardest) if luck[code] <= MOST_LUCK or place < _FEWEST)


def _luck(matchup: Matchup, top: float, rng: Random) -> float:
    """Return the share of random outfits of gear of the top levels that win."""
    candidates = gear_candidates(matchup.world, matchup.target, matchup.hero.combat[0])
    gear: Mapping[str, list[Code]] = {
        kind: [item.code for item in items if item.level >= top] for kind, items in candidates.items()
    }
    slots = [slot for slot in gear_slots(matchup.world) if gear[slot_type(slot)]]
    drawn = [{slot: rng.choice(gear[slot_type(slot)]) for slot in slots} for _ in range(_DRAWS)]
    return sum(matchup.wins(drawn)) / _DRAWS
