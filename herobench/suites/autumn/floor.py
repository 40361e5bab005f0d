"""The floor of the scores: what players win on the shipped set who know no rule of a world.

`herobench autumn floor` prints it. A test may be as long as the interaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, stdev
from types import MappingProxyType

from herobench.suites.autumn.episode.challenge import Family
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.options import ChallengeStyle, shipped_challenges
from herobench.suites.autumn.episode.repeating import WAYS
from herobench.suites.autumn.players import decide
from herobench.work.engine import Each, Local

STEPS = 240
_LATER = 24
"""Actions beside those of the interaction and as many in the test: the announcement, the choice and the like."""
FLOOR: Mapping[Family, Sequence[str]] = MappingProxyType(
    {
        "prediction": ("random", "colours"),
        "planning": ("random", "clicks"),
        "detection": ("random", "late", *(f"replay:{way}" for way in WAYS)),
    }
)
"""The players without a rule, by the family in which they have an idea."""
Order = tuple[str, str, int]
"""The id of a challenge, the name of a player, and the steps of the interaction."""


def floor(steps: int, jobs: int) -> Iterator[tuple[Family, str, float, float]]:
    """Yield family, player, mean score over one episode of each challenge, and its standard error."""
    ids = {family: [one.id for one in shipped_challenges().values() if one.family == family] for family in FLOOR}
    orders = [(id, player, steps) for family, players in FLOOR.items() for player in players for id in ids[family]]
    scores = Local(jobs).results(Each(score), orders)
    for family, players in FLOOR.items():
        for player in players:
            fractions = [next(scores) for _ in ids[family]]
            yield family, player, mean(fractions), stdev(fractions) / len(fractions) ** 0.5


def score(order: Order) -> float:
    """Return the score of a player's episode with one challenge."""
    id, player, steps = order
    first, _, way = player.partition(":")
    style = ChallengeStyle(steps=steps, total=2 * steps + _LATER)
    episode = Episode(shipped_challenges()[id], style.steps, style.total)
    for action in decide(first, way, episode, style, 0):
        if not episode.ending:
            episode.act(action)  # `random` has not played it
    return episode.result.score if episode.result else 0.0
