"""How sure a rate is: Wilson's interval, light enough for a display that is drawn while a run goes on."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def wilson(successes: int, count: int, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of a rate; all that is possible where nothing was counted."""
    if not count:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = successes / count
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)
