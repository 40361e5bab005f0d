"""Hiding: whether a player gets through a campaign by a rule of thumb, by luck, or by one change at a time.

He goes goal by goal and wears, in each slot, what the rule prefers of the gear that is told. A campaign hides its gear
if every rule loses some fight and random choices nearly always do. It misleads a greedy player too if he loses some
fight, although he computes it. Each player has the health of the highest level: with less of it he loses more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.milestones import stages
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Item, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.gear.greedy import greedy_gear
from herobench.task_gen.rpg.knowledge.decoys import MOST_LUCK, Matchup, choices_among, heuristic_choices

_DRAWS = 200
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
        luck = [share * _luck(matchup, way, rng) for share, way in zip(luck, ways, strict=True)]
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


def _luck(matchup: Matchup, choices: Mapping[str, Sequence[Item]], rng: Random) -> float:
    """Return the share of random choices that win."""
    drawn = [{slot: rng.choice(items).code for slot, items in choices.items()} for _ in range(_DRAWS)]
    return sum(matchup.wins(drawn)) / _DRAWS
