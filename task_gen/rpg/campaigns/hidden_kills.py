"""Kill goals of campaigns with decoys: monsters that no gear beats by luck, and rivals whose gear is told as well.

For each new monster a few contenders are drawn, each with a random winning set, and chance makes one of them the goal.
The gear of the others is told too. Each of them could have been the goal, so nothing that can be seen of a piece tells
whether it is needed: only the fight does. A hero who has to learn first starts in gear that he can wear by then.

Whole campaigns are then tried against players that choose by a rule of thumb, by luck, or greedily, goal by goal and
with the health of the highest level. A campaign hides its gear if every rule loses some fight and random choices nearly
always do. It misleads a greedy player if he loses some fight, although he computes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.hero import Hero, HeroStart, bare_hp
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import stages
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Item, World, slot_type
from herobench.task_gen.rpg.campaigns.draw import MOST_LACKING, CampaignStep, Draw, can_equip, kill
from herobench.task_gen.rpg.gear.candidates import gear_candidates, gear_slots
from herobench.task_gen.rpg.gear.search import Gear, GearSearch, greedy_gear
from herobench.task_gen.rpg.oracle.loadouts import Loadout, placed
from herobench.task_gen.rpg.tasks.decoys import MOST_LUCK, Matchup, bare_types, choices_among, heuristic_choices
from herobench.task_gen.rpg.tasks.drafts import bare_search

_FIRST_RIVALS, _RIVALS = 3, 1
"""The number of rivals of the first goal, and of each later one against a new monster."""
_SETS = 60
"""The number of random winning sets of a monster that all campaigns of a world share."""
_TRIES = 3
"""The number of winning sets that are tried for a contender."""
_SEARCHES = 4
"""The number of times that a campaign may lack contenders before it continues with the gear that it has."""
_TOP = 0.75
"""Gear and monsters of the top levels count: those from this share of the highest level on."""
_DRAWS = 200
"""The number of random loadouts that estimate how often one wins by luck."""
_FEWEST = 8
"""The least number of contenders in a world: the monsters that luck beats least."""


class _Contender(NamedTuple):
    """A monster that could be the next goal."""

    who: Code
    gear: Loadout
    """Winning gear: everything that the hero wears in that fight."""
    missing: Loadout
    """What he has to put on for it."""


class HiddenKills:
    """The kill goals of a world for one hero."""

    def __init__(self, world: World, rules: Rules, hero: HeroStart) -> None:
        self._world = world
        self._rules = rules
        self._hero = hero

    def steps(self, draw: Draw, rng: Random) -> Iterator[CampaignStep]:
        """Yield kills for which the hero has to change, in random order: for gear from before, or for new gear."""
        monsters = hard_monsters(self._world, self._rules)
        is_new_tried = False
        for who in rng.sample(monsters, len(monsters)):
            if draw.repeats(who) or draw.fights.beats(who, draw.worn):
                continue
            if who in draw.beaten:
                missing = draw.fights.nearest(who, draw.worn, draw.distinct_loadouts)
                step = self._step(draw, who, missing) if missing else None
            else:
                step = None if is_new_tried else self._new(draw, rng)
                is_new_tried = True
            if step:
                yield step

    def begin(self, draw: Draw, rng: Random) -> CampaignStep | None:
        """Equip the hero and return his first goal, or None if none was found.

        He starts in gear against some monster, so that he can hunt for better gear. In a short campaign most of it is
        already what the first goal takes.
        """
        start = self._first_loadout(draw, rng)
        if start is None:
            return None
        draw.start = start
        pool = self._pool(draw, 1 + _FIRST_RIVALS, rng)
        if len(pool) <= _FIRST_RIVALS:
            return None
        goal, *rivals = pool
        swapped, emptied = draw.turn.swapped, draw.turn.emptied
        if not swapped and not emptied:
            return self._step(draw, goal.who, goal.missing, _pieces(rivals))
        slots = [slot for slot in goal.missing if goal.gear.get(slot) != draw.start.get(slot)]
        slots = rng.sample(slots, len(slots))
        # What he cannot wear yet comes first, since he cannot have it on.
        slots.sort(key=lambda slot: self._is_too_high(draw, goal.gear[slot]), reverse=True)
        worn = {slot: draw.start[slot] for slot in slots[:swapped] if slot in draw.start}
        gone = slots[swapped : swapped + emptied]
        start = {**{slot: code for slot, code in goal.gear.items() if slot not in gone}, **worn}
        if any(self._is_too_high(draw, code) for code in start.values()):
            return None
        draw.start = self._in_order(start)
        missing = draw.fights.least_change(goal.who, draw.start, goal.gear)
        return self._step(draw, goal.who, missing, self._as_high(draw, missing, rivals)) if missing else None

    def _as_high(self, draw: Draw, missing: Loadout, rivals: Collection[_Contender]) -> Collection[Code]:
        """Return the gear of rivals that the hero can wear at once, or not, like the missing gear of its type.

        An equipped hero wears what he can. So most of what he misses is too high for him, and gear that is not would
        stand out.
        """
        items = self._world.items
        wanted: dict[str, set[bool]] = {}
        for code in missing.values():
            wanted.setdefault(items[code].type, set()).add(self._is_too_high(draw, code))
        both = {True, False}
        return {code for code in _pieces(rivals) if self._is_too_high(draw, code) in wanted.get(items[code].type, both)}

    def _first_loadout(self, draw: Draw, rng: Random) -> Loadout | None:
        """Return winning gear against some monster, which the hero can wear at once; None if no gear wins."""
        monsters = hard_monsters(self._world, self._rules)
        level = self._level(draw)
        if draw.turn.lacking:
            monsters = tuple(who for who in monsters if winning_sets(self._world, self._rules, who, level, level))
        if not monsters:
            return None
        return self._in_order(rng.choice(winning_sets(self._world, self._rules, rng.choice(monsters), level, level)))

    def _level(self, draw: Draw) -> int:
        """Return the level whose health wins the fights. It is the same for all who lack levels, to search less."""
        return self._rules.level_cap - (MOST_LACKING if draw.turn.lacking else 0)

    def _is_too_high(self, draw: Draw, code: Code) -> bool:
        return self._world.items[code].level > draw.fights.hero.combat[0]

    def _in_order(self, gear: Loadout) -> Loadout:
        return MappingProxyType({slot: gear[slot] for slot in self._world.slots if slot in gear})

    def _step(
        self, draw: Draw, who: Code, missing: Loadout, rivals: Collection[Code] = frozenset()
    ) -> CampaignStep | None:
        """Return the step to a goal, if some told gear misleads in each type of gear that it takes."""
        step = CampaignStep(kill(self._world, who, missing), rivals)
        hero = replace(self._hero, worn=draw.worn)
        matchup = Matchup(self._world, self._rules, self._world.monsters[who], hero, step.goal.missing)
        told = draw.needed | draw.decoys | {*step.rivals, *missing.values()}
        return None if bare_types(matchup, told) else step

    def _new(self, draw: Draw, rng: Random) -> CampaignStep | None:
        """Return a new monster as a goal, with its rivals, if there are enough contenders."""
        if len(draw.distinct_loadouts) > draw.turn.sets or draw.searches >= _SEARCHES:
            return None
        pool = self._pool(draw, 1 + _RIVALS, rng)
        if len(pool) <= _RIVALS:
            draw.searches += 1
            return None
        goal, *rivals = pool
        return self._step(draw, goal.who, goal.missing, _pieces(rivals))

    def _pool(self, draw: Draw, number: int, rng: Random) -> list[_Contender]:
        """Return contenders in random order. No two share a piece."""
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
        for gear in self._sets(who, self._level(draw), draw.decoys | taken, rng):
            worn = placed(self._world, gear, draw.worn)
            missing = draw.fights.least_change(who, draw.worn, worn)
            if missing and (draw.turn.stock == 1 or can_equip(draw, who, missing)):
                return _Contender(who, worn, missing)
        return None

    def _sets(self, who: Code, level: int, taken: frozenset[Code], rng: Random) -> Iterator[Gear]:
        """Yield some random sets that win with the health of a level and have none of the taken pieces."""
        cap = self._rules.level_cap
        sets = winning_sets(self._world, self._rules, who, level, cap)
        known = [gear for gear in sets if taken.isdisjoint(gear.values())]
        if known:
            yield from rng.sample(known, min(_TRIES, len(known)))
            return
        # A search among fewer items has to be set up, which takes long.
        search = _search(self._world, self._rules, who, level, cap).without(taken)
        yield from filter(None, (search.drawn_set(rng) for _ in range(_TRIES)))


def _pieces(contenders: Collection[_Contender]) -> frozenset[Code]:
    return frozenset(code for contender in contenders for code in contender.missing.values())


@lru_cache(maxsize=1000)
def _search(world: World, rules: Rules, who: Code, health_level: int, gear_level: int) -> GearSearch:
    """Return the search for gear up to a level that wins with the health of a level."""
    hero = HeroStart.bare(world, rules, gear_level)
    health = bare_hp(world, rules, health_level)
    return GearSearch.of(
        world, rules, world.monsters[who], replace(hero, stats=MappingProxyType({**hero.stats, "hp": health}))
    )


@lru_cache(maxsize=1000)
def winning_sets(world: World, rules: Rules, who: Code, health_level: int, gear_level: int) -> tuple[Gear, ...]:
    """Return random sets of gear up to a level that win with the health of a level. Campaigns of a world share them."""
    # Its own randomness, so that no set depends on who asks first.
    search, rng = _search(world, rules, who, health_level, gear_level), Random(who)  # noqa: S311 - reproducible
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
    """Return the share of random loadouts of gear of the top levels that win."""
    candidates = gear_candidates(matchup.world, matchup.target, matchup.hero.combat[0])
    gear: Mapping[str, list[Code]] = {
        kind: [item.code for item in items if item.level >= top] for kind, items in candidates.items()
    }
    slots = [slot for slot in gear_slots(matchup.world) if gear[slot_type(slot)]]
    drawn = [{slot: rng.choice(gear[slot_type(slot)]) for slot in slots} for _ in range(_DRAWS)]
    return sum(matchup.wins(drawn)) / _DRAWS


# -- is the gear hidden? ----------------------------------------------------------------------------------------------

_LUCKY_DRAWS = 200
"""The number of random choices of gear that estimate the share of wins in one fight."""


def is_hidden(world: World, rules: Rules, task: Task, told: Collection[Code], rng: Random) -> bool:
    """Return whether no rule of thumb wins every fight of a task, nor random choices among the told gear."""
    gear = _by_type(world, told)
    survivors: set[int] | None = None
    luck = [1.0, 1.0, 1.0]
    for matchup in _matchups(world, rules, task):
        ways = choices_among(matchup, gear)
        won = matchup.wins(list(heuristic_choices(ways, matchup.heuristics)))
        winners = {number for number, wins in enumerate(won) if wins}
        survivors = winners if survivors is None else survivors & winners
        luck = [share * _share_of_luck(matchup, way, rng) for share, way in zip(luck, ways, strict=True)]
        if not survivors and max(luck) <= MOST_LUCK:
            return True
    return False


def misleads_greedy(world: World, rules: Rules, task: Task, told: Collection[Code]) -> bool:
    """Return whether a player who computes fights, but changes one slot at a time, loses some fight of a task."""
    gear = _by_type(world, told)
    return not all(_greedy_wins(matchup, gear) for matchup in _matchups(world, rules, task))


def _greedy_wins(matchup: Matchup, gear: Mapping[str, Sequence[Item]]) -> bool:
    items, worn = matchup.world.items, matchup.hero.worn
    options = {
        slot: (items[worn[slot]] if slot in worn else None, gear.get(slot_type(slot), ()))
        for slot in gear_slots(matchup.world)
    }
    stats = Hero(matchup.world, matchup.hero).stats
    return greedy_gear(matchup.target.stats, matchup.rules.rounds, stats, options)[1]


def _matchups(world: World, rules: Rules, task: Task) -> Iterator[Matchup]:
    for stage in stages(task):
        if stage.kind == "kill":
            yield Matchup(world, rules, world.monsters[stage.target], stage.hero.grown(rules), stage.missing)


def _by_type(world: World, told: Collection[Code]) -> Mapping[str, Sequence[Item]]:
    gear: dict[str, list[Item]] = {}
    for item in sorted((world.items[code] for code in told), key=lambda item: (item.level, item.code)):
        gear.setdefault(item.type, []).append(item)
    return gear


def _share_of_luck(matchup: Matchup, choices: Mapping[str, Sequence[Item]], rng: Random) -> float:
    """Return the share of random choices that win."""
    drawn = [{slot: rng.choice(items).code for slot, items in choices.items()} for _ in range(_LUCKY_DRAWS)]
    return sum(matchup.wins(drawn)) / _LUCKY_DRAWS
