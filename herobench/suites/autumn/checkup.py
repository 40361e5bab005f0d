"""The part of a checkup that this suite declares: some environments of each category, with three tests in each."""

from __future__ import annotations

from herobench.suite.checkup_parts import MeanUsage, Part, Row

WORLDS = (
    "dials", "rods", "couriers", "crane", "canal", "rings", "dice", "serpent", "swing", "shoal", "scribe", "tray",
)  # fmt: skip
"""Environments with tests of all families, in which a challenge is made in seconds."""

PARTS = (
    Part(
        "autumn",
        "Autumn",
        "worlds whose rules must be learned: three tests in each of 12 environments",
        figures=("worlds", "exploration"),
        rows=(
            Row(
                steps=((90, 12), (130, 36)),
                options={"observation": "compact", "steps": "60", "total": "150"},
                draws=tuple({"environment": world, "variants": "on"} for world in WORLDS),
                fewer_draws=True,
                by_loser=MeanUsage(130, 185000, 708),
                by_winner=MeanUsage(18, 22700, 101),
            ),
        ),
    ),
)
