"""Counts what somebody wins who knows no rule of a world: the floor that a model has to pass.

`herobench audit FILE --suite autumn` prints it. In a prediction, each rule of `clues.py` takes the choice with the
least number, or that with the greatest; choices that share the number share the win. One more rule is learned: a
weighted sum of all numbers, with weights from other predictions of the file. A goal is tried by acting at random, and
by clicks on cells that differ from it with keys in between. A change is looked for by doing the same as in the
interaction, and comparing in one of several ways (`repeating.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

import numpy as np

from herobench.analysis.reading.interval import wilson
from herobench.suite.validating import TaskFigures, WinsTable
from herobench.suites.autumn.episode.challenge import Challenge, Detection, Planning, Prediction
from herobench.suites.autumn.episode.repeating import WAYS
from herobench.suites.autumn.making.clues import RULES, Clues, count_clues
from herobench.suites.autumn.making.detection import REPEATS, Pair, repeat_plays
from herobench.suites.autumn.making.planning import PLAYS, matching_share
from herobench.suites.autumn.making.recordings import replay

_PLAYS = 4
"""Plays at each goal, and at each change. The maker has not seen them: it chose by others."""
_FOLDS = 10
_PENALTY = 10.0
"""The weight of the squares of the learned weights."""


def clue_table(challenge: Challenge, test: Prediction) -> np.ndarray:
    """Return what each rule counts of each choice of a challenge."""
    world = challenge.start()
    clues = Clues(test.mask, world.background, replay(world, test.actions))
    return np.array(count_clues(clues, test.choices), float).round(6)


@dataclass(frozen=True)
class Floor:
    """The wins of rules."""

    tables: np.ndarray
    """The number that a rule counts of a choice: one axis each for predictions, rules and choices."""
    right: np.ndarray
    """The right choices."""

    @property
    def shares(self) -> np.ndarray:
        """The share that each rule wins of the predictions, by the least number and by the greatest."""
        return np.array([self._taken(self.tables).mean(0), self._taken(-self.tables).mean(0)])

    def _taken(self, tables: np.ndarray) -> np.ndarray:
        """Return which part of each prediction the choices with the least numbers win."""
        is_least = tables == tables.min(2, keepdims=True)
        own = np.take_along_axis(is_least, self.right[:, None, None], 2)[:, :, 0]
        return np.array(own / is_least.sum(2))

    @cached_property
    def learned(self) -> float:
        """The share that a weighted sum wins. Each part of the predictions is guessed by weights from the others."""
        spread = self.tables.std(2, keepdims=True)
        scaled = (self.tables - self.tables.mean(2, keepdims=True)) / np.where(spread == 0, 1, spread)
        is_right = np.arange(self.tables.shape[2]) == self.right[:, None]
        parts = np.arange(len(scaled)) * _FOLDS // len(scaled)
        wins = 0
        for part in set(parts.tolist()):
            known, asked = scaled[parts != part], scaled[parts == part]
            square = np.einsum("trc,tsc->rs", known, known) + _PENALTY * np.eye(known.shape[1])
            weights = np.linalg.solve(square, np.einsum("trc,tc->r", known, is_right[parts != part]))
            wins += int((np.einsum("r,trc->tc", weights, asked).argmax(1) == self.right[parts == part]).sum())
        return wins / len(scaled)


def measure_floor(challenges: Iterable[Challenge]) -> Floor | None:
    """Return what rules win of the predictions among challenges; None if there are none."""
    tests = [(challenge, challenge.test) for challenge in challenges if isinstance(challenge.test, Prediction)]
    if not tests:
        return None
    return Floor(np.stack([clue_table(*pair) for pair in tests]), np.array([test.choice for _, test in tests]))


def audit(challenges: Iterable[Challenge]) -> TaskFigures:
    """Return tables of what is won of challenges, in percent."""
    tasks = list(challenges)
    return TaskFigures([*_audit_predictions(tasks), *_audit_plannings(tasks), *_audit_detections(tasks)])


def _audit_predictions(challenges: Iterable[Challenge]) -> Iterator[WinsTable | str]:
    floor = measure_floor(challenges)
    if floor is None:
        return
    count, shares = len(floor.right), floor.shares
    rows = [[name, *(f"{100 * share:.0f}" for share in shares[:, number])] for number, name in enumerate(RULES)]
    yield WinsTable([f"rule, {count} predictions"], ["least", "greatest"], rows)
    yield f"The best of these rules wins {_percent(float(shares.max()), count)}; chance is 17 %."
    yield f"A weighted sum, learned from other predictions, wins {_percent(floor.learned, count)}."


def _audit_plannings(challenges: Iterable[Challenge]) -> Iterator[WinsTable]:
    tests = [(each, each.test) for each in challenges if isinstance(each.test, Planning) and each.certificate]
    if not tests:
        return
    shares = [each.certificate["random"]["reached"] / each.certificate["random"]["plays"] for each, _ in tests]
    fresh = range(PLAYS, PLAYS + _PLAYS)
    clicks = [matching_share(each.program, each.seed, test, fresh) / _PLAYS for each, test in tests]
    rows = [
        ["acts at random", f"{100 * fmean(shares):.0f}"],
        ["clicks on cells that differ", f"{100 * fmean(clicks):.0f}"],
    ]
    yield WinsTable([f"play, {len(tests)} plannings"], ["solved"], rows)


def _audit_detections(challenges: Iterable[Challenge]) -> Iterator[WinsTable]:
    tests = [(each, each.test) for each in challenges if isinstance(each.test, Detection)]
    if not tests:
        return
    pairs = [(each, Pair(each.program, test.changed, test.condition, each.test_start)) for each, test in tests]
    repeats = [repeat_plays(pair, each.seed, range(REPEATS, REPEATS + _PLAYS)).scores for each, pair in pairs]
    rows = [[way, f"{100 * fmean(scores[way] for scores in repeats):.0f}"] for way in WAYS]
    yield WinsTable([f"way to compare, {len(tests)} detections"], ["score"], rows)


def _percent(share: float, count: int) -> str:
    low, high = wilson(share * count, count)
    return f"{100 * share:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"
