"""Scores replies to the tasks of a suite. Threads may share one scorer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from types import TracebackType

from herobench import plugins
from herobench.ahead import in_order
from herobench.checked_suite import open_suite, suite_run_options
from herobench.conversation import Message, Reply, Request
from herobench.errors import UsageError, abbreviated, quoted
from herobench.recorded import replayed
from herobench.scorer.known import refuse_unknown
from herobench.scorer.made import made_tasks, settings_beside_made
from herobench.scorer.play import Play, Said, reply_of, turns_of
from herobench.scorer.result import Result
from herobench.scorer.wanted import Wanted
from herobench.suite import SuiteSetting, TaskInfo

_MOST_TURNS = 10_000
"""No oracle plays on for ever."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Holds what a model said at a task: one turn, or all of its turns."""

    task_id: str
    said: Said | Sequence[Said]
    epoch: int = 0


class Scorer:
    """A suite that is open, and the tasks of it that are wanted. Use it in a `with` statement, or close it."""

    def __init__(self, wanted: Wanted | None = None, made: AbstractContextManager[Path] | None = None) -> None:
        """Open the suite. Raise UsageError or InputError when that is not possible.

        `made` gives the file of the tasks that a seed makes; without it they are made here.
        """
        self.wanted = wanted or Wanted()
        refuse_unknown(self.wanted)
        self.jobs = self.wanted.jobs or os.cpu_count() or 1
        self._held = ExitStack()
        with ExitStack() as held:
            setting = self._setting(held, made)
            self._suite = held.enter_context(closing(open_suite(self.wanted.suite, setting)))
            self.dataset = self._suite.dataset
            self.tasks: Mapping[str, TaskInfo] = self.wanted.chosen({task.id: task for task in self._suite.tasks()})
            self._held = held.pop_all()

    @property
    def suite(self) -> str:
        """The name of the suite."""
        return self._suite.name

    @property
    def identity(self) -> Mapping[str, str]:
        """Digests and editions that scores depend on."""
        return self._suite.identity(tuple(self.tasks))

    def play(self, task_id: str, epoch: int = 0) -> Play:
        """Start an attempt. Raise UsageError when there is no such task or epoch."""
        return Play(self._suite, self._known(task_id), _checked_epoch(epoch))

    def opening(self, task_id: str) -> Sequence[Message]:
        """Return the messages that open a task."""
        return self.play(task_id).conversation

    def score(self, task_id: str, said: Said | Sequence[Said], epoch: int = 0) -> Result:
        """Return the result of an answer. What the model says after the end of the attempt counts for nothing."""
        # Unlike `play`, this renders no prompt, which costs a sixth of the time.
        turns = [reply_of(turn) for turn in turns_of(said)] or [Reply("")]
        epoch = _checked_epoch(epoch)
        attempt = replayed(self._suite, self._known(task_id), epoch, turns)
        return Result(task_id, epoch, attempt.grade())

    def score_all(self, answers: Iterable[Answer]) -> Generator[Result]:
        """Yield the results of answers in their order. Close the generator when you do not use it up."""
        with ThreadPoolExecutor(self.jobs) as pool:
            yield from in_order(pool, self.jobs, self._score, answers)

    def solution(self, task_id: str, epoch: int = 0) -> Sequence[Reply]:
        """Return the replies of the oracle. Raise UsageError when the suite has none, or it does not end."""
        player, play = self._suite.player("oracle"), self.play(task_id, epoch)
        replies: list[Reply] = []

        async def solve() -> None:
            try:
                while not play.over:
                    if len(replies) == _MOST_TURNS:
                        raise UsageError(f"The oracle does not end {task_id} in {_MOST_TURNS:,} turns.")
                    replies.append(await player.reply(Request(task_id, epoch, play.conversation, play.tools)))
                    play.say(replies[-1])
            finally:
                await player.close()

        with ThreadPoolExecutor(1) as own:  # the caller may be in an event loop
            own.submit(asyncio.run, solve()).result()
        return replies

    def close(self) -> None:
        """Release processes and files."""
        self._held.close()

    def __enter__(self) -> Scorer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _known(self, task_id: str) -> str:
        if task_id not in self.tasks:
            raise UsageError(f"There is no task {quoted(task_id)} among the {len(self.tasks)} tasks of {self.dataset}.")
        return task_id

    def _score(self, answer: Answer) -> Result:
        return self.score(answer.task_id, answer.said, answer.epoch)

    def _setting(self, held: ExitStack, made: AbstractContextManager[Path] | None) -> SuiteSetting:
        wanted = self.wanted
        path = None if made is None else held.enter_context(made)
        if wanted.seed is not None:
            path = path or held.enter_context(made_tasks(wanted))
            options = _spelt(wanted.suite, settings_beside_made(wanted))
            return SuiteSetting(tasks=path, options=options, workers=self.jobs)
        dataset = wanted.dataset
        if dataset is None and wanted.tasks is None and wanted.difficulty is not None:
            # a suite may have a set with groups beside a default one without
            dataset = getattr(plugins.load(plugins.SUITES, wanted.suite), "grouped_dataset", None)
        options = _spelt(wanted.suite, dict(wanted.others))
        return SuiteSetting(dataset, wanted.tasks, options, workers=self.jobs)


def _checked_epoch(epoch: object) -> int:
    """Return the number of an attempt at a task. Raise UsageError for what is none: other tools check no types."""
    if isinstance(epoch, bool) or not isinstance(epoch, Integral) or epoch < 0:
        raise UsageError(f"epoch is {abbreviated(epoch)}: give a whole number of 0 or more.")
    return int(epoch)


def _spelt(suite: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings as the suite spells them. YAML reads the texts on and off as true and false."""
    switches = {option.name for option in suite_run_options(suite) or () if option.default in ("on", "off")}
    words = {"true": "on", "false": "off"}
    return {name: words.get(text, text) if name in switches else text for name, text in settings.items()}
