"""Proves the certificate of a mystery again: everything that docs/discover.md says of every task.

The tables by which days are weighed are compared with the real game, choice by choice and secret by secret. The rest is
exact: the best halving is played in the real game and over all possible worlds, and the bound for lists of days follows
from the tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import gcd
from random import Random

import numpy as np

from herobench.suites.discover.game.day import STRENGTH, Call
from herobench.suites.discover.game.knowledge import Knowledge, plan_wins, play_day, readings_of, worlds_in
from herobench.suites.discover.game.land import HiddenLand
from herobench.suites.discover.game.laws import Laws, Truth
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.discover.game.plan import days_of, read_plan
from herobench.suites.discover.making.days import choices_of, whole_day
from herobench.suites.discover.making.draw import draw_land
from herobench.suites.discover.making.explorers import Experimenter, explore
from herobench.suites.discover.making.generator import LEAST_WON, MOST_DAYS, figures_of
from herobench.suites.discover.making.halving import lab_of
from herobench.suites.discover.making.strategies import best_halving, shares_of, shares_together
from herobench.suites.rpg.game.calls import NotStraight

MOST_FIXED = 15.0
"""The greatest share of the possible worlds, in percent, that a list of days fixed beforehand may win."""
MOST_SHARE = 0.01
"""The greatest share of the possible worlds in which the plan may win."""
_MOST_PLAYED = 4_000
"""About how many places of a table are compared with the real game."""
MOST_CHORES = 1 / 3
"""The greatest number of days, as a share of the days that try each pair of things by itself."""


def find_problems(mystery: Mystery) -> list[str]:
    """Return a sentence for each claim that does not hold."""
    return [*_problems_of_plan(mystery), *_problems_of_days(mystery), *_problems_of_laws(mystery.laws, mystery.days)]


def _problems_of_plan(mystery: Mystery) -> Iterator[str]:
    try:
        calls = read_plan(mystery.certificate.plan)
    except NotStraight as fault:
        yield f"line {fault.line} of the plan: {fault.reason}"
        return
    plan = days_of(calls)
    days = [play_day(hidden, each) for hidden, each in zip(mystery.lands, plan, strict=False)]
    if len(plan) != len(mystery.lands) or not all(day.won for day in days):
        yield "the plan does not win in the true world"
    if refused := sum(not event.ok for day in days for event in day.events):
        yield f"the plan has {refused} refused actions"
    at_first = [Knowledge.at_first(laws) for laws in mystery.laws]
    wins, worlds = plan_wins(mystery.lands, at_first, plan), worlds_in(at_first)
    if wins > MOST_SHARE * worlds:
        yield f"the plan wins in {wins} of {worlds} possible worlds"


def _problems_of_days(mystery: Mystery) -> Iterator[str]:
    tour = explore(mystery, Experimenter)
    plan, known = days_of(tour.plan), [explorer.known for explorer in tour.explorers]
    if plan_wins(mystery.lands, known, plan) != worlds_in(known):
        yield "the best halving leaves rival worlds in which its plan loses"
    if not all(play_day(hidden, day).won for hidden, day in zip(mystery.lands, plan, strict=True)):
        yield "the plan of the best halving does not win in the true world"
    if tour.days != mystery.certificate.needed:
        yield f"the best halving takes {tour.days} days, and the certificate says {mystery.certificate.needed}"
    figures = figures_of(mystery.laws)
    if mystery.days != figures.days:
        yield f"the exploration has {mystery.days} days, and has to have {figures.days}"
    for name in ("expected", "certain", "fixed"):
        if getattr(mystery.certificate, name) != getattr(figures, name):
            yield f"{name} is {getattr(figures, name)}, and the certificate says {getattr(mystery.certificate, name)}"


@lru_cache
def _problems_of_laws(lands: tuple[Laws, ...], days: int) -> tuple[str, ...]:
    """Return what is wrong with the laws of some lands. They are proven once: names and secrets change nothing."""
    problems = [problem for laws in dict.fromkeys(lands) for problem in _table_problems(laws)]
    chores = sum(laws.chores for laws in lands)
    if days > MOST_CHORES * chores:
        problems.append(f"{days} days are more than a third of {chores} chores")
    shares = [shares_of(laws, best_halving, MOST_DAYS) for laws in lands]
    if shares_together(shares, days).won < LEAST_WON:
        problems.append(f"the best halving wins in less than {LEAST_WON:.0%} of the possible worlds")
    if figures_of(lands).fixed > MOST_FIXED:
        problems.append(
            f"a list of days fixed beforehand may win in {figures_of(lands).fixed} % of the possible worlds"
        )
    return tuple(problems)


@lru_cache
def _table_problems(laws: Laws) -> Sequence[str]:
    """Compare each table with the real game, in a land of its own: at all places, or at some that are spread evenly."""
    return tuple(_wrong_tables(laws))


def _wrong_tables(laws: Laws) -> Iterator[str]:
    land, first = draw_land(laws, Random(0)), Truth(*(law.secrets[0] for law in laws))  # noqa: S311 - any land will do
    lab, shown = lab_of(laws), first.shown(laws)
    right = [table.likeliest(table.mask([secret]))[1] for table, secret in zip(lab.tables, shown, strict=True)]
    strength = STRENGTH
    for number, table in enumerate(lab.tables):
        affordable = np.flatnonzero(table.cost <= strength).tolist()
        for place in _spread(len(affordable), len(table.law.secrets)):
            choice, secret = affordable[place[0]], table.law.secrets[place[1]]
            calls = whole_day(land, choices_of(lab, (*right[:number], choice, *right[number + 1 :])))
            truth = Truth.of([*shown[:number], secret, *shown[number + 1 :]])
            level = int(table.levels[choice, place[1]])
            if _level_played(HiddenLand(land, laws, truth), number, calls) != level:
                yield f"law {number + 1} of {laws.words} shows another level than {level} for {secret}"
                break
        strength -= int(table.cost[right[number]])


def _spread(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """Yield all places of a table, or about `_MOST_PLAYED` of a large one, in all its rows and columns alike."""
    step = max(1, rows * columns // _MOST_PLAYED)
    while gcd(step, columns) > 1:
        step += 1
    yield from (divmod(place, columns) for place in range(0, rows * columns, step))


def _level_played(hidden: HiddenLand, number: int, calls: Sequence[Call]) -> int | None:
    """Return the level of a law that a day shows."""
    day = play_day(hidden, calls)
    return next((reading.level for reading in readings_of(day) if reading.law == number), None)
