"""The part of a checkup that this suite declares: roads with traps, of four lengths, each asked for one plan.

With tools a road takes some 100 turns, each of which tells the state: hundreds of thousands of tokens for one attempt.
"""

from __future__ import annotations

from herobench.suite.checkup_parts import MeanUsage, Part, Row

GATES = ("2", "3", "4", "6")

PARTS = (
    Part(
        "epochs",
        "Epochs",
        "consequences over time: roads with traps in four lengths",
        rows=(
            Row(
                steps=((40, 8), (80, 24), (120, 48)),
                options={"mode": "plan"},
                draws=tuple({"gates": gates} for gates in GATES),
                by_loser=MeanUsage(1, 2400, 1410),
                by_winner=MeanUsage(1, 2400, 1310),
            ),
        ),
    ),
)
