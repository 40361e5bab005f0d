"""Plays the attempts of a run: agents ask for many at a time, and worker threads grade them meanwhile.

A session calls it. Every reply is durable before anything else happens to it; those that came with failures stand in
the row of their call, which is written after its last try. An attempt that was played leaves its place to the next one
and is graded beside the asking; its sample is written when it has a verdict. An attempt that is killed in between is
played again from the calls that were kept.

`run_to_end` runs the coroutine of a session in any thread that calls `herobench.run`. A notebook runs an event loop in
its own thread, in which no second one can run: the session gets a thread of its own. Signals reach the main thread
only, so a session in another thread has no handlers of its own.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from herobench.agents.agent import Agent, Unfinished
from herobench.conversation import Model, Reply
from herobench.data.errors import HeroBenchError, SuiteError
from herobench.models.model_error import ErrorKind, ModelError
from herobench.runs.asking import Asking, ModelChannel, guess_tokens
from herobench.runs.fitting import prompt_characters
from herobench.runs.folder import Key
from herobench.runs.journal import Journal, PlayedAttempt, measured_row, unmeasured_row
from herobench.runs.standing import Reason, Stopped
from herobench.suite.checked import read_blank
from herobench.suite.contract import Suite, TaskInfo
from herobench.suite.recorded import RecordedAttempt, where

_Result = TypeVar("_Result")

INTERRUPTED = 130
_TICK = 0.05
"""Seconds between two looks at whether another thread has ended."""
_ALONE = 2.0
"""The most seconds for which the first attempt of a session is asked alone."""
_LOOK = 0.005
"""Seconds between two looks at whether it has an answer."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_to_end(work: Coroutine[Any, Any, _Result], interrupt: Callable[[], object]) -> _Result:
    """Run a coroutine and return its result.

    `interrupt` is called in the event loop when Ctrl-C reaches this thread while another one runs the coroutine.
    """
    return _in_a_thread(work, interrupt) if _a_loop_runs() else asyncio.run(work)


def _a_loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _in_a_thread(work: Coroutine[Any, Any, _Result], interrupt: Callable[[], object]) -> _Result:
    outcome: Future[_Result] = Future()
    pressed, ended = threading.Event(), threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    def inside() -> None:
        try:
            with asyncio.Runner() as runner:
                loops.append(runner.get_loop())
                if pressed.is_set():
                    loops[0].call_soon(interrupt)
                result = runner.run(work)
        except BaseException as error:  # it is raised in the thread that waits
            outcome.set_exception(error)
        else:
            outcome.set_result(result)
        finally:
            ended.set()

    try:
        threading.Thread(target=inside, name="run").start()
        _wait(ended)
    except KeyboardInterrupt:
        pressed.set()
        for loop in loops:
            with suppress(RuntimeError):  # it has ended meanwhile
                loop.call_soon_threadsafe(interrupt)
        _wait(ended)
    return outcome.result()


def _wait(ended: threading.Event) -> None:
    """Wait without holding a lock: a signal could otherwise go unseen, or leave the lock held for ever."""
    while not ended.is_set():
        time.sleep(_TICK)


@contextmanager
def interrupts(interrupt: Callable[[], bool]) -> Iterator[None]:
    """Call `interrupt` at Ctrl-C and SIGTERM. Where it returns false, leave at once.

    Written files stay, and worker processes end with this one. Afterwards signals are handled as before.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def interrupted() -> None:
        if not interrupt():
            os._exit(INTERRUPTED)

    for number in _SIGNALS:
        loop.add_signal_handler(number, interrupted)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            if handler is not None:  # one that was not set from Python cannot be put back
                signal.signal(number, handler)


_HOPELESS = 10
"""The run stops when this many attempts in a row failed in a way that every attempt would, such as by a wrong key, or
were refused in the same words."""
_EVERYWHERE = "everywhere"
"""The common mark of failures that any attempt would meet. Failures of different kinds share it."""
_OURS = (ErrorKind.NO_ANSWER, ErrorKind.PLAYER)
"""Failures of recordings, players and plugins, which tell nothing about a server."""
_OF_TASKS = (ErrorKind.CONTEXT, ErrorKind.FILTERED)
"""Failures that other tasks may not meet."""
_MOST_UNGRADED = 1000
"""When this many attempts wait for their grades, asking waits too: replies must not fill the memory."""
_MOST_REASON = 1000
"""The most characters of an agent's reason to end an attempt: it may quote the model."""

Kept = Mapping[Key, Mapping[int, Mapping[str, Any]]]
"""The calls of earlier sessions, by attempt and by number in it."""


@dataclass(eq=False)
class Runner:
    """Plays the attempts that a run owes."""

    suite: Suite
    tasks: Mapping[str, TaskInfo]
    agent: Agent
    name: str
    """The model as the user named it."""
    line: ModelChannel
    samples: Journal
    connections: int
    jobs: int
    kept: Kept
    done: MutableMapping[Key, bool] = field(default_factory=dict)
    """The attempts that are measured, each with whether it was won."""
    _owed: deque[Key] = field(default_factory=deque)
    _failed_alike: int = 0
    _alike: object = None
    """The mark that the attempts which failed alike share."""
    _sizes: Mapping[str, int] = field(default_factory=dict)
    """The length of each task's first prompt, once one did not fit the model's context."""

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.jobs, thread_name_prefix="grading")
        self._ungraded = asyncio.Semaphore(_MOST_UNGRADED)
        self._stop, self._standing = self.line.stop, self.line.standing

    def take(self, suite: Suite, tasks: Mapping[str, TaskInfo], model: Model) -> None:
        """Work with a suite that has more tasks from now on, and its model."""
        self.suite, self.tasks, self.line = suite, tasks, replace(self.line, model=model)

    def close(self) -> None:
        """Let go of the threads that grade."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def work(self, owed: Iterable[Key]) -> None:
        """Play attempts until none is left or the run is stopped. Raise the error that ends the run."""
        self._owed.extend(owed)
        try:
            async with asyncio.TaskGroup() as group:
                await self._first_answer(group.create_task(self._ask_on(group)))
                for _ in range(min(self.connections - 1, len(self._owed))):
                    group.create_task(self._ask_on(group))
        except BaseExceptionGroup as failures:
            # the first failure is the cause: it cancels all other tasks
            raise failures.exceptions[0] from None

    async def _first_answer(self, first: asyncio.Task[None]) -> None:
        """Wait a moment for the first answer of a session, so that a page in place of a model is asked for once."""
        standing, until = self._standing, time.monotonic() + _ALONE
        while not (standing.replied or standing.measured or standing.unmeasured or first.done()):
            if time.monotonic() > until:
                return
            await asyncio.sleep(_LOOK)

    async def _ask_on(self, group: asyncio.TaskGroup) -> None:
        """Play one attempt after the other; `connections` tasks of this kind run at a time."""
        while self._owed and self._stop.reason is None:
            key = self._owed.popleft()
            try:
                await self._attempt(key, group)
            except Stopped:
                return

    async def _attempt(self, key: Key, group: asyncio.TaskGroup) -> None:
        attempt = RecordedAttempt(self.suite, *key)
        asking = Asking(self.line, *key, self.kept.get(key, {}), attempt.checked)
        played = PlayedAttempt(self.name, asking.totals, attempt.replies)
        try:
            lost = await _lost(self.agent, attempt, asking)
        except Unfinished as end:
            lost, played.unfinished = None, str(end)[:_MOST_REASON] or "the agent gives no reason"
            await _close(attempt, played.unfinished)
        # the agent may have caught these errors, or may have raised others because of them
        if impossible := attempt.failure or self.line.journal.failure:
            raise impossible
        await self.line.journal.flush()  # a sample never stands without the calls of its attempt
        if lost is not None:
            await self._give_up(key, lost, played)
            return
        # an attempt that was played shows that the server answers
        self._failed_alike = 0
        await self._ungraded.acquire()
        group.create_task(self._grade(key, attempt, played))

    async def _grade(self, key: Key, attempt: RecordedAttempt, played: PlayedAttempt) -> None:
        """Grade an attempt and write its sample."""
        task_id, epoch = key
        self._standing.grading += 1
        try:
            verdict = await asyncio.get_running_loop().run_in_executor(self._pool, attempt.grade)
            row = measured_row(self.tasks[task_id], epoch, self.suite.name, played, verdict)
            await self._write(row)
        finally:
            self._standing.grading -= 1
            self._ungraded.release()
        self.done[key] = verdict.won
        self._standing.measured += 1
        self._standing.wins += verdict.won
        self._tell(row)

    async def _give_up(self, key: Key, error: ModelError, played: PlayedAttempt) -> None:
        """Write the sample of an attempt that was not measured, and see if the others can be."""
        task_id, epoch = key
        blank = read_blank(self.suite, task_id)
        row = unmeasured_row(self.tasks[task_id], epoch, self.suite.name, played, error, blank)
        await self._write(row)
        self._standing.unmeasured += 1
        self._tell(row)
        alike = self._mark(error)
        if alike != self._alike or alike is None:
            self._failed_alike = 0
        self._failed_alike += alike is not None
        self._alike = alike
        cause = f"{error.message.rstrip('.')}."
        if error.kind is ErrorKind.CONTEXT and not (self._standing.replied or self.done):
            self._try_shortest(task_id, cause)
        if error.is_page and not self._standing.replied:
            self._stop.now("hopeless", cause)
        elif self._failed_alike >= _HOPELESS:
            reason: Reason = "unanswered" if alike in _OF_TASKS else "hopeless"
            self._stop.now(reason, f"{self._failed_alike} attempts in a row failed, the last one so: {cause}")

    def _try_shortest(self, task_id: str, cause: str) -> None:
        """Ask the task with the shortest prompt next. Stop the run if that does not fit the model's context either."""
        is_first = not self._sizes
        if is_first:
            self._sizes = {each: prompt_characters(self.suite, each) for each in self.tasks}
        shortest = min(self._sizes.values())
        if self._sizes[task_id] == shortest:
            tokens = guess_tokens(shortest, None).input
            sentence = f"Not even the shortest prompt, with about {tokens:,} tokens, fits the model's context: {cause}"
            advice = "Give the model a larger context, lower --max-tokens, or choose tasks with shorter prompts."
            self._stop.now("unanswered", f"{sentence} {advice}")
        elif is_first and (key := next((key for key in self._owed if self._sizes[key[0]] == shortest), None)):
            self._owed.remove(key)
            self._owed.appendleft(key)

    def _mark(self, error: ModelError) -> object:
        """Return the mark of failures of which ten in a row stop the run; None for a failure that stops nothing.

        Once a reply has come, only failures count that no task can be the reason for.
        """
        if error.everywhere:
            return _EVERYWHERE
        if error.kind is ErrorKind.REFUSED:
            return error.shape
        return None if self._standing.replied or error.kind in _OURS else error.kind

    async def _write(self, row: Mapping[str, Any]) -> None:
        """Write a sample. Raise SuiteError if JSON cannot say what the suite put into it."""
        try:
            await self.samples.append(row)
        except (TypeError, ValueError, RecursionError) as error:
            told = where(self.suite.name, row["task_id"], row["epoch"])
            raise SuiteError(f"{told}: {type(error).__name__}: {error}") from error

    def _tell(self, row: Mapping[str, Any]) -> None:
        told = ("task_id", "epoch", "status", "won", "score", "output_tokens", "cost", "error")
        self._standing.tell({"event": "sample", **self._standing.as_row(), **{name: row[name] for name in told}})


async def _lost(agent: Agent, attempt: RecordedAttempt, asking: Asking) -> ModelError | None:
    """Let an agent play an attempt. Return why the attempt cannot be measured; None when it can.

    Raise Unfinished when the agent ends the attempt early."""
    try:
        await agent.play(attempt, asking)
        if not attempt.replies:
            raise TypeError("it gave no reply to the attempt")
    except ModelError as error:
        return error
    except Unfinished:
        raise
    except (Exception, SystemExit) as error:
        return ModelError(ErrorKind.PLAYER, f"The agent raised {type(error).__name__}: {error}")
    return None


async def _close(attempt: RecordedAttempt, reason: str) -> None:
    """Give an attempt without a reply one that says why it has none: only an attempt with a reply can be judged."""
    if not attempt.replies and attempt.failure is None:
        with suppress(HeroBenchError):  # the attempt keeps a failure of its suite
            await asyncio.to_thread(attempt.step, Reply(f"No answer: {reason}.", stop="unfinished"))
