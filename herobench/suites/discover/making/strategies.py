"""Strategies, played out over all possible worlds at once: how often each knows or guesses a plan that wins.

Each state has a chance, and a day splits it. So what a strategy wins is exact, and not an average of games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from herobench.suites.discover.game.day import LORD, STRENGTH
from herobench.suites.discover.game.laws import FULL, Laws
from herobench.suites.discover.making.halving import Design, Lab, State, lab_of

Strategy = Callable[[Lab, State], Design]
_SURE = 1 - 1e-9


def play_out(lab: Lab, strategy: Strategy, most: int) -> Iterator[dict[State, float]]:
    """Yield the states before the first day and after each day, with their chances, until all are sure or for long."""
    states = {lab.at_first: 1.0}
    for _ in range(most + 1):
        yield states
        if all(lab.chance(state) >= _SURE for state in states):
            return
        later: dict[State, float] = {}
        for state, chance in states.items():
            is_sure = lab.chance(state) >= _SURE
            for after, share in ((state, 1.0),) if is_sure else lab.after(state, strategy(lab, state)):
                later[after] = later.get(after, 0.0) + chance * share
        states = later


class Shares(NamedTuple):
    """What a strategy gets after some days, as shares of all possible worlds."""

    won: float
    """It wins in so many, if it guesses the likeliest plan."""
    certain: float
    """It knows a plan for sure in so many."""


@lru_cache(maxsize=64)
def shares_of(laws: Laws, strategy: Strategy, most: int) -> tuple[Shares, ...]:
    """Return the shares of a strategy after 0, 1, 2, ... days."""
    lab, shares = lab_of(laws), list[Shares]()
    for states in play_out(lab, strategy, most):
        chances = [(chance, lab.chance(state)) for state, chance in states.items()]
        won, certain = sum(p * chance for p, chance in chances), sum(p for p, chance in chances if chance >= _SURE)
        shares.append(Shares(won, certain))
    return tuple(shares)


def best_halving(lab: Lab, state: State) -> Design:
    """The strategy of the day that tells most."""
    return lab.best(state)


def sight(lab: Lab, state: State) -> Design:
    """The strategy of the day that is likeliest to win: it designs no experiment."""
    return lab.likeliest(state)


def fixed_bound(laws: Laws, days: int) -> float:
    """Return a share of the worlds that no list of days fixed beforehand exceeds.

    A day tells of the last law only if it gets to the lord with the keen blade, which it does in few worlds, whatever
    it chooses. In all others the secret of the last law is as unknown as before the first day. So a list of days wins
    at most in the worlds in which some day gets that far, and of the others in the share that one choice of rings wins.
    """
    lode, forge, rings = lab_of(laws).tables
    passes = {(a, b): 0.0 for a in set(lode.cost.tolist()) for b in set(forge.cost.tolist())}
    for a, b in passes:
        chances = [(table.levels[table.cost == cost] == FULL).mean(1).max() for table, cost in ((lode, a), (forge, b))]
        passes[a, b] = float(chances[0] * chances[1])
    most = max(chance for (a, b), chance in passes.items() if a + b + 2 + LORD <= STRENGTH)
    blind = float((rings.levels == FULL).mean(1).max())
    reached = min(1.0, days * most)
    return reached + (1 - reached) * blind
