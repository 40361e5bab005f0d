"""Proves the certificate of a mystery again: everything that docs/discover.md says of every task.

The tables by which days are weighed are compared with the real game, choice by choice and secret by secret. The rest is
exact: the best halving is played in the real game and over all possible worlds, and the bound for lists of days follows
from the tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from herobench.suites.discover.game.day import LORD, STRENGTH
from herobench.suites.discover.game.knowledge import Knowledge, play_day, readings_of, wins_left
from herobench.suites.discover.game.land import Land
from herobench.suites.discover.game.laws import Choice, Laws, Truth
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.discover.game.plan import NotStraight, read_plan
from herobench.suites.discover.making.days import whole_day
from herobench.suites.discover.making.draw import draw_land
from herobench.suites.discover.making.explorers import Experimenter
from herobench.suites.discover.making.generator import LEAST_WON, MOST_DAYS, figures_of
from herobench.suites.discover.making.halving import lab_of
from herobench.suites.discover.making.strategies import best_halving, shares_of

MOST_FIXED = 15.0
"""The greatest share of the possible worlds, in percent, that a list of days fixed beforehand may win."""
MOST_SHARE = 0.01
"""The greatest share of the possible worlds in which the plan may win."""
MOST_CHORES = 1 / 3
"""The greatest number of days, as a share of the days that try each pair of things by itself."""


def find_problems(mystery: Mystery) -> list[str]:
    """Return a sentence for each claim that does not hold."""
    return [*_problems_of_plan(mystery), *_problems_of_days(mystery), *_problems_of_laws(mystery.laws, mystery.days)]


def _problems_of_plan(mystery: Mystery) -> Iterator[str]:
    try:
        calls = [line.call for line in read_plan(mystery.certificate.plan)]
    except NotStraight as fault:
        yield f"line {fault.line} of the plan: {fault.reason}"
        return
    day = play_day(mystery.land, mystery.laws, mystery.truth, calls)
    if not day.won:
        yield "the plan does not win in the true world"
    if refused := sum(not event.ok for event in day.events):
        yield f"the plan has {refused} refused actions"
    wins = wins_left(mystery.land, Knowledge.at_first(mystery.laws), calls)
    if wins > MOST_SHARE * mystery.laws.worlds:
        yield f"the plan wins in {wins} of {mystery.laws.worlds} possible worlds"


def _problems_of_days(mystery: Mystery) -> Iterator[str]:
    explorer = Experimenter(mystery)
    plan = explorer.run()
    if wins_left(mystery.land, explorer.known, plan) != explorer.known.worlds:
        yield "the best halving leaves rival worlds in which its plan loses"
    if not play_day(mystery.land, mystery.laws, mystery.truth, plan).won:
        yield "the plan of the best halving does not win in the true world"
    if explorer.days != mystery.certificate.needed:
        yield f"the best halving takes {explorer.days} days, and the certificate says {mystery.certificate.needed}"
    figures = figures_of(mystery.laws)
    if mystery.days != figures.days:
        yield f"the exploration has {mystery.days} days, and has to have {figures.days}"
    for name in ("expected", "certain", "fixed"):
        if getattr(mystery.certificate, name) != getattr(figures, name):
            yield f"{name} is {getattr(figures, name)}, and the certificate says {getattr(mystery.certificate, name)}"


@lru_cache
def _problems_of_laws(laws: Laws, days: int) -> tuple[str, ...]:
    """Return what is wrong with some laws. They are proven once, since they do not depend on names and secrets."""
    problems = list(_table_problems(laws))
    if days > MOST_CHORES * laws.chores:
        problems.append(f"{days} days are more than a third of {laws.chores} chores")
    if shares_of(laws, best_halving, MOST_DAYS)[days].won < LEAST_WON:
        problems.append(f"the best halving wins in less than {LEAST_WON:.0%} of the possible worlds")
    if figures_of(laws).fixed > MOST_FIXED:
        problems.append(f"a list of days fixed beforehand may win in {figures_of(laws).fixed} % of the possible worlds")
    return tuple(problems)


def _table_problems(laws: Laws) -> Iterator[str]:
    """Compare each table with the real game, in a land of its own."""
    land = draw_land(laws, Random(0))  # noqa: S311 - any land will do
    for number, table in enumerate(lab_of(laws).tables):
        room = STRENGTH - (1, 4, 6 + LORD)[number]
        for choice, cost, levels in zip(table.choices, table.cost, table.levels, strict=True):
            for secret, level in zip(table.law.secrets, levels, strict=True):
                if cost <= room and _level_played(land, laws, number, choice, Truth._make(
                    secret if law == number else laws[law].secrets[0] for law in range(len(laws))
                )) != level:  # fmt: skip
                    yield f"law {number + 1} of {laws.words} shows another level than {level} for {choice}, {secret}"
                    return


def _level_played(land: Land, laws: Laws, number: int, choice: Choice, truth: Truth) -> int | None:
    """Return the level that a day shows whose other choices are right."""
    choices = [Choice.of(frozenset(secret.wanted)) for secret in truth]
    choices[number] = choice
    day = play_day(land, laws, truth, whole_day(land, choices))
    return next((reading.level for reading in readings_of(day) if reading.law == number), None)
