"""Tries a suite out and says where it departs from the contract: for authors of suites, as `check_env` of Gymnasium.

`herobench suites --check NAME` and `herobench.check_suite` call it. It looks at the declarations of the class, opens
the suite in each mode, asks it everything that a run asks, lets its players and some canned replies play its first
tasks, and makes tasks and twins. Each answer is held against the contract, as deep as it goes.

Each attempt is played to its end. Then its replies are replayed, as a resumed run does, in a suite that was opened
anew, and a fork goes on beside the attempt it was taken from: all of them have to be told the same and judged the same.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import cycle
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

from herobench.conversation import Message, Model, Reply, Request, Tool, ToolCall
from herobench.data.errors import HeroBenchError, Problem, SuiteError, UsageError
from herobench.data.options import read_options
from herobench.data.rows import dump_row, write_rows
from herobench.suite.checked import open_suite, read_tasks, suite_class
from herobench.suite.contract import (
    Attempt,
    Distance,
    FreshSuite,
    Help,
    Suite,
    SuiteSetting,
    TaskInfo,
    TurnLimit,
    Verdict,
)
from herobench.suite.generating import GenerateRequest, TaskGenerator
from herobench.suite.plugins import type_fault
from herobench.suite.validating import Certificates

Row = Mapping[str, Any]
_SEED = 7
_TEXTS = Mapping[str, str]


class Findings:
    """The departures from the contract that were found so far."""

    def __init__(self, suite: str) -> None:
        self.problems: list[Problem] = []
        self._suite = suite

    def add(self, member: str, expected: str, value: object) -> None:
        """Note a departure: the member of the contract, what was expected, and what was found. Each only once."""
        problem = Problem(f"suite {self._suite}", member, expected, value)
        if problem not in self.problems:
            self.problems.append(problem)

    def check(self, member: str, value: object, hint: Any, name: str = "it") -> bool:
        """Note a value that is not of a type. Return whether it is."""
        fault = type_fault(value, hint, name)
        if fault is not None:
            self.add(member, "a value of the type that the contract declares", fault)
        return fault is None

    def row(self, member: str, value: object) -> bool:
        """Note a value that is no mapping that JSON can say. Return whether it is one."""
        if not self.check(member, value, Mapping[str, Any]):
            return False
        with self.guard(member, "values that JSON can say") as is_sound:
            dump_row(dict(value))  # type: ignore[call-overload]
        return bool(is_sound)

    def equal(self, member: str, expected: str, one: object, other: object) -> None:
        """Note two values that should be equal, and are not."""
        if one != other:
            self.add(member, expected, other)

    @contextmanager
    def guard(self, member: str, expected: str = "no exception") -> Iterator[list[bool]]:
        """Note an exception of a call. The list that is given has an entry at the end if there was none."""
        sound: list[bool] = []
        try:
            yield sound
            sound.append(True)
        except HeroBenchError as error:
            self.add(member, expected, str(error))
        except (Exception, SystemExit) as error:
            self.add(member, expected, f"{type(error).__name__}: {error}")


class SuiteCheck:
    """One look at a suite. `problems` and the rows of the attempts that were played are there at the end."""

    def __init__(self, name: str, options: _TEXTS, tasks: int) -> None:
        self.findings = Findings(name)
        self.samples: list[dict[str, Any]] = []
        """What samples have of the attempts that were played: the task, its group, the verdict."""
        self._name, self._options, self._count = name, options, tasks

    def look(self) -> None:
        """Look at all of the suite. Raise UsageError if there is no such suite."""
        findings = self.findings
        try:
            kind = suite_class(self._name)
        except SuiteError as error:
            findings.add("class", "a class derived from herobench.suite.Suite, with sound declarations", str(error))
            return
        with findings.guard("class"):
            for member, hint in get_type_hints(Suite).items():
                if get_origin(hint) is ClassVar:
                    findings.check(member, getattr(kind, member), *get_args(hint))
            findings.check("names_files", kind.names_files("dataset", "x"), bool)
            findings.check("as_reply", kind.as_reply("x"), str)
            self._look_at_generator(kind)
            for mode in kind.modes or (None,):
                self._look_at_mode(kind, SuiteSetting(options=dict(self._options) | ({"mode": mode} if mode else {})))

    # -- a suite that is open -----------------------------------------------------------------------------------------

    def _look_at_mode(self, kind: type[Suite], setting: SuiteSetting) -> None:

        findings, mode = self.findings, setting.options.get("mode")
        with findings.guard(f"Suite({mode})" if mode else "Suite", "a suite that opens"):
            suite = open_suite(self._name, setting)
            with self._closing(suite):
                tasks = self._tasks(suite)
                if not tasks:
                    findings.add("tasks", "at least one task", [])
                    return
                self._look_at_answers(suite, kind, tasks)
                with findings.guard("prepare"):
                    suite.prepare()
                is_usual = mode in (None, *kind.modes[:1])
                players = suite.players if is_usual else suite.players[:1]
                with self._closing(open_suite(self._name, setting)) as again:
                    for task in tasks:
                        self.samples += look_at_attempts(findings, suite, again, task, players)
                if is_usual:
                    self._look_at_made(suite, tasks[0].id)

    @contextmanager
    def _closing(self, suite: Suite) -> Iterator[Suite]:
        try:
            yield suite
        finally:
            with self.findings.guard("close"):
                suite.close()

    def _tasks(self, suite: Suite) -> list[TaskInfo]:
        findings = self.findings
        tasks: list[TaskInfo] = []
        with findings.guard("tasks", "TaskInfos with different ids"):
            read_tasks(suite)
            tasks += read_tasks(suite, self._count)
            for task in tasks:
                if findings.check("tasks", task, TaskInfo, "a task"):
                    findings.row(f"tasks: row of {task.id}", task.row)
        return tasks

    def _look_at_answers(self, suite: Suite, kind: type[Suite], tasks: Sequence[TaskInfo]) -> None:
        """Look at what a run asks of a suite before it plays."""
        findings, ids = self.findings, [task.id for task in tasks]
        with findings.guard("identity"):
            identity = suite.identity(ids)
            findings.check("identity", identity, _TEXTS)
            findings.equal("identity", "the same for the same tasks", identity, suite.identity(ids))
        with findings.guard("files"):
            if findings.check("files", suite.files(), _TEXTS):
                self._look_at_resuming(suite, tasks)
        with findings.guard("ladder"):
            findings.check("ladder", suite.ladder(), Sequence[float])
        for task_id in ids:
            with findings.guard(f"turns of {task_id}"):
                limit = suite.turns(task_id)
                if limit is not None and not (isinstance(limit, TurnLimit) and limit.window > 0 and limit.most > 0):
                    findings.add("turns", "a TurnLimit of numbers from 1 on, or None", limit)
            with findings.guard(f"blank of {task_id}"):
                blank = suite.blank(task_id)
                if findings.row("blank", blank):
                    findings.check("blank", blank.get("schema"), int, "its schema")
                for column in suite.mistake_columns or ():
                    findings.check("mistake_columns", blank.get(column, ""), int | None, "the counts")
                if kind.length_column is not None:
                    findings.check("length_column", blank.get(kind.length_column), float | int | None, "the length")

    def _look_at_resuming(self, suite: Suite, tasks: Sequence[TaskInfo]) -> None:
        """Open the suite as a resumed run does: by the rows of its tasks, its options and its files."""
        findings, ids = self.findings, [task.id for task in tasks]
        with tempfile.TemporaryDirectory() as folder, findings.guard("files", "a suite that opens again by its files"):
            file = Path(folder, "tasks.jsonl")
            write_rows(file, [task.row for task in tasks])
            setting = SuiteSetting(tasks=file, options=dict(suite.options), files=suite.files())
            with self._closing(open_suite(self._name, setting)) as again:
                rows = [(task.id, task.row) for task in read_tasks(again)]
                before = [(task.id, dict(task.row)) for task in tasks]
                findings.equal("tasks", "the rows of its tasks file", before, rows)
                findings.equal("identity", "that of the run that is resumed", suite.identity(ids), again.identity(ids))

    # -- tasks that are made ------------------------------------------------------------------------------------------

    def _look_at_made(self, suite: Suite, task_id: str) -> None:
        """Make a private twin and a task by its number, if the suite can."""
        self._look_at_fresh("fresh", None, lambda: suite.fresh(_SEED, (task_id,)))
        if suite.ladder():
            self._look_at_fresh("make", "made/1", lambda: suite.make(_SEED, {"made/1": 0}))

    def _look_at_fresh(self, member: str, task_id: str | None, make: Callable[[], FreshSuite]) -> None:
        findings = self.findings
        made_tasks: list[list[tuple[str, Row]]] = []
        for _ in range(2):
            with findings.guard(member):
                try:
                    fresh = make()
                except UsageError:  # it makes none, or not of these tasks
                    return
                if not findings.check(member, fresh, FreshSuite):
                    return
                with self._closing(fresh.suite):
                    made_tasks.append([(task.id, dict(task.row)) for task in read_tasks(fresh.suite)])
                findings.equal(member, "one task, as was asked for", 1, len(made_tasks[-1]))
        if task_id is not None:
            findings.equal(member, "a task of the id that was asked for", [task_id], [id for id, _ in made_tasks[0]])
        findings.equal(member, "the same tasks for the same seed", *made_tasks)

    def _look_at_generator(self, kind: type[Suite]) -> None:
        """Make tasks by the suite's generator, and prove their certificates."""
        findings = self.findings
        with findings.guard("certificates"):
            certificates = kind.certificates()
            findings.check("certificates", certificates, Certificates | None)
        with findings.guard("generator"):
            generator = kind.generator()
            if generator is None or not findings.check("generator", generator, TaskGenerator):
                return
            findings.check("generator", generator.options, type, "its options")
            request = GenerateRequest(read_options(generator.options, {}), _SEED, 1, 1, ("count", "seed"))
            row = dict(next(iter(generator.make(request).rows)))
            findings.row("generator", row)
            lazy = generator.numbered(request)
            again = next(iter(generator.make(request).rows)) if lazy is None else lazy.make(lazy.numbers[0])
            findings.equal("generator", "the same task for the same request, also by its number", row, dict(again))
            if certificates is not None:
                faults = certificates.prove(certificates.tasks.read(row, "a made task"))
                findings.equal("certificates", "no faults of a task of the generator", [], list(faults))


# -- attempts ---------------------------------------------------------------------------------------------------------


_MOST_TURNS = 40
"""An attempt is judged after this many turns, if it is not over."""
_MOST_DISTANCES = 2
"""A distance may take long to work out."""
_Next = Callable[[Sequence[Message], Sequence[Tool]], Reply]


def look_at_attempts(
    findings: Findings, suite: Suite, again: Suite, task: TaskInfo, players: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Play attempts at a task. `again` is the same suite, opened a second time. Yield what samples have of each."""
    for name in players:
        with findings.guard(f"player({name!r})"):
            try:
                player: object = suite.player(name)
            except UsageError:  # it needs an argument
                continue
            if not isinstance(player, Model):
                findings.add(f"player({name!r})", "a model, with reply and close", type(player).__name__)
                continue
            with asyncio.Runner() as runner:
                yield from _play_twice(findings, suite, again, task, name, _asking(runner, player, task))
                runner.run(player.close())
    texts = cycle(["", "I do not know."])
    yield from _play_twice(findings, suite, again, task, "canned", lambda messages, tools: Reply(next(texts)))
    yield from _play_twice(findings, suite, again, task, "calls", _calling())


def _asking(runner: asyncio.Runner, player: Model, task: TaskInfo) -> _Next:
    return lambda messages, tools: runner.run(player.reply(Request(task.id, 0, tuple(messages), tuple(tools))))


def _calling() -> _Next:
    """Return replies that call the tools on offer by arguments that are no JSON, and tools that do not exist."""
    numbers = iter(range(_MOST_TURNS + 1))

    def reply(messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        number = next(numbers)
        names = [*(tool.name for tool in tools), "no_such_tool"]
        return Reply("", (ToolCall(f"call_{number}", names[number % len(names)], "{"),), stop="tool_calls")

    return reply


def _play_twice(
    findings: Findings, suite: Suite, again: Suite, task: TaskInfo, who: str, next_reply: _Next
) -> Iterator[dict[str, Any]]:
    with findings.guard(f"attempt at {task.id} of {who}"):
        attempt = suite.open(task.id, 0)
        if not findings.check("open", attempt, Attempt):
            return
        replies: list[Reply] = []
        messages = _play(findings, attempt, next_reply, replies)
        verdict = attempt.grade()
        if not _is_sound(findings, suite, task, verdict):
            return
        findings.equal("grade", "the same verdict when it is asked again", verdict, attempt.grade())
        # samples keep no more of a reply
        short = [replace(Reply(each.text, each.tool_calls, each.answer, each.reasoning, each.stop)) for each in replies]
        for other, how in ((suite, "a replay"), (again, "a replay in a suite that was opened anew")):
            replay = other.open(task.id, 0)
            findings.equal("step", f"the same messages in {how}", messages, _replay(replay, short))
            findings.equal("grade", f"the same verdict in {how}", verdict, replay.grade())
        _look_at_fork(findings, suite.open(task.id, 0), replies, messages, verdict)
        yield {
            "suite": suite.name,
            "task_id": task.id,
            "group": task.group,
            **asdict(verdict),
            "details": dict(verdict.details),
            "events": verdict.events,
            "replies": [each.as_row() for each in short],
        }


def _play(findings: Findings, attempt: Attempt, next_reply: _Next, replies: list[Reply]) -> list[Any]:
    """Play an attempt to its end. Return the messages of each turn, the opening first."""
    messages: list[Any] = [list(attempt.messages)]
    findings.check("messages", attempt.messages, Sequence[Message])
    conversation = messages[0]
    for turn in range(_MOST_TURNS):
        tools = attempt.tools
        if findings.check("tools", tools, Sequence[Tool]):
            for tool in tools:
                findings.row("tools", tool.parameters)
        if turn < _MOST_DISTANCES:
            _look_at_distance(findings, attempt)
        replies.append(next_reply(conversation, tools))
        news = attempt.step(replies[-1])
        messages.append(None if news is None else list(news))
        if news is None:
            break
        _look_at_news(findings, messages[-1], replies[-1])
        window = attempt.conversation
        findings.check("conversation", window, Sequence[Message] | None)
        conversation = [*conversation, replies[-1].as_message(), *news] if window is None else list(window)
    return messages


def _look_at_news(findings: Findings, news: Sequence[Message], reply: Reply) -> None:
    if not findings.check("step", news, Sequence[Message]):
        return
    calls = {call.id for call in reply.tool_calls}
    for message in news:
        if message.role == "tool" and message.call_id not in calls:
            findings.add("step", "tool messages that answer calls of the reply by their ids", message.call_id)
        if message.pictures and message.role != "user":
            findings.add("step", "pictures in messages of the user only", message.role)


def _look_at_distance(findings: Findings, attempt: Attempt) -> None:
    distance = attempt.distance()
    if distance is None or not findings.check("distance", distance, Distance):
        return
    if not 0 <= distance.least <= distance.most:
        findings.add("distance", "bounds from 0 on, the lower one first", asdict(distance))
    findings.equal("distance", "the same when it is asked again", distance, attempt.distance())


def _look_at_fork(
    findings: Findings, attempt: Attempt, replies: Sequence[Reply], messages: Sequence[Any], verdict: Verdict
) -> None:
    """Fork an attempt after its first turn, and play the fork and the attempt to the end."""
    if len(replies) < 2:
        return
    attempt.step(replies[0])
    twin = attempt.fork()
    if twin is None:
        return
    if twin is attempt or not isinstance(twin, Attempt):
        findings.add("fork", "another Attempt, or None", type(twin).__name__)
        return
    for each, how in ((attempt, "of the attempt beside its fork"), (twin, "of the fork")):
        rest = [None if news is None else list(news) for news in map(each.step, replies[1:])]
        findings.equal("fork", f"the same messages {how}", list(messages[2:]), rest)
        findings.equal("fork", f"the same verdict {how}", verdict, each.grade())


def _replay(attempt: Attempt, replies: Sequence[Reply]) -> list[Any]:
    messages: list[Any] = [list(attempt.messages)]
    for reply in replies:
        news = attempt.step(reply)
        messages.append(None if news is None else list(news))
    return messages


def _is_sound(findings: Findings, suite: Suite, task: TaskInfo, verdict: object) -> bool:
    """Look at a verdict and at what is asked about it. Return whether a sample could be made of it."""
    if not findings.check("grade", verdict, Verdict, "the verdict"):
        return False
    assert isinstance(verdict, Verdict)
    for name, value in (("score", verdict.score), ("progress", verdict.progress)):
        if value is not None and not (isfinite(value) and value >= 0):
            findings.add("grade", f"a {name} of 0 or more, in percent", value)
    if verdict.won and verdict.failure is not None:
        findings.add("grade", "no failure of a win", verdict.failure)
    if findings.row("grade: details", verdict.details):
        findings.equal("grade: details", "the columns of blank", sorted(suite.blank(task.id)), sorted(verdict.details))
    if verdict.events is not None and findings.row("grade: events", verdict.events):
        findings.check("grade: events", verdict.events.get("schema"), int, "their schema")
    help_had = type(suite).help(verdict.details)
    if help_had not in get_args(Help):
        findings.add("help", f"one of {', '.join(get_args(Help))}", help_had)
    findings.check("explain_loss", type(suite).explain_loss(verdict), tuple[Any, ...] | None)
    return isinstance(verdict.details, Mapping)
