"""Samples of journeys, as a run keeps them: plans of players on drawn roads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from herobench.conversation import Reply
from herobench.data.columns import SAMPLE, blank
from herobench.suites.rpg.journey.columns import JourneyStyle
from herobench.suites.rpg.journey.plan import as_code
from herobench.suites.rpg.journey.task import Dials, Journey
from herobench.suites.rpg.journey.walk import Call
from herobench.suites.rpg.journey_attempt import JourneyAttempt, known_details
from herobench.suites.rpg.play.execution import as_answer
from herobench.task_gen.rpg.journey.maker import make_journey


@cache
def road(regions: int, number: int = 0) -> Journey:
    """A journey with all at hand, which is quick to solve."""
    return make_journey(f"{regions}/{number}", f"figures/{number}", Dials(regions, "hand", 1, 2))


def sample(journey: Journey, plan: Sequence[Call] | str, style: JourneyStyle | None = None, **values: Any) -> Any:
    """The sample of a plan, or of a reply with these words."""
    attempt = JourneyAttempt(journey, style or JourneyStyle())
    attempt.step(Reply(plan if isinstance(plan, str) else as_answer(as_code(plan)), stop="stop"))
    verdict = attempt.grade()
    about = {"schema": 2, "suite": "journey", "task_id": journey.id, "epoch": 0, "group": None, "status": "ok"}
    judged = {name: getattr(verdict, name) for name in ("won", "score", "progress", "failure", "details", "events")}
    return {**blank(SAMPLE), **about, "model": "walker", "calls": 1, "output_tokens": 800, **judged, **values}


def unmeasured(journey: Journey) -> Any:
    """The sample of a task without a reply."""
    lost = {"details": known_details(journey, JourneyStyle()), "events": None, "status": "unmeasured"}
    scores = dict.fromkeys(("won", "score", "progress", "failure", "output_tokens"))
    return {**sample(journey, ()), **scores, **lost, "error": {"kind": "server", "status": None, "message": "no reply"}}
