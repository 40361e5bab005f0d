"""Measures the time that a candidate of a search for edits costs: played from its edit on, and from the start."""

from __future__ import annotations

import time
from statistics import fmean

from herobench.analysis.suites.rpg.repair.line import Allowance, Line
from herobench.analysis.suites.rpg.repair.search import fewest_edits
from herobench.suites.rpg.game.position import GamePosition
from tests.analysis.suites.rpg.repair.planted import lost_plans, start_position, wins

_PLANS = 20
_LEAST, _MOST = 100, 330
"""The actions of the plans."""
_EVERY = 200
"""One candidate in so many is also played whole."""
_MANY = 10**9


class _Tallied(Line):
    """A line that keeps the candidates of a search in a list, which its copies share."""

    def tally(self) -> list[tuple[int, GamePosition]]:
        """Begin to keep the candidates."""
        self.tried: list[tuple[int, GamePosition]] = []
        return self.tried

    def wins(self, number: int, position: GamePosition) -> bool:
        """Keep a candidate, and play it as any line does."""
        self.tried.append((number, position))
        return super().wins(number, position)


def measure() -> dict[str, float]:
    """Milliseconds of processor time a candidate, over all plans that differ from a lost one in one step."""
    candidates, searched, whole = 0, 0.0, list[float]()
    slowest = 0.0
    for task, calls, _ in lost_plans(_LEAST, _MOST, (3, 4, 5), _PLANS, seed=1):
        line = _Tallied(start_position(task), calls, 0, Allowance(_MANY))
        tried = line.tally()
        begun = time.process_time()
        fewest_edits(line, 1, Allowance(_MANY))
        seconds = time.process_time() - begun
        candidates, searched = candidates + len(tried), searched + seconds
        slowest = max(slowest, seconds / max(1, len(tried)))
        for number, position in tried[::_EVERY]:
            begun = time.process_time()
            wins(position, calls, number)
            wins(line.at(0), calls[:number])
            whole.append(time.process_time() - begun)
    return {
        "ms a candidate, long plans": 1000 * searched / candidates,
        "ms a candidate, the dearest plan": 1000 * slowest,
        "ms a candidate, played whole": 1000 * fmean(whole),
        "candidates a plan": candidates / _PLANS,
    }
