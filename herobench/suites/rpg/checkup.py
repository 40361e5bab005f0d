"""The part of a checkup that this suite declares: the horizon in its lanes."""

from __future__ import annotations

from herobench.suite.checkup_parts import Part, Row, UsageByLength

SHORTEST, LONGEST = 4.0, 4454.0
"""The decisions of the shortest and the longest task of the set."""


def _row(lane: str, steps: tuple[tuple[int, int], ...], largest: int, prompts: tuple[int, ...]) -> Row:
    usage = UsageByLength(SHORTEST, LONGEST, 360, 8, prompts, largest, answer=8.1)
    return Row(steps, lane, until=f"factor=2,longest={LONGEST:g}", by_length=usage)


PARTS = (
    Part(
        "horizon",
        "Horizon",
        "how many decisions ahead the model plans, and what planning costs it",
        card="horizon",
        rows=(
            _row(
                "plan",
                ((10, 40), (30, 80), (70, 160)),
                16_300,
                (3510, 3630, 3840, 4520, 4980, 5460, 6320, 8040, 9630, 12130),
            ),
            _row(
                "gear",
                ((100, 40), (150, 160)),
                19_300,
                (3670, 3830, 4110, 4880, 5450, 6200, 8130, 11010, 12370, 15910),
            ),
            _row(
                "steps",
                ((50, 40), (110, 80), (160, 160)),
                63_300,
                (3650, 3870, 4250, 5290, 6280, 8130, 12220, 18800, 31840, 55680),
            ),
        ),
    ),
)
