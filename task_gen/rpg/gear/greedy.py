"""Greedy gear: compute fights, but change one slot at a time, by what improves the fight most.

It stops when the hero wins or no change helps. So it finds gear that wins but not the smallest set, and misses items
that help only together. The audit's greedy player chooses so, and campaigns are drawn against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from herobench.suites.rpg.game.combat_batch import Duels, Fighters, duels, rows_of
from herobench.suites.rpg.game.world import Item, Stats
from herobench.task_gen.rpg.gear.candidates import add, subtract

Options = Mapping[str, tuple[Item | None, Sequence[Item]]]
"""Maps each slot to the item that is worn and the items that may take its place."""
Merit = tuple[bool, float, float]


def greedy_gear(target: Stats, rounds: int, stats: Stats, options: Options) -> tuple[dict[str, Item], bool]:
    """Return the changes that a greedy player makes to a hero of some stats, and whether they win."""
    merit = _merits(duels(Fighters.of(rows_of([stats])), target, rounds))[0]
    chosen: dict[str, Item] = {}
    while not merit[0]:
        ways = list(_ways(stats, options, chosen))
        if not ways:
            break
        merits = _merits(duels(Fighters.of(rows_of(then for _, _, then in ways)), target, rounds))
        best = max(range(len(ways)), key=lambda index: merits[index])
        # Ties end the loop as well: equal items could be swapped forever.
        if merits[best] <= merit:
            break
        slot, item, stats = ways[best]
        chosen[slot], merit = item, merits[best]
    return chosen, merit[0]


def _ways(stats: Stats, options: Options, chosen: Mapping[str, Item]) -> Iterator[tuple[str, Item, Stats]]:
    """Yield each change of one slot, with the stats that it leads to."""
    for slot, (at_first, items) in options.items():
        worn = chosen.get(slot, at_first)
        bare = stats if worn is None else subtract(stats, worn.worn)
        for item in items:
            if item != worn:
                yield slot, item, add(bare, item.worn)


def _merits(fights: Duels) -> list[Merit]:
    """Return how good fights are: won first, then little health left to the monster, then much left to the hero."""
    results = zip(fights.won.tolist(), fights.monster_hp.tolist(), fights.hero_hp.tolist(), strict=True)
    return [(won, -monster, hero) for won, monster, hero in results]
