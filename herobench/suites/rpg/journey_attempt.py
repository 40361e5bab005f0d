"""An attempt at a journey: one prompt, one plan, and the verdict on it; on a road with chance a policy as code.

A plan may be given in parts, with the hero told after each. It has the same rules: a refused action ends it.

A plan wins if it takes the least time. Its score is the least time in percent of its own, 0 if it does not arrive. A
plan that breaks a rule ends there, and what it walked is judged all the same.

All policies walk with the same luck. A policy wins if it always arrives and no decision of any walk has a regret. Its
time is the expected one: the least, and the mean over the walks of the sum of regrets. A decision is an action in a
position: what several walks share counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from herobench.conversation import Message, Reply
from herobench.data.columns import blank
from herobench.prompts.rpg.journey.telling import opening, tell_end, tell_state
from herobench.suite.contract import Attempt, Distance, Verdict
from herobench.suites.rpg.game.calls import NotStraight
from herobench.suites.rpg.journey.columns import DETAILS, NEAR
from herobench.suites.rpg.journey.options import JourneyStyle
from herobench.suites.rpg.journey.plan import (
    PARTS_A_REGION,
    STEPS_A_REGION,
    PlanLine,
    as_call,
    luck_seeds,
    most_parts,
    read_plan,
)
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import Call, Position, Step, Walk, walk
from herobench.suites.rpg.play.execution import extract_code
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.pool import Workers

if TYPE_CHECKING:
    from herobench.task_gen.rpg.journey.regrets import Decision
    from herobench.task_gen.rpg.journey.values import BackwardSolver, Values


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

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Take the plan; the attempt is over."""
        self._reply = reply
        return None

    def _outcome(self) -> _Outcome:
        """Return what came of the plan."""
        lines, fault = _read_reply(self._reply)
        return _Outcome(walk(self._journey.road, [line.call for line in lines]), lines, fault)

    def grade(self) -> Verdict:
        """Walk the plan, and judge its decisions if that is asked for."""
        journey, outcome = self._journey, self._outcome()
        road_walk, (ended, reason, line) = outcome.walk, outcome.ending()
        details = known_details(journey, self._style) | {
            "ended": ended,
            "end_reason": reason,
            "end_line": line,
            "time": road_walk.time,
            "walked": road_walk.position.region,
            "best": ended == "arrived" and road_walk.time == journey.least,
            "choices": len(road_walk.steps),
        }
        mistakes = None
        if self._style.regrets == "on":
            mistakes, reaches = _judge(journey, road_walk)
            details |= judged_figures(journey, mistakes, reaches)
        return self._verdict(details, road_walk.steps, mistakes)

    def _verdict(
        self, details: dict[str, Any], steps: Sequence[Step], mistakes: Sequence[Any] | None, **place: int
    ) -> Verdict:
        """Return the verdict that follows from the figures of a walk. `place` says which of several walks it is."""
        journey, has_arrived = self._journey, details["ended"] == "arrived"
        is_best, score, failure = details["best"], 0.0, details["ended"]
        if has_arrived:
            score, failure = 100 * journey.least / details["time"], None if is_best else "slower"
        details["near"] = has_arrived and details["time"] <= NEAR * journey.least
        progress = 100 * details["walked"] / journey.dials.regions
        events = {
            "schema": 1,
            **place,
            "actions": [list(step.call) for step in steps],
            "times": [step.time for step in steps],
            "mistakes": mistakes,
        }
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
        "mode": "policy" if journey.road.has_chance else style.mode,
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


class _Outcome(NamedTuple):
    """What came of a plan, or of its parts so far."""

    walk: Walk
    lines: Sequence[PlanLine]
    fault: NotStraight | None
    """What is wrong with the text of the plan, or of its last part."""

    def ending(self) -> tuple[str, str | None, int | None]:
        """Return how the plan ended, with the reason and the line."""
        if self.fault:
            return ("rejected" if self.fault.line else "no_plan"), self.fault.reason, self.fault.line or None
        if self.walk.refusal:
            call, line = self.lines[len(self.walk.steps)]
            return "refused", f"{' '.join(call)}: {self.walk.refusal.value}", line
        return ("arrived", None, None) if self.walk.arrived else ("stopped", "the plan ends before the last gate", None)


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


# -- plans in parts ---------------------------------------------------------------------------------------------------


class PartsAttempt(JourneyAttempt):
    """A plan in parts. The model is told the time, the hero and his region after each."""

    def __init__(self, journey: Journey, style: JourneyStyle) -> None:
        super().__init__(journey, style)
        self._most, self._answers = most_parts(journey.road), 0
        self._so_far = _Outcome(walk(journey.road, ()), *_read_reply(None))
        self._is_over = False

    @property
    def messages(self) -> Sequence[Message]:
        """The prompt."""
        road = self._journey.road
        text = opening(road, self._style.lane, self._journey.plan, self._most)
        return [Message("user", text, facts=road.as_row())]

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Carry the next part out. Return how the hero stands, or None at the end of the plan."""
        before, road = self._so_far, self._journey.road
        lines, fault = _read_reply(reply)
        road_walk = walk(road, [line.call for line in lines], so_far=before.walk)
        self._so_far = _Outcome(road_walk, [*before.lines, *lines], fault)
        self._answers += 1
        self._is_over = not lines or bool(road_walk.refusal) or road_walk.arrived or self._answers == self._most
        return None if self._is_over else [Message("user", tell_state(road, road_walk, self._answers, self._most))]

    @property
    def farewell(self) -> Sequence[Message]:
        """How the plan ended."""
        return [Message("user", tell_end(self._so_far.walk, self._so_far.ending()[1]))] if self._is_over else ()

    def distance(self) -> Distance:
        """Return the time so far and the least time from here. So what an action adds to it is its regret."""
        road, position, time = self._journey.road, self._so_far.walk.position, float(self._so_far.walk.time)
        if position.region < len(road.regions):
            time += kept_solver(road).time(_kept_values(road, position.region), position)
        return Distance(time, time)

    def fork(self) -> PartsAttempt:
        """Return a copy that goes on by itself."""
        return copy(self)

    def _outcome(self) -> _Outcome:
        return self._so_far


@lru_cache(4)
def _kept_values(road: Road, number: int) -> Values:
    """Return the least times within a region: attempts ask for them at each turn."""
    return kept_solver(road).region(number)


# -- policies ---------------------------------------------------------------------------------------------------------


_ENDS: Mapping[str, str] = {"finished": "stopped", "no_code": "no_plan", "rejected": "rejected"}
"""How a walk ended that did not arrive, by how its program did; any other program failed."""
_MOST_WORDS = 100
"""The characters of a refused action that a reason tells."""
_Key = tuple[Position, Call]
"""What makes a decision: a position and an action."""


class PolicyWalk(NamedTuple):
    """A walk of a policy, and how it ended."""

    walk: Walk
    ended: str
    reason: str | None
    line: int | None


class PolicyAttempt(JourneyAttempt):
    """One prompt that tells the road, and one reply with the policy."""

    def __init__(self, journey: Journey, style: JourneyStyle, workers: Workers) -> None:
        super().__init__(journey, style)
        self._workers = workers

    def grade(self) -> Verdict:
        """Walk the policy with each luck, and judge its decisions."""
        journey, walks = self._journey, list(self._walks())
        decisions = _judge_policy(journey.road, [step for each in walks for step in each.walk.steps])
        regrets = [sum(decisions[step.before, step.call].regret for step in each.walk.steps) for each in walks]
        end = next((each for each in walks if each.ended != "arrived"), walks[-1])
        has_arrived = end.ended == "arrived"
        number = regrets.index(max(regrets)) if has_arrived else walks.index(end)
        mistakes = _policy_mistakes(walks, decisions, number)
        regret = sum(regrets) / len(walks)
        details = known_details(journey, self._style) | {
            "ended": end.ended,
            "end_reason": end.reason,
            "end_line": end.line,
            "time": journey.least + regret if has_arrived else None,
            "walked": min(each.walk.position.region for each in walks),
            "best": has_arrived and not mistakes,
            "choices": len(decisions),
            **judged_figures(journey, mistakes, [decision.reach for decision in decisions.values()]),
            "regret": regret,
        }
        return self._verdict(details, walks[number].walk.steps, mistakes, walk=number + 1)

    def _walks(self) -> Iterator[PolicyWalk]:
        """Yield a walk for each luck; only one for a text that is no policy."""
        code, road = plan_text(self._reply), self._journey.road
        for luck in luck_seeds(self._journey.id):
            policy_walk = walk_policy(self._workers, road, code, luck)
            yield policy_walk
            if policy_walk.ended in ("no_plan", "rejected"):
                return


def walk_policy(workers: Workers, road: Road, code: str | None, luck: str) -> PolicyWalk:
    """Run a policy with a luck. Only its attempts are taken from the worker, and walked here."""
    steps = STEPS_A_REGION * len(road.regions)
    limits = Limits(steps=steps, actions=steps, parts=PARTS_A_REGION * len(road.regions))
    outcome = workers.run(code, {"road": road.as_row(), "luck": luck}, limits)
    road_walk = walk(road, list(map(as_call, outcome.attempts[:steps])), luck)
    if road_walk.arrived:
        return PolicyWalk(road_walk, "arrived", None, None)
    if road_walk.refusal:
        action = outcome.attempts[len(road_walk.steps)]
        refusal = f"{' '.join(as_call(action))[:_MOST_WORDS]}: {road_walk.refusal.value}"
        return PolicyWalk(road_walk, "refused", refusal, action.line)
    ending = outcome.ending
    reason = ending.reason or "the policy ends before the last gate"
    return PolicyWalk(road_walk, _ENDS.get(ending.how, "failed"), reason, ending.line)


def _judge_policy(road: Road, steps: Iterable[Step]) -> dict[_Key, Decision]:
    """Return the judgement on each decision of some walks. One that several of them share is there once."""
    from herobench.task_gen.rpg.journey.regrets import judge  # other attempts do not wait for numpy

    distinct = {(step.before, step.call): step for step in steps}
    by_region = sorted(distinct.values(), key=lambda step: step.before.region)
    decisions = judge(kept_solver(road), road, by_region)
    return {(step.before, step.call): decision for step, decision in zip(by_region, decisions, strict=True)}


def _policy_mistakes(
    walks: Sequence[PolicyWalk], decisions: Mapping[_Key, Decision], kept: int
) -> list[dict[str, Any]]:
    """Return each mistake as a row, with the action and the walk: the kept one, or else the first that made it."""
    rows: dict[_Key, dict[str, Any]] = {}
    for number, policy_walk in sorted(enumerate(walks, 1), key=lambda each: each[0] != kept + 1):
        for action, step in enumerate(policy_walk.walk.steps):
            key = step.before, step.call
            decision = decisions[key]
            if decision.regret:
                place = {"walk": number, "action": action}
                rows.setdefault(key, {**place, **decision._asdict(), "better": list(decision.better)})
    return list(rows.values())
