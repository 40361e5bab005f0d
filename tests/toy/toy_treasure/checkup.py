"""The parts of a checkup that the treasure suite declares: its shipped rooms, and fewer of them in a cellar."""

from herobench.suite.checkup_parts import MeanUsage, Part, Row

USAGE = {"by_loser": MeanUsage(1, 20, 8), "by_winner": MeanUsage(2, 60, 12)}

PARTS = (
    Part(
        "treasure",
        "Treasure",
        "looking before speaking",
        rows=(Row(steps=((15, 2), (55, 6)), dataset="doors-v1", **USAGE),),
        chance="silent",
    ),
    Part(
        "cellar",
        "Cellar",
        "the same in the dark",
        rows=(Row(steps=((45, 4),), options={"rooms": "4"}, dataset="doors-v1", **USAGE),),
    ),
)
