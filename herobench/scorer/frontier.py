"""Draws tasks that a policy wins about half of the time, for trainers: a curriculum that moves with the policy.

    frontier = Frontier(scorer.lengths, seed=7)
    while training:
        batch = frontier.draw(64)
        frontier.tell(policy.play(batch))  # pairs of a task's id and whether it was won

The horizon is the length at which the policy wins half of the tasks. A frontier stores the probability of each horizon.
The horizon of a policy that learns moves, so each batch first blurs the probabilities, then weighs them by verdicts.
For each task of a draw, a horizon is sampled, and the task has about that length: at first draws are spread over all
lengths, later they are near the horizon. `herobench run --until` measures a policy that does not learn; a frontier
forgets old verdicts, and needs no numpy.

The only state is the batches of verdicts. A frontier made from the same batches and seed draws the same tasks, and the
order of the verdicts in a batch does not matter.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import exp, fsum, log, log1p, log2
from random import Random
from statistics import fmean
from typing import Any

from herobench.data.errors import UsageError, abbreviate, quoted
from herobench.scorer.refusals import ScorerFault

Verdict = tuple[str, bool | float | None]
"""A task's id, with True or False for a win or a loss, or a share of wins; None for an unmeasured attempt."""

_STEP = 0.25
"""The doublings of length between two horizons."""
_MARGIN = 4
"""The steps by which the horizons extend beyond the lengths at each end."""
_LAPSE = 0.05
"""The share of attempts whose outcome does not depend on length."""
_DRIFT = 0.3
"""The share of a weight that moves to each neighbouring horizon from one batch to the next."""
_NEAR = 8
"""The number of tasks of the nearest lengths from which one is drawn: the one with the fewest results so far."""


class Frontier:
    """Draws tasks near the horizon of a policy that learns."""

    def __init__(self, lengths: Mapping[str, float], seed: int = 0, batches: Iterable[Iterable[Verdict]] = ()) -> None:
        """`lengths` maps task ids to lengths, as `Scorer.lengths` does; `batches` are earlier verdicts."""
        if wrong := [task_id for task_id, length in lengths.items() if not length > 0]:
            raise UsageError(ScorerFault.BAD_LENGTH, task_id=quoted(wrong[0]), length=lengths[wrong[0]])
        if not lengths:
            raise UsageError(ScorerFault.EMPTY_FRONTIER)
        self._x = {task_id: log2(length) for task_id, length in lengths.items()}
        self._seed = seed
        steps = int((max(self._x.values()) - min(self._x.values())) / _STEP) + 1 + 2 * _MARGIN
        self._horizons = [min(self._x.values()) + (step - _MARGIN) * _STEP for step in range(steps)]
        self._weights = [1 / steps] * steps
        self._times: Counter[str] = Counter()
        self.batches: list[list[Verdict]] = []
        """The batches of verdicts so far, from which a frontier can be made again."""
        for batch in batches:
            self.tell(batch)

    @property
    def horizon(self) -> float:
        """The length at which the policy is expected to win half of the tasks."""
        return float(2 ** fsum(weight * x for weight, x in zip(self._weights, self._horizons, strict=True)))

    def draw(self, count: int) -> list[str]:
        """Return tasks for the next batch, without repeats if there are enough. Only `tell` changes the draw."""
        rng = Random(f"{self._seed} {len(self.batches)}")  # noqa: S311 - the same draw for the same seed
        batch: list[str] = []
        left: list[tuple[float, str]] = []
        for _ in range(count):
            left = left or sorted((x, task_id) for task_id, x in self._x.items())
            (horizon,) = rng.choices(self._horizons, self._weights)
            batch.append(left.pop(self._near(left, horizon + _STEP * (rng.random() - 0.5), rng))[1])
        return batch

    def tell(self, verdicts: Iterable[Verdict]) -> None:
        """Take in the verdicts of a batch. The attempts at one task count as one; unmeasured ones are ignored."""
        batch = sorted((task_id, float(won)) for task_id, won in map(_checked_pair, verdicts) if won is not None)
        if unknown := [task_id for task_id, _ in batch if task_id not in self._x]:
            raise UsageError(ScorerFault.NOT_IN_FRONTIER, task_id=quoted(unknown[0]), count=len(self._x))
        self.batches.append([*batch])
        shares: dict[str, list[float]] = {}
        for task_id, won in batch:
            shares.setdefault(task_id, []).append(won)
        self._times.update(shares.keys())
        weights = _blur(self._weights)
        likely = [
            log(weight) + fsum(_log_chance(fmean(won), self._x[task_id] - horizon) for task_id, won in shares.items())
            for weight, horizon in zip(weights, self._horizons, strict=True)
        ]
        # A weight of zero could never grow again.
        weights = [exp(value - max(likely)) + 1e-12 for value in likely]
        self._weights = [weight / fsum(weights) for weight in weights]

    def _near(self, left: Sequence[tuple[float, str]], x: float, rng: Random) -> int:
        """Return the index of a remaining task of about this length."""
        here = bisect_left(left, (x, ""))
        near = range(max(0, here - _NEAR), min(len(left), here + _NEAR))
        nearest = sorted(near, key=lambda place: (abs(left[place][0] - x), place))[:_NEAR]
        fewest = min(self._times[left[place][1]] for place in nearest)
        return rng.choice([place for place in nearest if self._times[left[place][1]] == fewest])


def _checked_pair(verdict: Any) -> Verdict:
    """Return a verdict of a trainer, which checks no types. Raise UsageError for anything else."""
    match verdict:
        case [str(task_id), None]:
            return task_id, None
        case [str(task_id), won]:
            with suppress(TypeError, ValueError):  # numbers of numpy and tensors are fine
                if 0 <= float(won) <= 1 and not isinstance(won, str):
                    return task_id, float(won)
            raise UsageError(ScorerFault.BAD_SHARE, task_id=quoted(task_id), told=abbreviate(won))
    raise UsageError(ScorerFault.BAD_PAIR, told=abbreviate(verdict))


def _blur(weights: Sequence[float]) -> list[float]:
    """Return weights of which a share has moved to the neighbours; at both ends it stays."""
    with_ends = [weights[0], *weights, weights[-1]]
    return [
        (1 - 2 * _DRIFT) * here + _DRIFT * (below + above)
        for below, here, above in zip(with_ends, weights, with_ends[2:], strict=False)
    ]


def _log_chance(share: float, beyond: float) -> float:
    """Return the log-likelihood of a share of wins, for a task whose length is `beyond` doublings past the horizon."""
    chance = _LAPSE + (1 - 2 * _LAPSE) / (1 + exp(beyond))
    return share * log(chance) + (1 - share) * log1p(-chance)
