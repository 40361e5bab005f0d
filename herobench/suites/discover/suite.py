"""The mysteries behind the contract of a suite: explored by tools and planned in, or planned in the lane `told`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.data.options import option_texts, read_options
from herobench.suite.contract import Attempt, FreshSuite, Suite, SuiteSetting, TaskInfo, Verdict
from herobench.suite.generating import TaskGenerator
from herobench.suite.validating import Certificates, TaskFigures, Watch
from herobench.suites.discover.game.columns import LANES, PLAYERS, DiscoverStyle
from herobench.suites.discover.game.mystery import DATASET, MYSTERIES, Mystery, shipped_mysteries

if TYPE_CHECKING:
    from herobench.conversation import Model


class Discover(Suite):
    """Mysteries, and the way in which they are asked."""

    name = "discover"
    run_options = (DiscoverStyle,)
    players = PLAYERS
    lanes = LANES
    datasets, task_fields = (DATASET,), ("lands",)
    length_column = "days"

    @staticmethod
    def generator() -> TaskGenerator:
        """Return what makes new mysteries."""
        from herobench.suites.discover.making.generator import DiscoverGenerator  # a run does not need it

        return DiscoverGenerator()

    @staticmethod
    def certificates() -> Certificates:
        """Return what proves the certificates of mysteries again."""
        from herobench.suites.discover.making.proof import find_problems  # a run does not need it

        return Certificates(MYSTERIES, find_problems)

    @staticmethod
    def audit(setting: SuiteSetting, watch: Watch) -> TaskFigures:
        """Return what shallow strategies win."""
        from herobench.suites.discover.making.audit import audit  # a run does not need it

        return TaskFigures([audit(setting.tasks or Path(DATASET), setting.workers)])

    @staticmethod
    def explain_loss(verdict: Verdict) -> tuple[str, int | None]:
        """Return how the plan ended."""
        return verdict.details["end_reason"], None

    def __init__(self, setting: SuiteSetting, mysteries: Mapping[str, Mystery] | None = None) -> None:
        """`mysteries` are asked in place of those that the setting names."""
        self.dataset = self.choose_dataset(setting)
        self._style = read_options(DiscoverStyle, setting.options, "the suite discover")
        self.options = option_texts(self._style)
        self._setting = setting
        if mysteries is None:
            mysteries = shipped_mysteries() if setting.tasks is None else MYSTERIES.in_file(setting.tasks)
        self._mysteries = mysteries

    def tasks(self) -> Iterator[TaskInfo]:
        """Yield the mysteries, grouped by their laws."""
        for mystery in self._mysteries.values():
            yield TaskInfo(mystery.id, mystery.words, mystery.as_row())

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the digests of the words, and the way in which mysteries are asked."""
        from herobench.suites.discover.prompts.telling import WORDS

        return {"prompts": WORDS.digest(), **option_texts(self._style)}

    def open(self, task_id: str, epoch: int) -> Attempt:
        """Start an attempt. It does not depend on the epoch."""
        from herobench.suites.discover.attempt import FoundAttempt, ToldAttempt

        kind = ToldAttempt if self._style.lane == "told" else FoundAttempt
        return kind(self._mysteries[task_id], self._style)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the details of an attempt without a reply."""
        from herobench.suites.discover.attempt import known_details

        return known_details(self._mysteries[task_id], self._style)

    def player(self, name: str) -> Model:
        """Return a player that needs no model."""
        from herobench.suites.discover.players import DiscoverPlayer  # scoring does not need it

        return DiscoverPlayer(name, self._mysteries, self._style)

    def fresh(self, seed: int, task_ids: Sequence[str]) -> FreshSuite:
        """Return the suite on private twins of these mysteries."""
        from herobench.suites.discover.making.generator import make_twins  # a run does not need it

        numbers = {task_id: number for number, task_id in enumerate(self._mysteries)}
        originals = [(numbers[task_id], self._mysteries[task_id]) for task_id in task_ids]
        twins = {twin.id: twin for twin in make_twins(originals, seed, self._setting.workers)}
        return FreshSuite(Discover(replace(self._setting, options=self.options), twins))
