"""The failure classes of the suite autumn: why an episode is worth nothing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from herobench.suites.autumn.detection import DetectionTest
from herobench.suites.autumn.episode import Episode

Failure = Literal["wrong_choice", "too_early", "no_change", "gave_up", "out_of_steps", "unfinished", "program"]

MEANING: Mapping[Failure, str] = MappingProxyType(
    {
        "wrong_choice": "Another of the six choices was right.",
        "too_early": "The chosen frame is before the change.",
        "no_change": "A change was announced before there was one.",
        "gave_up": "The player quit the test.",
        "out_of_steps": "The actions of the episode were used up before the test was over.",
        "unfinished": "The replies ended before the episode did.",
        "program": "The program of the world failed.",
    }
)
"""The definition of each class."""


def failure_of(episode: Episode) -> Failure | None:
    """Return the class of an episode; None for one that is worth something."""
    if episode.result and episode.result.score > 0:
        return None
    match episode.ending:
        case "answered" if isinstance(episode.test, DetectionTest):
            return "no_change" if episode.test.trigger is None else "too_early"
        case "answered":
            return "wrong_choice"
        case "quit":
            return "gave_up"
        case "steps":
            return "out_of_steps"
        case "failed":
            return "program"
        case _:
            return "unfinished"
