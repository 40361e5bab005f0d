"""An attempt at a road with chance: one prompt, one policy as code, and the verdict on its walks.

All policies walk with the same luck. A policy wins if it always arrives and no decision of any walk has a regret. Its
time is the expected one: the least, and the mean over the walks of the sum of regrets. A decision is an action in a
position: what several walks share counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from herobench.suite.contract import Verdict
from herobench.suites.rpg.journey.columns import NEAR, JourneyStyle
from herobench.suites.rpg.journey.policy import PARTS_A_REGION, STEPS_A_REGION, as_call, luck_seeds
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import Call, Position, Step, Walk, walk
from herobench.suites.rpg.journey_attempt import JourneyAttempt, judged_figures, kept_solver, known_details, plan_text
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.pool import Workers

if TYPE_CHECKING:
    from herobench.task_gen.rpg.journey.regrets import Decision

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
        decisions = _judge(journey.road, [step for each in walks for step in each.walk.steps])
        regrets = [sum(decisions[step.before, step.call].regret for step in each.walk.steps) for each in walks]
        end = next((each for each in walks if each.ended != "arrived"), walks[-1])
        has_arrived = end.ended == "arrived"
        number = regrets.index(max(regrets)) if has_arrived else walks.index(end)
        mistakes = _mistakes(walks, decisions, number)
        is_best = has_arrived and not mistakes
        regret = sum(regrets) / len(walks)
        time = journey.least + regret
        walked = min(each.walk.position.region for each in walks)
        details = known_details(journey, self._style) | {
            "ended": end.ended,
            "end_reason": end.reason,
            "end_line": end.line,
            "time": time if has_arrived else None,
            "walked": walked,
            "best": is_best,
            "near": has_arrived and time <= NEAR * journey.least,
            "choices": len(decisions),
            **judged_figures(journey, mistakes, [decision.reach for decision in decisions.values()]),
            "regret": regret,
        }
        events = {
            "schema": 1,
            "walk": number + 1,
            "actions": [list(step.call) for step in walks[number].walk.steps],
            "times": [step.time for step in walks[number].walk.steps],
            "mistakes": mistakes,
        }
        score = 100 * journey.least / time if has_arrived else 0.0
        loss = "slower" if has_arrived else end.ended
        failure = None if is_best else loss
        progress = 100 * walked / journey.dials.regions
        return Verdict(is_best, score, progress=progress, failure=failure, details=details, events=events)

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


def _judge(road: Road, steps: Iterable[Step]) -> dict[_Key, Decision]:
    """Return the judgement on each decision of some walks. One that several of them share is there once."""
    from herobench.task_gen.rpg.journey.regrets import judge  # other attempts do not wait for numpy

    distinct = {(step.before, step.call): step for step in steps}
    by_region = sorted(distinct.values(), key=lambda step: step.before.region)
    decisions = judge(kept_solver(road), road, by_region)
    return {(step.before, step.call): decision for step, decision in zip(by_region, decisions, strict=True)}


def _mistakes(walks: Sequence[PolicyWalk], decisions: Mapping[_Key, Decision], kept: int) -> list[dict[str, Any]]:
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
