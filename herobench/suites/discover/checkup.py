"""The part of a checkup that this suite declares: tasks of its set, or some that its generator makes."""

from __future__ import annotations

from herobench.suite.checkup_parts import MeanUsage, Part, Row

PARTS = (
    Part(
        "discover",
        "Discover",
        "hidden laws, found by experiments that have to be designed, and a plan by them",
        rows=(
            Row(
                steps=((140, 8), (170, 24)),
                dataset="discover-v5",
                draws=({},),
                # players explore nothing; a model that explores takes a call for each of its turns, up to 300
                by_loser=MeanUsage(3, 3490, 1),
                by_winner=MeanUsage(2, 2390, 77),
            ),
        ),
    ),
)
