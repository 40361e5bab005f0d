"""The part of a checkup that this suite declares: roads with traps, of four lengths."""

from __future__ import annotations

from herobench.suite.checkup_parts import MeanUsage, Part, Row

GATES = ("2", "4", "6", "8")

PARTS = (
    Part(
        "epochs",
        "Epochs",
        "consequences over time: roads with traps in four lengths",
        rows=(
            Row(
                steps=((40, 8), (80, 24), (120, 48)),
                draws=tuple({"gates": gates, "limit": "1.2"} for gates in GATES),
                by_loser=MeanUsage(20, 77000, 326),
                by_winner=MeanUsage(19.1, 74300, 342),
            ),
        ),
    ),
)
