"""The part of a checkup that this suite declares: questions of each kind, with chance as a mark."""

from __future__ import annotations

from herobench.suite.checkup_parts import MeanUsage, Part, Row

PARTS = (
    Part(
        "questions",
        "Planning questions",
        "the atoms of planning in 13 domains, 25 of each of eight kinds",
        card="atoms",
        heading="Atoms of planning",
        chance="random",
        rows=(
            Row(
                steps=((20, 80), (60, 200)),
                dataset="acpbench-hard-v1",
                draws=({"task": "all", "domain": "all"},),
                by_loser=MeanUsage(1, 1475, 20),
                by_winner=MeanUsage(1, 1475, 38),
            ),
        ),
    ),
)
