"""Samples of journeys, as a run keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from herobench.conversation import Reply
from herobench.data.columns import SAMPLE, blank
from herobench.suite.contract import Verdict
from herobench.suites.rpg.journey.options import JourneyStyle
from herobench.suites.rpg.journey.plan import as_code
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import Call
from herobench.suites.rpg.journey_attempt import JourneyAttempt, known_details
from herobench.suites.rpg.play.execution import as_answer


def sample(journey: Journey, plan: Sequence[Call] | str, style: JourneyStyle | None = None, **values: Any) -> Any:
    """The sample of a plan, or of a reply with these words."""
    attempt = JourneyAttempt(journey, style or JourneyStyle())
    text = plan if isinstance(plan, str) else as_answer(as_code(plan))
    attempt.step(Reply(text, stop="stop"))
    return judged_sample(journey, attempt.grade(), text, **values)


def judged_sample(journey: Journey, verdict: Verdict, text: str = "", **values: Any) -> Any:
    """The sample of a reply that got a verdict."""
    return {
        **blank(SAMPLE),
        "schema": 2,
        "suite": "journey",
        "task_id": journey.id,
        "group": f"{journey.dials.regions} regions",
        "epoch": 0,
        "status": "ok",
        "model": "walker",
        "calls": 1,
        "output_tokens": 800,
        "replies": [{"text": text, "tool_calls": [], "answer": None, "reasoning": None, "stop": "stop"}],
        **{name: getattr(verdict, name) for name in ("won", "score", "progress", "failure", "details", "events")},
        **values,
    }


def unmeasured(journey: Journey) -> Any:
    """The sample of a task without a reply."""
    scores = dict.fromkeys(("won", "score", "progress", "failure", "output_tokens"))
    error = {"kind": "server", "status": None, "message": "no reply"}
    fields = {"details": known_details(journey, JourneyStyle()), "events": None, "status": "unmeasured", "error": error}
    return {**sample(journey, ()), **scores, **fields}
