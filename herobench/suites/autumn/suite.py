"""The challenges of Autumn behind the contract of a suite: an interaction and a test for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from herobench.data.errors import UsageError
from herobench.prompts.autumn.telling import WORDS
from herobench.suite.contract import Attempt, Suite, SuiteSetting, TaskInfo
from herobench.suite.generating import TaskGenerator
from herobench.suite.validating import Certificates
from herobench.suites.autumn.attempt import AutumnAttempt
from herobench.suites.autumn.episode.challenge import CHALLENGES, read_challenges
from herobench.suites.autumn.episode.choice import DATASET, RUN_OPTIONS, AutumnOptions, shipped_challenges
from herobench.suites.autumn.episode.figures import facts_of
from herobench.suites.autumn.episode.style import MODES, PAGE
from herobench.suites.autumn.page.attempt import PageAttempt
from herobench.suites.autumn.players import PLAYERS, AutumnPlayer


class Autumn(Suite):
    """The chosen challenges and the way in which they are played."""

    name = "autumn"
    modes = MODES
    run_options = RUN_OPTIONS
    players = PLAYERS
    datasets = (DATASET,)

    @staticmethod
    def generator() -> TaskGenerator:
        """Return what makes new challenges."""
        from herobench.task_gen.autumn.generator import AutumnGenerator  # a run does not need it

        return AutumnGenerator()

    @staticmethod
    def certificates() -> Certificates:
        """Return what proves the certificates of challenges again."""
        from herobench.task_gen.autumn.proof import problems_of  # a run does not need it

        return Certificates(CHALLENGES, problems_of)

    def __init__(self, setting: SuiteSetting) -> None:
        if setting.dataset not in (None, DATASET):
            raise UsageError(f"The suite autumn has the dataset {DATASET}, and no dataset {setting.dataset!r}.")
        challenges = shipped_challenges() if setting.tasks is None else read_challenges(setting.tasks)
        self.dataset = DATASET if setting.tasks is None else _name_of(setting.tasks.stem)
        self._choice = AutumnOptions.of(setting.options)
        self.options = self._choice.as_options()
        chosen = self._choice.of_challenges(challenges.values())
        self._challenges = {challenge.id: challenge for challenge in chosen}
        if not self._challenges:
            filters = ", ".join(f"{name}={value}" for name, value in self._choice.filters.items())
            raise UsageError(f"There are {len(challenges)} challenges, and none of them fits {filters}.")

    def tasks(self) -> Iterator[TaskInfo]:
        """Yield the chosen challenges."""
        for challenge in self._challenges.values():
            yield TaskInfo(challenge.id, challenge.family, challenge.as_row())

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the digest of the words, and the way in which challenges are played."""
        return {"prompts": WORDS.digest(), "mode": self._choice.mode, **self._choice.style.as_options()}

    def open(self, task_id: str, epoch: int) -> Attempt:
        """Start an episode. It does not depend on the epoch."""
        if self._choice.mode == PAGE:
            return PageAttempt(self._challenges[task_id], self._choice.style)
        return AutumnAttempt(self._challenges[task_id], self._choice.mode, self._choice.style)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the details of an episode without a reply."""
        return facts_of(self._challenges[task_id], self._choice.mode, self._choice.style)

    def player(self, name: str) -> AutumnPlayer:
        """Return a player that needs no model."""
        return AutumnPlayer(name, self._challenges, self._choice.mode, self._choice.style)


def _name_of(stem: str) -> str:
    """Return the name of a tasks file as text that UTF-8 can hold."""
    return stem.encode("utf-8", "backslashreplace").decode("utf-8")
