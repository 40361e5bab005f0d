"""The page at which people walk a road: they choose among the actions that can be done, and undo them until the end.

The browser walks by the rules of the road (`files/walk.js`), so that the whole plan is one reply, as that of a model.
When its verdict is stored, the page tells the regret of each mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.conversation import Reply, Request
from herobench.data.errors import UsageError
from herobench.page.server import Page
from herobench.suites.rpg.refusals import RpgFault

_FIGURES = ("ended", "end_reason", "time", "least", "choices", "mistakes", "regret")
"""The details of a sample that the page tells."""


class JourneyPage(Page):
    """The page with the maps of a road."""

    package = "herobench.suites.rpg.journey.page"
    longest = 1_000_000
    tells_verdicts = True

    def check(self, row: Mapping[str, Any]) -> None:
        """Raise UsageError for a road with chance."""
        if "breaks" in row["road"]["limits"]:
            raise UsageError(RpgFault.CHANCE, advice="people walk roads without it on this page")

    def view(self, request: Request) -> Any:
        """Return the prompt and the road that it tells."""
        opening = request.messages[0]
        return {"task": request.task_id, "prompt": opening.text, "road": opening.facts}

    def reply(self, answer: object) -> Reply | None:
        """Return a text as a reply; None for anything else."""
        return Reply(answer, stop="stop") if isinstance(answer, str) else None

    def verdict(self, sample: Mapping[str, Any]) -> Any:
        """Return the figures of a plan and its mistakes; None for one that was not measured."""
        details, events = sample["details"], sample["events"]
        if events is None:
            return None
        figures = {name: details[name] for name in _FIGURES}
        return {"task": sample["task_id"], "won": sample["won"], **figures, "events": events}
