"""Tries a suite out and says where it departs from the contract: for authors of suites, as `check_env` of Gymnasium.

`herobench suites --check NAME` and `herobench.check_suite` call it. It looks at the declarations of the class, opens
the suite in each mode, asks it everything that a run asks, lets its players and some canned replies play its first
tasks (`check_attempts.py`), and makes tasks and twins. Each answer is held against the contract, as deep as it goes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

from herobench.data.errors import HeroBenchError, Problem, SuiteError, UsageError
from herobench.data.options import read_options
from herobench.data.plugin_values import type_fault
from herobench.data.rows import dump_row, write_rows
from herobench.suite.checked import open_suite, read_tasks, suite_class
from herobench.suite.contract import FreshSuite, Suite, SuiteSetting, TaskInfo, TurnLimit
from herobench.suite.generating import GenerateRequest, TaskGenerator
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
        from herobench.suite.check_attempts import look_at_attempts

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
