"""An attempt at a journey: one prompt, one plan, and the verdict on it.

A plan wins if it takes the least time. Its score is the least time in percent of its own, 0 if it does not arrive. A
plan that breaks a rule ends there, and what it walked is judged all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from herobench.conversation import Message, Reply
from herobench.data.columns import blank
from herobench.prompts.rpg.journey.telling import opening
from herobench.suite.contract import Attempt, Verdict
from herobench.suites.rpg.journey.columns import DETAILS, NEAR, JourneyStyle
from herobench.suites.rpg.journey.plan import NotStraight, PlanLine, read_plan
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import Walk, walk
from herobench.suites.rpg.play.execution import extract_code

if TYPE_CHECKING:
    from herobench.task_gen.rpg.journey.values import BackwardSolver

_LARGE = 0.01
"""The share of the mean time of a region from which on a regret is large."""


class JourneyAttempt(Attempt):
    """One prompt that tells the road, and one reply with the plan."""

    waits = False

    def __init__(self, journey: Journey, style: JourneyStyle) -> None:
        self._journey, self._style = journey, style
        self._reply: Reply | None = None

    @property
    def messages(self) -> Sequence[Message]:
        """The prompt."""
        road = self._journey.road
        return [Message("user", opening(road, self._style.lane, self._journey.plan), facts=road.as_row())]

    def step(self, reply: Reply) -> None:
        """Take the plan; the attempt is over."""
        self._reply = reply

    def grade(self) -> Verdict:
        """Walk the plan, and judge its decisions if that is asked for."""
        journey = self._journey
        lines, fault = _read_reply(self._reply)
        road_walk = walk(journey.road, [line.call for line in lines])
        details = known_details(journey, self._style) | _figures(journey, road_walk, lines, fault)
        mistakes = None
        if self._style.regrets == "on":
            mistakes, reaches = _judge(journey, road_walk)
            details |= judged_figures(journey, mistakes, reaches)
        events = {
            "schema": 1,
            "actions": [list(step.call) for step in road_walk.steps],
            "times": [step.time for step in road_walk.steps],
            "mistakes": mistakes,
        }
        is_best, progress = bool(details["best"]), 100 * details["walked"] / journey.dials.regions
        score, failure = 0.0, details["ended"]
        if road_walk.arrived:
            score, failure = 100 * journey.least / road_walk.time, None if is_best else "slower"
        return Verdict(is_best, score, progress=progress, failure=failure, details=details, events=events)


def judged_figures(journey: Journey, mistakes: Sequence[Mapping[str, Any]], reaches: Sequence[int]) -> dict[str, Any]:
    """Return the figures of mistakes and of the reaches of all decisions."""
    large = _LARGE * journey.least / journey.dials.regions
    return {
        "mistakes": len(mistakes),
        "regret": sum(mistake["regret"] for mistake in mistakes),
        "large_mistakes": sum(mistake["regret"] > large for mistake in mistakes),
        "reaches": [reaches.count(reach) for reach in range(1, len(journey.sights) + 2)],
    }


def known_details(journey: Journey, style: JourneyStyle) -> dict[str, Any]:
    """Return the details that are known without a reply; null in the others."""
    return {
        **blank(DETAILS),
        "mode": "policy" if journey.road.has_chance else "plan",
        "told": style.lane,
        "regrets": "on" if journey.road.has_chance else style.regrets,
        **asdict(journey.dials),
        "least": journey.least,
        "sights": [time for _, time in sorted(journey.sights.items())],
        "oracle_actions": len(journey.plan),
        "twin_of": journey.twin_of,
    }


def plan_text(reply: Reply | None) -> str | None:
    """Return the text of the plan in a reply; None if it has none."""
    if reply is None:
        return None
    return extract_code(reply.text, "ignored", reply.stop) if reply.answer is None else reply.answer


def _read_reply(reply: Reply | None) -> tuple[list[PlanLine], NotStraight | None]:
    """Return the plan of a reply, and what is wrong with it; a reply without a plan has an empty one."""
    code = plan_text(reply)
    if code is None:
        return [], NotStraight("the reply has no plan", 0)
    try:
        return read_plan(code), None
    except NotStraight as fault:
        return [], fault


def _figures(journey: Journey, road_walk: Walk, lines: Sequence[PlanLine], fault: NotStraight | None) -> dict[str, Any]:
    number = len(road_walk.steps)
    ending, reason, line = "arrived", None, None
    if fault:
        ending, reason, line = ("rejected" if fault.line else "no_plan"), fault.reason, fault.line or None
    elif road_walk.refusal:
        line = lines[number].line
        ending, reason = "refused", f"{' '.join(lines[number].call)}: {road_walk.refusal.value}"
    elif not road_walk.arrived:
        ending, reason = "stopped", "the plan ends before the last gate"
    return {
        "ended": ending,
        "end_reason": reason,
        "end_line": line,
        "time": road_walk.time,
        "walked": road_walk.position.region,
        "best": road_walk.arrived and road_walk.time == journey.least,
        "near": road_walk.arrived and road_walk.time <= NEAR * journey.least,
        "choices": number,
    }


def _judge(journey: Journey, road_walk: Walk) -> tuple[list[dict[str, Any]], list[int]]:
    """Return each mistake as a row, and the reaches of all decisions.

    A best plan needs no solver: it is taken to face what the certified one does.
    """
    if not road_walk.steps:
        return [], []
    if road_walk.arrived and road_walk.time == journey.least:
        return [], list(journey.reaches)
    from herobench.task_gen.rpg.journey.regrets import judge  # best plans do not wait for numpy

    decisions = judge(kept_solver(journey.road), journey.road, road_walk.steps)
    mistakes = [
        {"action": number, **decision._asdict(), "better": list(decision.better)}
        for number, decision in enumerate(decisions)
        if decision.regret
    ]
    return mistakes, [decision.reach for decision in decisions]


@lru_cache(4)
def kept_solver(road: Road) -> BackwardSolver:
    """Return the solver of a road, which keeps what is behind each gate for other attempts."""
    from herobench.task_gen.rpg.journey.values import BackwardSolver

    return BackwardSolver(road)
