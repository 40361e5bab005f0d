"""The part of a checkup that journeys declare: how far ahead a model plans, in three lanes."""

from __future__ import annotations

from herobench.suite.checkup_parts import MeanUsage, Part, Row

_ANSWER = 619
"""The mean tokens of a best plan, over the six lengths alike."""
_LONGEST = 2_100
"""The tokens of the longest best plan."""


def _row(lane: str, steps: tuple[tuple[int, int], ...], prompt: int, largest: int) -> Row:
    loser, winner = MeanUsage(1, prompt, 0), MeanUsage(1, prompt, _ANSWER)
    return Row(steps, lane, dataset="horizon-v4", by_loser=loser, by_winner=winner, longest=(largest, _LONGEST))


PARTS = (
    Part(
        "journeys",
        "Journeys",
        "how far ahead the model plans, and what arithmetic and planning cost it",
        card="horizon",
        rows=(
            _row("plan", ((10, 24), (30, 48), (70, 96)), 1_375, 2_812),
            _row("fights", ((50, 24), (110, 48), (160, 96)), 1_945, 4_582),
            _row("steps", ((100, 24), (150, 48)), 2_544, 6_496),
        ),
    ),
)
