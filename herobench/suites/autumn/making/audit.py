"""Counts the predictions that somebody wins who looks at the choices and knows no rule of the world.

`herobench audit autumn-v4 --suite autumn` prints it. Each family takes the choice that has the least, or the greatest,
number by one statistic (`contents.py`). Choices that share the number share the win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from herobench.suite.validating import WinsTable
from herobench.suites.autumn.episode.challenge import Challenge, Prediction
from herobench.suites.autumn.making.contents import STATISTICS, Clues, measure
from herobench.suites.autumn.making.recordings import replay

Extreme = Callable[[Iterable[float]], float]
_EXTREMES: Sequence[Extreme] = (min, max)
Wins = dict[str, list[float]]
"""For each statistic, the share that the choice with the least number wins, and that with the greatest."""


def count_wins(challenge: Challenge, test: Prediction) -> Wins:
    """Return what each family wins of a challenge, from 0 to 1."""
    world = challenge.start()
    background = world.background
    numbers = measure(Clues(test.mask, background, replay(world, test.actions)), test.choices)
    return {name: [_share(values, test.choice, extreme) for extreme in _EXTREMES] for name, values in numbers.items()}


def _share(values: Sequence[float], choice: int, extreme: Extreme) -> float:
    wanted = extreme(values)
    return (values[choice] == wanted) / values.count(wanted)


def audit(challenges: Iterable[Challenge]) -> WinsTable:
    """Return the table of what families win of the predictions among challenges, in percent."""
    wins = [count_wins(one, one.test) for one in challenges if isinstance(one.test, Prediction)]
    rows = [
        [name, *(f"{100 * fmean(each[name][at] for each in wins):.0f}" if wins else "" for at in range(2))]
        for name in STATISTICS
    ]
    return WinsTable([f"statistic, {len(wins)} predictions"], ["least", "greatest"], rows)
