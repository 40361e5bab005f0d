"""Makes mysteries: a rung gives the lands and the forms of their laws, and the seed names, places and secrets.

The rungs grow from one land to several. The days of a rung are the fewest with which the best halving wins in 95 % of
the possible worlds. The secrets are drawn evenly from the worlds in which it is certain within these days. That these
are not all tells the reader of the code at most 0.12 bits of a truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import count
from random import Random
from typing import Any

from herobench.data.errors import UsageError
from herobench.suite.generating import GenerateRequest, Numbered, TaskGenerator
from herobench.suites.discover.game.land import HiddenLand
from herobench.suites.discover.game.laws import Law, Laws, Truth
from herobench.suites.discover.game.mystery import Certificate, Mystery, build_mystery
from herobench.suites.discover.game.plan import as_code, joined
from herobench.suites.discover.making.days import winning_day
from herobench.suites.discover.making.draw import draw_land
from herobench.suites.discover.making.explorers import Experimenter, explore
from herobench.suites.discover.making.strategies import (
    best_halving,
    fixed_bound_together,
    shares_of,
    shares_together,
)
from herobench.suites.discover.refusals import DiscoverFault
from herobench.work.engine import Each, Local

MOST = 10_000
"""The most tasks of a seed."""
LEAST_WON = 0.95
"""The share of the possible worlds that the best halving has to win within the days."""
MOST_DAYS = 30
"""No land needs as many days."""
LANDS: tuple[Laws, ...] = (
    Laws(Law(6, "both"), Law(5, "both"), Law(6, "each")),
    Laws(Law(6, "both"), Law(6, "each", True), Law(6, "each", True)),
    Laws(Law(8, "both"), Law(6, "each", hidden=True), Law(6, "each")),
    Laws(Law(8, "both"), Law(7, "each", hidden=True), Law(7, "each")),
    Laws(Law(8, "both"), Law(6, "each", True, hidden=True), Law(6, "each")),
    Laws(Law(8, "both"), Law(6, "each", True, hidden=True), Law(7, "each")),
    Laws(Law(8, "both"), Law(7, "each", True, hidden=True), Law(7, "each")),
    Laws(Law(8, "both"), Law(6, "each", True, hidden=True), Law(6, "each", True)),
)
"""The laws of lands, from the easiest to the hardest."""
_OPEN, _SPOILED, _HIDDEN, _MANY, _ONE_SPOILER, _MORE_RINGS, _MORE_WARES, _TWO_SPOILERS = LANDS
RUNGS: tuple[tuple[Laws, ...], ...] = (
    (_OPEN,),
    (_ONE_SPOILER,),
    (_TWO_SPOILERS,),
    (_MORE_RINGS, _MORE_WARES),
    (_HIDDEN, _MORE_WARES, _TWO_SPOILERS),
    (_SPOILED, _ONE_SPOILER, _MORE_RINGS, _TWO_SPOILERS),
    (_ONE_SPOILER, _MORE_RINGS, _MORE_WARES, _TWO_SPOILERS, _MORE_WARES, _TWO_SPOILERS),
    (_MANY, _TWO_SPOILERS, _ONE_SPOILER, _MORE_RINGS, _MORE_WARES, _TWO_SPOILERS, _MORE_WARES, _TWO_SPOILERS),
)
"""The lands of the tasks of a seed, in turn."""


@dataclass(frozen=True)
class Figures:
    """The figures of the lands of a rung, over all possible worlds."""

    days: int
    expected: float
    certain: float
    fixed: float


@lru_cache
def figures_of(lands: tuple[Laws, ...]) -> Figures:
    """Work out the days of some lands, and what is certain within them."""
    shares = [shares_of(laws, best_halving, MOST_DAYS) for laws in lands]
    most = MOST_DAYS * len(lands)
    days = next((day for day in range(most) if shares_together(shares, day).won >= LEAST_WON), most)
    expected, certain = (
        sum(1 - share.certain for each in shares for share in each),
        shares_together(shares, days).certain,
    )
    fixed = fixed_bound_together(lands, days)
    return Figures(days, round(expected, 3), round(100 * certain, 2), round(100 * fixed, 2))


def make_mystery(seed: int, number: int) -> Mystery:
    """Return task number `number` of a seed."""
    mystery = draw_mystery(RUNGS[number % len(RUNGS)], f"discover {seed} {number}")
    return replace(mystery, id=f"discover-{seed}-{number + 1}")


def make_twin(seed: int, number: int, original: Mystery) -> Mystery:
    """Return a mystery with the laws of another one. `number` is the place of that one among its tasks."""
    mystery = draw_mystery(original.laws, f"discover twin {seed} {number}")
    return replace(mystery, id=f"twin-{seed}-{number + 1}", twin_of=original.id)


def make_twins(originals: Iterable[tuple[int, Mystery]], seed: int, jobs: int) -> Iterator[Mystery]:
    """Yield a twin of each mystery. Each comes with its number among its tasks."""
    work: Each[tuple[int, Mapping[str, Any]], Mapping[str, Any]] = Each(partial(_twin_row, seed), worth=20)
    rows = ((number, original.as_row()) for number, original in originals)
    return map(build_mystery, Local(jobs).results(work, rows))


def _twin_row(seed: int, original: tuple[int, Mapping[str, Any]]) -> Mapping[str, Any]:
    number, row = original
    return make_twin(seed, number, build_mystery(row)).as_row()


def draw_mystery(laws_of_lands: tuple[Laws, ...], purpose: str) -> Mystery:
    """Return a mystery with lands of these laws. The purpose is the seed of its names and secrets."""
    figures, naming = figures_of(laws_of_lands), _chance(f"{purpose} land")
    told_lands = [(draw_land(laws, naming), laws) for laws in laws_of_lands]
    chance = _chance(f"{purpose} truth")
    for _ in count():
        lands = tuple(
            HiddenLand(land, laws, Truth(*(chance.choice(law.secrets) for law in laws))) for land, laws in told_lands
        )
        plan = as_code(joined(map(winning_day, lands)))
        certificate = Certificate(plan, 0, figures.expected, figures.certain, figures.fixed)
        mystery = Mystery("draft", lands, figures.days, certificate)
        tour = explore(mystery, Experimenter)
        if tour.is_done():
            return replace(mystery, certificate=certificate._replace(needed=tour.days))
    raise AssertionError("a truth is found sooner or later")


def _chance(purpose: str) -> Random:
    return Random(purpose)  # noqa: S311 - reproducible


class DiscoverGenerator(TaskGenerator):
    """Makes mysteries with certificates."""

    count = 16
    worth = 20

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return mysteries by their numbers. Raise UsageError for too many."""
        count = request.count or self.count
        if count > MOST:
            raise UsageError(DiscoverFault.TOO_MANY, most=MOST)
        return Numbered(partial(row, request.seed), {"seed": request.seed}, numbers=range(count))


def row(seed: int, number: int) -> dict[str, Any]:
    """Return the row of a mystery by its number from 0."""
    return make_mystery(seed, number).as_row()
