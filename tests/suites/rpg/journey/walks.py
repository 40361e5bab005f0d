"""Samples of walks along short roads, for tests of pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from herobench.conversation import Reply
from herobench.data.columns import SAMPLE, blank
from herobench.suite.contract import SuiteSetting
from herobench.suites.rpg.journey.plan import as_code
from herobench.suites.rpg.journey.task import Dials, Journey, Sites
from herobench.suites.rpg.journey.walk import Call
from herobench.suites.rpg.journey_suite import Journeys
from herobench.suites.rpg.play.execution import as_answer
from herobench.task_gen.rpg.journey.maker import make_journey


@cache
def short_journey(regions: int, sites: Sites = "maps") -> Journey:
    """A road that is solved in no time."""
    return make_journey(f"{regions}/{sites}", "short", Dials(regions, sites, 1, 1))


def sample_of(journey: Journey, plan: Sequence[Call]) -> dict[str, Any]:
    """The sample of a plan, as a run stores it."""
    suite = Journeys(SuiteSetting(), {journey.id: journey})
    attempt, answer = suite.open(journey.id, 0), as_answer(as_code(plan))
    attempt.step(Reply(answer, stop="stop"))
    verdict = asdict(attempt.grade())
    return {
        **blank(SAMPLE),
        "suite": "journey",
        "task_id": journey.id,
        "group": f"{journey.dials.regions} regions",
        "epoch": 0,
        "status": "ok",
        "model": "someone",
        "replies": [{"text": answer, "tool_calls": [], "answer": None, "reasoning": None, "stop": "stop"}],
        **{name: verdict[name] for name in ("won", "score", "progress", "failure", "details", "events")},
    }
