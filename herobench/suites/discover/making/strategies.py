"""Strategies, played out over all possible worlds at once: how often each knows or guesses a plan that wins.

Each state has a chance, and a day splits it. So what a strategy wins is exact, and not an average of games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import NamedTuple

from herobench.suites.discover.game.day import STRENGTH
from herobench.suites.discover.game.laws import Laws
from herobench.suites.discover.making.halving import Design, Lab, LawTable, State, lab_of

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


def shares_together(lands: Sequence[Sequence[Shares]], days: int) -> Shares:
    """Return the shares of who explores several lands one after the other, each until a plan is known for sure.

    `lands` has for each land the shares after 0, 1, 2, ... days. Who runs out of days in a land guesses the likeliest
    plan in this one and in all later ones.
    """
    taken, won = [1.0] + [0.0] * days, 0.0  # the chance that the lands so far took so many days
    for number, shares in enumerate(lands):
        blind = prod(later[0].won for later in lands[number + 1 :])
        unsure = [share.won - share.certain for share in _long(shares, days)]
        won += blind * sum(chance * unsure[days - day] for day, chance in enumerate(taken))
        certain = [share.certain for share in _long(shares, days)]
        needs = [now - before for before, now in pairwise([0.0, *certain])]
        taken = [sum(taken[day - need] * needs[need] for need in range(day + 1)) for day in range(days + 1)]
    return Shares(won + sum(taken), sum(taken))


def _long(shares: Sequence[Shares], days: int) -> list[Shares]:
    """Return the shares after 0 to so many days. After the last one that is given nothing changes."""
    return [*shares[: days + 1], *[shares[-1]] * (days + 1 - len(shares))]


def best_halving(lab: Lab, state: State) -> Design:
    """The strategy of the day that tells most."""
    return lab.best(state)


def sight(lab: Lab, state: State) -> Design:
    """The strategy of the day that is likeliest to win: it designs no experiment."""
    return lab.likeliest(state)


def fixed_bound(laws: Laws, days: int) -> float:
    """Return a share of the worlds that no list of days fixed beforehand exceeds.

    A day tells of the last law only if it gets to the lord with the keen blade, which any day does in few worlds. Say
    that it does so n times in a world. Its answers about the last law are one of so many sequences, and behind each
    one plan is chosen, which is right for so many secrets of that law: so it wins at most the product of the two. The n
    add up to the days times the worlds that a day gets to the lord in. The most that this allows lies on the concave
    hull over n.
    """
    *gates, last = lab_of(laws).tables
    blind: float = float((last.levels == last.law.full).mean(1).max())
    points: list[float] = [min(1.0, blind * (last.law.full + 1) ** count) for count in range(days + 1)]
    mean = days * _most_reached(gates, STRENGTH - int(last.cost.min()))
    if mean >= days:
        return points[-1]
    between = [
        (points[low] * (high - mean) + points[high] * (mean - low)) / (high - low)
        for low in range(int(mean) + 1)
        for high in range(int(mean) + 1, days + 1)
    ]
    most: float = max(between)
    return most


def fixed_bound_together(lands: Sequence[Laws], days: int) -> float:
    """Return the same for several lands, whichever way the days are dealt out to them."""
    most = [1.0] * (days + 1)
    for laws in lands:
        bounds = [fixed_bound(laws, own) for own in range(days + 1)]
        most = [max(most[all_days - own] * bounds[own] for own in range(all_days + 1)) for all_days in range(days + 1)]
    return most[-1]


def _most_reached(gates: Sequence[LawTable], strength: int) -> float:
    """Return the greatest share of the worlds in which one day meets all of some laws with so much strength."""
    if strength < 0:
        return 0.0
    if not gates:
        return 1.0
    first, *others = gates
    shares = (first.levels == first.law.full).mean(1)
    return max(
        float(shares[first.cost == cost].max()) * _most_reached(others, strength - cost)
        for cost in {*first.cost.tolist()}
    )
