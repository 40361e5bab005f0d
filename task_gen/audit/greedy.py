"""The greedy player: compute fights, but choose one item at a time.

Played by the model `greedy` and by the audit. In each step it takes the told item that improves the fight most, until
it wins or no item helps. It finds gear that wins but not the smallest set, and misses items that help only together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from herobench.rpg.combat_batch import Duels, Fighters, duels, rows_of
from herobench.rpg.hero import Hero
from herobench.rpg.world import Item, Stats
from herobench.task_gen.audit.case import Case, made
from herobench.task_gen.audit.journey import Journey
from herobench.task_gen.gear.stat_sums import add, subtract

Merit = tuple[bool, float, float]


def greedily(case: Case) -> Journey:
    """Return the greedy player's journey: make the chosen gear, put it on, fight."""
    gear = greedy_gear(case)
    journey = made(case, gear.values())
    journey.challenge({slot: item.code for slot, item in gear.items()})
    return journey


def greedy_gear(case: Case) -> dict[str, Item]:
    """Return the chosen gear by slot."""
    target, rounds = case.world.monsters[case.task.target].stats, case.rules.rounds
    stats = Hero(case.world, case.task.hero).stats
    merit = _merits(duels(Fighters.of(rows_of([stats])), target, rounds))[0]
    chosen: dict[str, Item] = {}
    while not merit[0]:
        ways = list(_ways(case, stats, chosen))
        if not ways:
            break
        merits = _merits(duels(Fighters.of(rows_of(then for _, _, then in ways)), target, rounds))
        best = max(range(len(ways)), key=lambda index: merits[index])
        # Ties end the loop as well: equal items could be swapped forever.
        if merits[best] <= merit:
            break
        slot, item, stats = ways[best]
        chosen[slot], merit = item, merits[best]
    return chosen


def _ways(case: Case, stats: Stats, chosen: Mapping[str, Item]) -> Iterator[tuple[str, Item, Stats]]:
    """Yield each change of one slot, with the stats that it leads to."""
    for choice in case.slots:
        worn = chosen.get(choice.slot, choice.worn)
        bare = stats if worn is None else subtract(stats, worn.worn)
        for item in choice.told:
            if item != worn:
                yield choice.slot, item, add(bare, item.worn)


def _merits(fights: Duels) -> list[Merit]:
    """Return how good fights are: won first, then little health left to the monster, then much left to the hero."""
    results = zip(fights.won.tolist(), fights.monster_hp.tolist(), fights.hero_hp.tolist(), strict=True)
    return [(won, -monster, hero) for won, monster, hero in results]
