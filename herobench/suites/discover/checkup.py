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
                steps=((140, 8), (170, 16)),
                dataset="discover-v5",
                draws=({},),
                # rote and experimenter, with up to 100 actions in a reply
                by_loser=MeanUsage(6.5, 87450, 2370),
                by_winner=MeanUsage(6.3, 74150, 2055),
            ),
        ),
    ),
)
