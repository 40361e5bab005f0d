"""The part of a checkup that this suite declares: levels with decay, which have 6 actions or more."""

from __future__ import annotations

from herobench.suite.checkup_parts import MeanUsage, Part, Row

LENGTHS = ("6-7", "8-15", "16-31", "32-40")

PARTS = (
    Part(
        "epochs",
        "Epochs",
        "consequences over time: levels with decay in four lengths",
        rows=(
            Row(
                steps=((40, 8), (80, 24), (120, 48)),
                draws=tuple({"length": length, "decay": "on"} for length in LENGTHS),
                by_loser=MeanUsage(20, 77000, 326),
                by_winner=MeanUsage(19.1, 74300, 342),
            ),
        ),
    ),
)
