"""The part of a checkup that this suite declares: tasks of its set, or some that its generator makes."""

from __future__ import annotations

from herobench.suite.checkup_parts import MeanUsage, Part, Row

PARTS = (
    Part(
        "discover",
        "Discover",
        "rules and facts that have to be found by acting, and a long plan in what was found",
        rows=(
            Row(
                steps=((140, 8), (170, 24)),
                dataset="discover-v4",
                draws=({},),
                # players put many calls into a reply; a model that makes one in each takes about ten times the prompts
                by_loser=MeanUsage(3.9, 42500, 1270),
                by_winner=MeanUsage(3, 23800, 600),
            ),
        ),
    ),
)
