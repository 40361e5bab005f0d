"""Makes the set that is shipped: a challenge of each family for each shipped environment.

`python -m herobench.suites.autumn.making.default_set` writes it to herobench/suites/autumn/data. Lots are drawn for all
predictions together until no rule of the audit wins more than a quarter of them by luck.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np

from herobench.data.rows import packed_rows
from herobench.suites.autumn.episode.challenge import Challenge, Family, Prediction
from herobench.suites.autumn.episode.environment import load_environment, shipped_names
from herobench.suites.autumn.episode.options import FILE
from herobench.suites.autumn.making.audit import Floor, clue_table
from herobench.suites.autumn.making.generator import make_challenge
from herobench.suites.autumn.making.prediction import draw_lot, drawn_choice
from herobench.work.engine import Each, Local

_SEED = 1
_MOST_WINS = 0.25


def default_challenge(number: int, family: Family) -> Challenge:
    """Return a challenge of the set, by the number of its environment. The lot of a prediction is the first one."""
    environment = load_environment(shipped_names()[number])
    return make_challenge(environment, family, f"{environment.id}-{family}", _SEED, number)


def default_challenges(jobs: int) -> Iterator[Challenge]:
    """Yield the challenges of the set in their order, each with the first lot."""
    environments = enumerate(map(load_environment, shipped_names()))
    orders = [(number, family) for number, environment in environments for family in environment.families]
    return Local(jobs).results(Each(_make), orders)


def _make(order: tuple[int, Family]) -> Challenge:
    return default_challenge(*order)


def with_lot(challenge: Challenge, lot: int) -> Challenge:
    """Return a challenge with the choice that a lot makes right; a challenge of another family as it is."""
    if not isinstance(challenge.test, Prediction):
        return challenge
    test, certificate = draw_lot(challenge.program, challenge.seed, challenge.test, challenge.certificate, lot)
    return replace(challenge, test=test, certificate=certificate)


def fair_lot(challenges: Sequence[Challenge]) -> int:
    """Return the first lot by which no rule wins much more than chance of the predictions among challenges."""
    tests = [(challenge, challenge.test) for challenge in challenges if isinstance(challenge.test, Prediction)]
    tables = [[_table_if(challenge, test, choice) for choice in range(len(test.choices))] for challenge, test in tests]

    def is_fair(lot: int) -> bool:
        right = [drawn_choice(challenge.program, challenge.seed, test.choices, lot) for challenge, test in tests]
        floor = Floor(np.stack([table[choice] for table, choice in zip(tables, right, strict=True)]), np.array(right))
        most_alike = np.bincount(floor.right).max() / len(tests)
        return bool(max(floor.shares.max(), floor.learned, most_alike) <= _MOST_WINS)

    return next(filter(is_fair, count()))


def _table_if(challenge: Challenge, test: Prediction, choice: int) -> np.ndarray:
    """Return what rules count of a prediction, if a choice of it is right."""
    actions = (*test.actions[: test.mask.since - 1], *challenge.certificate["ways"][choice])
    return clue_table(challenge, replace(test, actions=actions, choice=choice))


if __name__ == "__main__":
    folder = Path(__file__).parents[1] / "data"
    challenges = list(default_challenges(os.cpu_count() or 1))
    lot = fair_lot(challenges)
    (folder / FILE).write_bytes(packed_rows(with_lot(challenge, lot).as_row() for challenge in challenges))
