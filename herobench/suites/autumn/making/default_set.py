"""Makes the set that is shipped: a challenge of each family for each shipped environment.

`python -m herobench.suites.autumn.making.default_set` writes it to herobench/suites/autumn/data.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from herobench.data.compressed import packed_rows
from herobench.suites.autumn.episode.challenge import FAMILIES, Challenge, Family
from herobench.suites.autumn.episode.environment import load_environment, shipped_names
from herobench.suites.autumn.episode.options import FILE
from herobench.suites.autumn.making.generator import make_challenge
from herobench.work.engine import Each, Local

_SEED = 1


def default_challenge(number: int, family: Family) -> Challenge:
    """Return a challenge of the set, by the number of its environment."""
    environment = load_environment(shipped_names()[number])
    return make_challenge(environment, family, f"{environment.id}-{family}", _SEED, number)


def default_challenges(jobs: int) -> Iterator[Challenge]:
    """Yield the challenges of the set in their order."""
    orders = [(number, family) for number in range(len(shipped_names())) for family in FAMILIES]
    return Local(jobs).results(Each(_make), orders)


def _make(order: tuple[int, Family]) -> Challenge:
    return default_challenge(*order)


if __name__ == "__main__":
    folder = Path(__file__).parents[1] / "data"
    challenges = default_challenges(os.cpu_count() or 1)
    (folder / FILE).write_bytes(packed_rows(challenge.as_row() for challenge in challenges))
