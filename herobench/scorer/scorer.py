"""Scores replies to the tasks of a suite. Threads may share one scorer."""

from __future__ import annotations

import asyncio
import atexit
import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache, partial
from numbers import Integral
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from herobench.conversation import Message, Reply, Request
from herobench.data.errors import LONGEST_MISSPELT, UsageError, abbreviate, quoted
from herobench.data.options import DeclaredOption, options_in, read_options
from herobench.data.rows import write_rows
from herobench.scorer.play import Play, Result, Said, as_reply, one_by_one, split_turns
from herobench.scorer.query import OWN, TaskQuery
from herobench.scorer.refusals import ScorerFault
from herobench.suite.checked import (
    closing_suite,
    declared_options,
    load_player,
    open_chosen,
    read_identity,
    read_tasks,
    suite_class,
    task_lengths,
)
from herobench.suite.contract import Distance, SuiteSetting, TaskInfo
from herobench.suite.generating import GenerateRequest, TaskGenerator, load_generator
from herobench.suite.recorded import replay
from herobench.work.engine import threaded


def refuse_unknown(query: TaskQuery) -> None:
    """Raise UsageError for an unknown knob. A suite that declares no settings checks them itself."""
    own_options = declared_options(query.suite)
    if own_options is None:
        return
    settings = list(own_options)
    if suite_class(query.suite).modes and "mode" not in settings:
        settings.append("mode")
    others = [name for name, _ in query.others if name not in settings]
    if not others:  # a generator is slow to load
        return
    generator = load_generator(query.suite)
    of_generator = [name for name in _options(generator) if name not in settings] if generator else []
    for name in others:
        if name not in of_generator:
            raise UsageError(_unknown(query.suite, name, settings, of_generator))
        if query.seed is None:
            raise UsageError(ScorerFault.KNOB_WITHOUT_SEED, name=_in_options(name))


def _options(generator: TaskGenerator) -> dict[str, DeclaredOption]:
    return {field.name: field for field in options_in(generator.options)}


def _unknown(suite: str, name: str, settings: list[str], of_generator: list[str]) -> str:
    """Return the message for an unknown knob."""
    # The difficulty of a generator is listed among the knobs of all suites.
    anew = [_in_options(each) for each in of_generator if each not in OWN]
    names = [*OWN, *map(_in_options, settings), *anew]
    near = get_close_matches(_in_options(name)[:LONGEST_MISSPELT], names, 1)
    parts = [
        f"there are {', '.join(OWN)}",
        f"of the suite {suite} {', '.join(map(_in_options, settings))}" if settings else "",
        f"with a seed {', '.join(anew)}" if anew else "",
    ]
    words = "; ".join(filter(None, parts))
    advice = f"is {near[0]} meant? {words[0].upper()}{words[1:]}" if near else words
    return f"There is no knob {quoted(_in_options(name))}: {advice}."


def _in_options(name: str) -> str:
    """Return the spelling of a knob for other tools, most of which accept only Python names."""
    return name.replace("-", "_")


MADE = 100
"""The number of tasks that are made by default."""


@contextmanager
def make_tasks(query: TaskQuery) -> Iterator[Path]:
    """Make the wanted tasks as a file, which is there for as long as the context. Its name tells the set.

    Raise UsageError for a suite or a knob that does not allow it.
    """
    generator = _generator(query)
    texts = _split_options(query, generator)[0]
    jobs = query.jobs or os.cpu_count() or 1
    assert query.seed is not None
    values: Any = read_options(generator.options, texts)
    dataset = generator.make(GenerateRequest(values, query.seed, query.count or MADE, jobs, tuple(texts)))
    with TemporaryDirectory(prefix="herobench-") as folder:
        path = Path(folder, f"{query.suite}-seed-{query.seed}.jsonl")
        write_rows(path, dataset.rows)
        yield path


def _generator(query: TaskQuery) -> TaskGenerator:
    generator = load_generator(query.suite)
    if generator is None:
        raise UsageError(f"The suite {query.suite} makes no tasks: leave out the seed.")
    return generator


def _split_options(query: TaskQuery, generator: TaskGenerator) -> tuple[dict[str, str], dict[str, str]]:
    """Return the texts of the generator's options, and the settings for the suite, such as the world of both."""
    options = _options(generator)
    texts = {name: text for name, text in query.others if name in options}
    if query.difficulty is not None:
        texts[_knob("difficulty", [name for name in options if name == "difficulty"], query)] = query.difficulty
    if query.length is not None:
        lengths = [name for name, field in options.items() if field.option and field.option.is_length]
        texts[_knob("length", lengths, query)] = query.length
    own = declared_options(query.suite) or {}
    return texts, {name: text for name, text in query.others if name in own or name not in options}


def _knob(name: str, options: list[str], query: TaskQuery) -> str:
    if not options:
        raise UsageError(ScorerFault.NO_SUCH_KNOB, suite=query.suite, name=name)
    return options[0]


_MOST_TURNS = 10_000
"""The most turns of an oracle, so that none plays for ever."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a model to a task: one turn, or all of its turns."""

    task_id: str
    said: Said | Sequence[Said]
    epoch: int = 0


Prefix = int | Sequence[Said]
_WAYS, _STARTS = 256, 10_000
"""The most plans of the oracle, and distances of starts, that are cached."""


class Scorer:
    """An open suite with the chosen tasks. Use it in a `with` statement, or close it."""

    def __init__(self, query: TaskQuery | None = None) -> None:
        """Open the suite. Raise UsageError or InputError if that fails."""
        self.query = query or TaskQuery()
        refuse_unknown(self.query)
        self.jobs = self.query.jobs or os.cpu_count() or 1
        self._stack = ExitStack()
        with ExitStack() as stack:
            setting = self._setting(stack)
            self._suite = stack.enter_context(closing_suite(open_chosen(self.query.suite, setting)))
            self.dataset = self._suite.dataset
            self.tasks: Mapping[str, TaskInfo] = self.query.select({task.id: task for task in read_tasks(self._suite)})
            self._stack = stack.pop_all()
        self._way = lru_cache(_WAYS)(self._kept_way)
        self._from_start = lru_cache(_STARTS)(self._kept_from_start)

    @property
    def suite(self) -> str:
        """The name of the suite."""
        return self._suite.name

    @property
    def identity(self) -> Mapping[str, str]:
        """The digests and editions that scores depend on."""
        return read_identity(self._suite, self.tasks)

    @property
    def lengths(self) -> Mapping[str, float]:
        """The lengths of the tasks by id, for a `Frontier`. Raise UsageError when a task has none."""
        return task_lengths(self._suite, self.tasks)

    @property
    def mistake_columns(self) -> tuple[str, str] | None:
        """The columns of details that count decisions and mistakes; None for a suite that judges no decisions."""
        return self._suite.mistake_columns

    def play(self, task_id: str, epoch: int = 0, prefix: Prefix = ()) -> Play:
        """Start an attempt, after the turns of a prefix if there is one.

        A prefix may be a number N: the first N calls of the oracle's plan, or for -N all calls but the last N. Raise
        UsageError when there is no such task or epoch, or when the prefix ends the attempt.
        """
        task_id, epoch = self._check_id(task_id), _checked_epoch(epoch)
        turns = self._prefix_turns(task_id, epoch, prefix)
        from_start = partial(self._from_start, task_id, epoch)
        return Play(self._suite, task_id, epoch, turns, from_start, of_oracle=isinstance(prefix, int))

    def _prefix_turns(self, task_id: str, epoch: int, prefix: Prefix) -> Sequence[Said]:
        """Return the turns of a prefix. Raise UsageError if it is no prefix."""
        if isinstance(prefix, int) and not isinstance(prefix, bool):
            return self.way(task_id, epoch)[:prefix]
        any_prefix: object = prefix  # by trainers, which check no types
        if not isinstance(any_prefix, list | tuple):
            raise UsageError(ScorerFault.BAD_PREFIX, prefix=abbreviate(any_prefix))
        return list(split_turns(any_prefix))

    def way(self, task_id: str, epoch: int = 0) -> Sequence[Reply]:
        """Return the replies of the oracle, split so that each has at most one call. Raise as `solution` does."""
        return self._way(task_id, epoch)

    def _kept_way(self, task_id: str, epoch: int) -> Sequence[Reply]:
        return [turn for reply in self.solution(task_id, epoch) for turn in one_by_one(reply)]

    def _kept_from_start(self, task_id: str, epoch: int) -> Distance | None:
        return Play(self._suite, task_id, epoch).distance()

    def opening(self, task_id: str) -> Sequence[Message]:
        """Return the messages that open a task."""
        return self.play(task_id).conversation

    def score(self, task_id: str, answer: Said | Sequence[Said], epoch: int = 0) -> Result:
        """Return the result of an answer. Turns after the end of the attempt are ignored."""
        # Unlike `play`, this renders no prompt, which costs a sixth of the time.
        turns = [as_reply(turn) for turn in split_turns(answer)] or [Reply("")]
        epoch = _checked_epoch(epoch)
        attempt = replay(self._suite, self._check_id(task_id), epoch, turns)
        return Result(self._suite.name, task_id, epoch, attempt.grade())

    def score_all(self, answers: Iterable[Answer]) -> Generator[Result]:
        """Yield the results of answers in order. Close the generator if you do not exhaust it."""
        yield from threaded(self._score, answers, self.jobs)

    def solution(self, task_id: str, epoch: int = 0) -> Sequence[Reply]:
        """Return the replies of the oracle. Raise UsageError if the suite has no oracle, or it does not end."""
        player, play = load_player(self._suite, "oracle"), self.play(task_id, epoch)
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

        with ThreadPoolExecutor(1) as own:  # the caller may run in an event loop
            own.submit(asyncio.run, solve()).result()
        return replies

    def close(self) -> None:
        """Release processes and files."""
        self._stack.close()

    def __enter__(self) -> Scorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_id(self, task_id: str) -> str:
        if task_id not in self.tasks:
            raise UsageError(ScorerFault.NO_TASK, task_id=quoted(task_id), count=len(self.tasks), dataset=self.dataset)
        return task_id

    def _score(self, answer: Answer) -> Result:
        return self.score(answer.task_id, answer.said, answer.epoch)

    def _setting(self, stack: ExitStack) -> SuiteSetting:
        query = self.query
        if query.seed is not None:
            path = stack.enter_context(make_tasks(query))
            options = _split_options(query, _generator(query))[1]
            return SuiteSetting(tasks=path, options=options, workers=self.jobs)
        return SuiteSetting(query.dataset, query.tasks, dict(query.others), workers=self.jobs)


def _checked_epoch(epoch: object) -> int:
    """Return the epoch as an integer. Raise UsageError for other values, since other tools check no types."""
    if isinstance(epoch, bool) or not isinstance(epoch, Integral) or epoch < 0:
        raise UsageError(ScorerFault.BAD_EPOCH, epoch=abbreviate(epoch))
    return int(epoch)


_lock = Lock()
_open: dict[tuple[int, TaskQuery], Scorer] = {}


def shared_scorer(query: TaskQuery) -> Scorer:
    """Return this process's scorer for a query. It is opened once, and closed at the end of the process."""
    # A forked trainer inherits this dictionary, but cannot use the worker processes of its parent.
    key = os.getpid(), query
    with _lock:
        if key not in _open:
            _open[key] = Scorer(query)
        return _open[key]


@atexit.register
def close_shared() -> None:
    """End the scorers of this process. The next call opens new ones."""
    with _lock:
        for key in [key for key in _open if key[0] == os.getpid()]:
            _open.pop(key).close()


def _renew_lock() -> None:
    """Give a forked process a new lock, since another thread of the parent may have held the old one."""
    global _lock
    _lock = Lock()


os.register_at_fork(after_in_child=_renew_lock)
