"""Counts what players without a model win: of the tasks, and exactly of all worlds that are possible.

`herobench audit discover-v5 --suite discover` prints it. `fixed` is the bound for lists of days that were fixed
beforehand, with exact conclusions; no such list wins more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any

from herobench.suite.validating import WinsTable
from herobench.suites.discover.game.day import Call
from herobench.suites.discover.game.knowledge import play_day
from herobench.suites.discover.game.laws import Laws
from herobench.suites.discover.game.mystery import DATASET, MYSTERIES, Mystery, build_mystery, shipped_mysteries
from herobench.suites.discover.game.plan import days_of
from herobench.suites.discover.making.explorers import SHUFFLED, explore_as, first_plan
from herobench.suites.discover.making.generator import MOST_DAYS, figures_of
from herobench.suites.discover.making.strategies import Shares, best_halving, shares_of, shares_together, sight
from herobench.work.engine import Each, Local

PLAYED = ("experimenter", "sight", "rote", f"rote:{SHUFFLED}", "standard")


def plan_by(player: str, mystery: Mystery) -> Sequence[Call]:
    """Return the plan of a player after its exploration."""
    kind, _, order = player.partition(":")
    return first_plan(mystery) if kind == "standard" else explore_as(kind, order, mystery).plan


def wins_by_rote(laws: Laws, days: int) -> float:
    """Return the share of the possible worlds that pairs in a fixed order win.

    Each day and the plan try one pair of the first law that is not full. So all pairs before the right ones have to be
    tried, and as many worlds are won as there are places of the right pairs that add up to no more than the days.
    """
    sizes = [len(law.pairs) for law in laws.shown]
    ways = [1] + [0] * days
    for size in sizes:
        ways = [sum(ways[max(0, total - size + 1) : total + 1]) for total in range(days + 1)]
    return sum(ways) / prod(sizes)


def _shares_of_rote(laws: Laws, days: int) -> list[Shares]:
    """Return the shares of rote after 0 to so many days. It knows that it is right when the lord is beaten."""
    wins = [wins_by_rote(laws, day) for day in range(days + 1)]
    return [Shares(won, certain) for won, certain in zip(wins, [0.0, *wins], strict=False)]


@lru_cache
def shares_won(lands: tuple[Laws, ...]) -> Mapping[str, float]:
    """Return the share of the possible worlds that each player wins, in percent."""
    figures = figures_of(lands)
    days = figures.days
    rote = 100 * shares_together([_shares_of_rote(laws, days) for laws in lands], days).won
    plans = prod(len(law.pairs) for laws in lands for law in laws)
    halving = [shares_of(laws, best_halving, MOST_DAYS) for laws in lands]
    return {
        "experimenter": 100 * shares_together(halving, days).won,
        "sight": 100 * shares_together([shares_of(laws, sight, days) for laws in lands], days).won,
        "rote": rote,
        f"rote:{SHUFFLED}": rote,
        "standard": 100 / plans,
        "fixed": figures.fixed,
    }


def audit(tasks: Path, jobs: int) -> WinsTable:
    """Return the table for a shipped set or a tasks file."""
    every = shipped_mysteries() if str(tasks) == DATASET else MYSTERIES.in_file(tasks)
    work: Each[Mapping[str, Any], Mapping[str, bool]] = Each(_wins_of_row, worth=20)
    wins = list(Local(jobs).results(work, (mystery.as_row() for mystery in every.values())))
    shares = [shares_won(mystery.laws) for mystery in every.values()]
    rows = []
    for player in (*PLAYED, "fixed"):
        won = str(sum(each[player] for each in wins)) if player in PLAYED else ""
        of_laws = [share[player] for share in shares]
        rows.append([player, won, f"{sum(of_laws) / len(of_laws):.1f}", f"{min(of_laws):.1f} to {max(of_laws):.1f}"])
    return WinsTable(["player"], [f"wins of {len(wins)}", "% of possible worlds", "by laws"], rows)


def _wins_of_row(row: Mapping[str, Any]) -> Mapping[str, bool]:
    mystery = build_mystery(row)
    return {player: _is_won(mystery, plan_by(player, mystery)) for player in PLAYED}


def _is_won(mystery: Mystery, plan: Sequence[Call]) -> bool:
    return all(play_day(hidden, day).won for hidden, day in zip(mystery.lands, days_of(plan), strict=True))
