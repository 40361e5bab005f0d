"""Journeys behind the contract of a suite: one prompt, one plan, and exact regrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from herobench.data.errors import UsageError
from herobench.data.options import option_texts, read_options
from herobench.suite.contract import Attempt, FreshSuite, Help, Suite, SuiteSetting, TaskInfo, TurnLimit, Verdict
from herobench.suite.generating import TaskGenerator
from herobench.suite.validating import Certificates, TaskFigures, Watch
from herobench.suites.rpg.journey.options import (
    FEEDBACK,
    LANES,
    MODES,
    PLAN,
    PLAYERS,
    JourneyAuditOptions,
    JourneyStyle,
)
from herobench.suites.rpg.journey.plan import most_parts
from herobench.suites.rpg.journey.task import DATASETS, JOURNEYS, Journey, shipped_journeys
from herobench.suites.rpg.refusals import RpgFault

if TYPE_CHECKING:
    from herobench.conversation import Model
    from herobench.suites.rpg.sandbox.pool import Workers


class Journeys(Suite):
    """Roads of regions, and the way in which they are asked."""

    name = "journey"
    modes = MODES
    one_turn_mode = PLAN
    run_options = (JourneyStyle,)
    players = PLAYERS
    lanes = LANES
    datasets = DATASETS
    task_fields = ("road", "dials")
    length_column = "regions"
    longer = 24
    audit_options = JourneyAuditOptions

    @staticmethod
    def as_reply(text: str) -> str:
        """Put a plan that stands alone into a fence."""
        from herobench.suites.rpg.play.execution import with_fence

        return with_fence(text)

    @staticmethod
    def explain_loss(verdict: Verdict) -> tuple[str, int | None]:
        """Return how the plan ended, or that it takes too long, and the line."""
        details = verdict.details
        slower = f"the plan takes {details['time']:.10g}, and the least time is {details['least']:.10g}"
        return details["end_reason"] or slower, details["end_line"]

    @staticmethod
    def help(details: Mapping[str, Any]) -> Help:
        """Return that a policy is code."""
        return "code" if details.get("mode") == "policy" else Suite.help(details)

    @staticmethod
    def generator() -> TaskGenerator:
        """Return what makes new journeys."""
        from herobench.task_gen.rpg.journey.draw import JourneyGenerator  # a run does not need it

        return JourneyGenerator()

    @staticmethod
    def certificates() -> Certificates:
        """Return what proves the certificates of journeys again."""
        from herobench.task_gen.rpg.journey.maker import find_problems  # a run does not need it

        return Certificates(JOURNEYS, find_problems)

    @staticmethod
    def audit(setting: SuiteSetting, watch: Watch) -> TaskFigures:
        """Return what programs without foresight lose."""
        from herobench.task_gen.rpg.journey.audit import audit  # a run does not need it

        return audit(setting, watch)

    def __init__(self, setting: SuiteSetting, journeys: Mapping[str, Journey] | None = None) -> None:
        """`journeys` are asked in place of those that the setting names."""
        self.dataset = self.choose_dataset(setting)
        self._style = read_options(JourneyStyle, setting.options, "the suite journey")
        self.options = option_texts(self._style)
        self.mistake_columns = ("choices", "mistakes") if self._style.regrets == "on" else None
        self._setting = setting
        if journeys is None:
            journeys = shipped_journeys(self.dataset) if setting.tasks is None else JOURNEYS.in_file(setting.tasks)
        self._journeys = journeys
        has_policies = any(journey.road.has_chance for journey in journeys.values())
        self._workers = _make_workers(setting.workers) if has_policies else None

    def tasks(self) -> Iterator[TaskInfo]:
        """Yield the journeys, grouped by their length."""
        for journey in self._journeys.values():
            yield TaskInfo(journey.id, f"{journey.dials.regions} regions", journey.as_row())

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the digest of the words, and the way in which journeys are asked.

        Raise UsageError for the lane `steps` and for a plan in parts on a road with chance.
        """
        from herobench.prompts.rpg.journey.telling import words_digest

        style = self._style
        if any(self._journeys[task_id].road.has_chance for task_id in task_ids):
            if style.lane == "steps":
                raise UsageError(RpgFault.CHANCE, advice="ask it in the lane plan or fights, since no plan can be told")
            if style.mode == FEEDBACK:
                raise UsageError(RpgFault.CHANCE, advice="a plan in parts is for roads without chance")
        return {"prompts": words_digest(style.mode), **style.identity()}

    def open(self, task_id: str, epoch: int) -> Attempt:
        """Start an attempt. It does not depend on the epoch."""
        journey = self._journeys[task_id]
        if self._workers and journey.road.has_chance:
            from herobench.suites.rpg.journey_attempt import PolicyAttempt

            return PolicyAttempt(journey, self._style, self._workers)
        from herobench.suites.rpg.journey_attempt import JourneyAttempt, PartsAttempt

        return (PartsAttempt if self._style.mode == FEEDBACK else JourneyAttempt)(journey, self._style)

    def turns(self, task_id: str) -> TurnLimit | None:
        """Return how many parts a plan may have; None for a whole plan."""
        if self._style.mode == PLAN:
            return None
        most = most_parts(self._journeys[task_id].road)
        return TurnLimit(most, most)

    def prepare(self) -> None:
        """Start a worker of the sandbox in the background, if there are policies to run."""
        if self._workers:
            self._workers.warm_up()

    def close(self) -> None:
        """End the workers of the sandbox."""
        if self._workers:
            self._workers.close()

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the details of an attempt without a reply."""
        from herobench.suites.rpg.journey_attempt import known_details

        return known_details(self._journeys[task_id], self._style)

    def player(self, name: str) -> Model:
        """Return a player that needs no model."""
        from herobench.task_gen.rpg.journey.players import JourneyPlayer  # scoring does not need it

        return JourneyPlayer(name, self._journeys, in_parts=self._style.mode == FEEDBACK)

    def fresh(self, seed: int, task_ids: Sequence[str]) -> FreshSuite:
        """Return the suite on private twins of these journeys."""
        from herobench.task_gen.rpg.journey.maker import make_twins  # a run does not need it

        originals = [self._journeys[task_id] for task_id in task_ids]
        twins = {twin.id: twin for twin in make_twins(originals, seed, self._setting.workers)}
        return FreshSuite(Journeys(replace(self._setting, options=self.options), twins))

    def ladder(self) -> Sequence[float]:
        """Return the lengths of journeys that can be made."""
        from herobench.task_gen.rpg.journey.maker import ladder  # a run does not need it

        return ladder()

    def make(self, seed: int, numbers: Mapping[str, int]) -> FreshSuite:
        """Return the suite on journeys of these numbers."""
        from herobench.task_gen.rpg.journey.maker import make_numbered  # a run does not need it

        new_numbers = {task_id: number for task_id, number in numbers.items() if task_id not in self._journeys}
        new_journeys = {journey.id: journey for journey in make_numbered(seed, new_numbers, self._setting.workers)}
        journeys = {task_id: new_journeys.get(task_id) or self._journeys[task_id] for task_id in numbers}
        return FreshSuite(Journeys(replace(self._setting, options=self.options), journeys))


def _make_workers(count: int) -> Workers:
    """Return the workers of the sandbox that run policies."""
    from herobench.suites.rpg.sandbox.pool import Workers  # plans are not run

    return Workers(None, workers=count)
