"""Opens suites and asks them: a suite may be code of others, and its faults must be told as its own.

What a class declares and what a suite says of itself are checked once, when it is opened. Every question to a suite is
asked within `suite_errors`, together with the first use of the answer: an exception there raises SuiteError with the
names of the suite and the call. `recorded.py` asks the attempts. `check.py` tries a suite out, thoroughly.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import is_dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.conversation import Model
from herobench.data.documents import json_object
from herobench.data.errors import (
    HeroBenchError,
    InputError,
    Problem,
    SandboxError,
    StoreError,
    SuiteError,
    UsageError,
    abbreviate,
)
from herobench.data.files import is_standard_input
from herobench.data.options import DeclaredOption, options_in, refuse_unknown
from herobench.data.rows import unread_lines
from herobench.suite import plugins
from herobench.suite.contract import Suite, SuiteSetting, TaskInfo, Verdict
from herobench.suite.plugins import type_fault
from herobench.suite.refusals import SuiteFault

if TYPE_CHECKING:
    from herobench.work.rows import RowWork

_EXPLAINED = (InputError, UsageError, StoreError, SandboxError, SuiteError)
"""Errors that a suite may raise: they tell the user what to do. A ModelError would be taken for a failure of the model
that is measured."""
_OPTION_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def open_suite(name: str, setting: SuiteSetting) -> Suite:
    """Make a suite by the name of its entry point. Raise UsageError when there is none, SuiteError when it fails."""
    kind = suite_class(name)
    refuse_undeclared(name, setting.options)
    try:
        with telling_foreign(name, setting.tasks):
            suite = kind(setting)
        if suite.name != name:  # the run keeps the name, and could never be resumed
            raise SuiteError(f"The suite {name} calls itself {suite.name!r}: it needs the name of its entry point.")
    except (HeroBenchError, OSError):
        raise
    except (Exception, SystemExit) as error:
        raise SuiteError(f"The suite {name} cannot be opened: {type(error).__name__}: {error}") from error
    return refuse_untold(suite)


def open_chosen(name: str, setting: SuiteSetting) -> Suite:
    """Open a suite on the dataset or the tasks file that a user chose. Raise UsageError if the suite reads none.

    The name of what it opened tells: that of the dataset, with its version, or that of the file."""
    suite = open_suite(name, setting)
    chosen_name = setting.tasks_name or setting.dataset
    is_version = setting.tasks is None and suite.dataset.startswith(f"{chosen_name}-v")
    if chosen_name is None or chosen_name == suite.dataset or is_version:
        return suite
    close_suite(suite)
    if setting.tasks is not None:
        raise UsageError(SuiteFault.NO_TASKS_FILES, suite=name, dataset=suite.dataset)
    raise UsageError(SuiteFault.NO_DATASET, suite=name, datasets=f"dataset {suite.dataset}", name=chosen_name)


@contextmanager
def telling_foreign(name: str, tasks: Path | None) -> Iterator[None]:
    """Raise one InputError with the right suite if another suite can read a tasks file that this one cannot."""
    try:
        yield
    except InputError:
        if tasks is None or not tasks.is_file():
            raise
        others = (other for other in plugins.names(plugins.SUITES) if other != name and _owns(other, tasks))
        if (right := next(others, None)) is None:
            raise
        advice = f"they are of the suite {right}: add --suite {right}"
        raise InputError([Problem(str(tasks), "", f"tasks of the suite {name}", advice=advice)]) from None


def _owns(name: str, tasks: Path) -> bool:
    """Return whether a suite reads a tasks file, or would if no line were broken. An exception is a no."""
    try:
        kind = suite_class(name)
        if first_row(tasks).keys().isdisjoint(kind.task_fields):
            with closing_suite(kind(SuiteSetting(tasks=tasks))) as suite:
                read_tasks(suite)
    except (Exception, SystemExit):
        return False
    return True


_FIRST_LINES = 10
"""The lines of a file among which its first row is looked for: some may be broken."""


def first_row(tasks: str | os.PathLike[str]) -> Mapping[str, Any]:
    """Return the first row of a file, or of the first file in a folder. It is empty if none is near the beginning.

    Whoever reads the file tells what is wrong with it.
    """
    with suppress(HeroBenchError, OSError, ValueError):
        file = next(iter(sorted(Path(tasks).glob("*.jsonl"))), Path(tasks))
        rows = (json_object(line) for _, line in islice(unread_lines(file), _FIRST_LINES))
        return next((row for row in rows if row), {})
    return {}


def refuse_untold(suite: Suite) -> Suite:
    """Return a suite that says what it is. Close any other, and raise SuiteError."""
    try:
        for call, hint in (("dataset", str), ("options", Mapping[str, str]), ("players", Sequence[str])):
            with suite_errors(suite.name, call):
                if fault := type_fault(getattr(suite, call), hint, "it"):
                    raise TypeError(fault)
    except BaseException:  # its processes must not outlive it
        close_suite(suite)
        raise
    return suite


@contextmanager
def closing_suite(suite: Suite) -> Iterator[Suite]:
    """Give a suite, and close it at the end."""
    try:
        yield suite
    finally:
        close_suite(suite)


def close_suite(suite: Suite) -> None:
    """Release what a suite holds. A failure here does not hide an error that is on its way."""
    earlier = sys.exception()
    try:
        with suite_errors(suite.name, "close"):
            suite.close()
    except HeroBenchError:
        if earlier is None:
            raise


def suite_class(name: str) -> type[Suite]:
    """Return the class of a suite. Raise UsageError if there is no such suite, SuiteError if one of its declarations is
    invalid."""
    kind = plugins.load(plugins.SUITES, name)
    if not isinstance(kind, type) or not issubclass(kind, Suite):
        words = f"the class {kind.__name__}" if isinstance(kind, type) else f"a {type(kind).__name__}"
        raise SuiteError(f"The suite {name} is {words}, and has to be a class derived from herobench.suite.Suite.")
    for what, texts in (("modes", kind.modes), ("datasets", kind.datasets)):
        if not isinstance(texts, tuple) or not all(isinstance(text, str) for text in texts):
            raise SuiteError(
                f"The suite {name} lists its {what} as {abbreviate(texts)}, which is not a tuple of texts."
            )
    _check_options(name, kind.run_options)
    return kind


def answer_work(name: str, setting: SuiteSetting) -> RowWork | None:
    """Return what scores answers files of a suite; None if it has no rows of its own for them."""
    with suite_errors(name, "answer_work"), telling_foreign(name, setting.tasks):
        return suite_class(name).answer_work(setting)


def explain_loss(name: str, verdict: Verdict) -> tuple[str | None, int | None]:
    """Return why a verdict is no win, and the line or call of the plan; None for what the suite cannot say."""
    with suite_errors(name, "explain_loss"):
        cause, line = (None if verdict.won else suite_class(name).explain_loss(verdict)) or (None, None)
        if not isinstance(cause, str | None) or not isinstance(line, int | None):
            raise TypeError(f"its explanation is {abbreviate((cause, line))}, not a text and a number")
        return cause, line


def is_tasks_file(name: str, text: str) -> bool:
    """Return whether a text means a tasks file, and not a dataset of the suite: a shipped name wins over a path."""
    may_be_file = is_standard_input(text) or Path(text).suffix != "" or Path(text).exists()
    return may_be_file and text not in suite_class(name).datasets


def settings_of_files(name: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings whose texts name files or folders. A suite tells by `names_files` which of its own do."""
    names_files = suite_class(name).names_files
    with suite_errors(name, "names_files"):
        return {
            option: text
            for option, text in settings.items()
            if not {"/", "\\"}.isdisjoint(text) or names_files(option, text)
        }


def run_tables(name: str) -> tuple[type, ...] | None:
    """Return the tables of the settings that a suite declares; None if it takes any."""
    return suite_class(name).run_options


def declared_options(name: str) -> dict[str, DeclaredOption] | None:
    """Return the settings that a suite declares, by name; None if it takes any."""
    tables = run_tables(name)
    return None if tables is None else {field.name: field for table in tables for field in options_in(table)}


def _check_options(name: str, tables: object) -> None:
    """Raise SuiteError for settings that cannot be options of a command."""
    if tables is None:
        return
    if not isinstance(tables, tuple) or not all(map(is_dataclass, tables)):
        raise SuiteError(
            f"The suite {name} declares run_options {abbreviate(tables)}, which is not a tuple of dataclasses."
        )
    for option, times in Counter(field.name for table in tables for field in options_in(table)).items():
        if times > 1 or not _OPTION_NAME.fullmatch(option):
            raise SuiteError(f"The suite {name} declares an option {option!r}: give it one name such as max-turns.")


def refuse_undeclared(name: str, settings: Mapping[str, str]) -> None:
    """Raise UsageError for a setting that a suite does not declare, if it declares any."""
    options = declared_options(name)
    if options is not None:
        # a run names the mode of every suite that has modes
        refuse_unknown(settings, {**options, "mode": None} if suite_class(name).modes else options, f"the suite {name}")


def suite_errors(suite: str, call: str) -> AbstractContextManager[None]:
    """Name a suite and one of its calls in place of any exception, as `plugin_errors` does."""
    return plugin_errors(f"The suite {suite} failed in {call}")


@contextmanager
def plugin_errors(where: str) -> Iterator[None]:
    """Raise SuiteError in place of any exception, except errors of this package that explain themselves."""
    try:
        yield
    except _EXPLAINED:
        raise
    except (Exception, SystemExit) as error:  # an exit of a plugin must not end a run as if all went well
        raise SuiteError(f"{where}: {type(error).__name__}: {error}") from error


# -- questions to an open suite ---------------------------------------------------------------------------------------


def read_tasks(suite: Suite, first: int | None = None) -> list[TaskInfo]:
    """Return all tasks of the dataset in their order, or the first ones: more are not read then."""
    with suite_errors(suite.name, "tasks"):
        tasks = list(islice(suite.tasks(), first))
        for task in tasks:
            if not (isinstance(task, TaskInfo) and isinstance(task.id, str)):
                raise TypeError(f"a task is {abbreviate(task)}, not a TaskInfo whose id is a text")
        for task_id, times in Counter(task.id for task in tasks).most_common(1):
            if times > 1:
                raise ValueError(f"{times} tasks have the id {task_id!r}, so all but one of them would be lost")
        return tasks


def read_identity(suite: Suite, task_ids: Iterable[str]) -> dict[str, str]:
    """Return digests and editions that the replies to these tasks, or their scores, depend on."""
    with suite_errors(suite.name, "identity"):
        return _texts(suite.identity(tuple(task_ids)))


def read_files(suite: Suite) -> dict[str, str]:
    """Return files for the run's folder, by name."""
    with suite_errors(suite.name, "files"):
        files = _texts(suite.files())
        for text in files.values():
            text.encode()  # raises for half a surrogate pair, which no file can hold
        return files


def read_blank(suite: Suite, task_id: str) -> dict[str, Any]:
    """Return the `details` of an attempt that was not measured."""
    with suite_errors(suite.name, f"blank({task_id!r})"):
        return dict(suite.blank(task_id))


def load_player(suite: Suite, name: str) -> Model:
    """Return a player by its name."""
    with suite_errors(suite.name, f"player({name!r})"):
        player = suite.player(name)
        if not isinstance(player, Model):
            raise TypeError(f"it returned a {type(player).__name__}, which has no reply or no close")
        return player


def task_lengths(suite: Suite, task_ids: Iterable[str]) -> dict[str, float]:
    """Return the lengths of tasks, by which tasks are chosen. Raise UsageError when one has none."""
    column = suite_class(suite.name).length_column
    if column is None:
        raise UsageError(SuiteFault.NO_LENGTHS, suite=suite.name)
    lengths = {task_id: read_blank(suite, task_id).get(column) for task_id in task_ids}
    if lacking := [task_id for task_id, length in lengths.items() if not length]:
        raise UsageError(f"Tasks are chosen by their lengths, and {lacking[0]} has none: it has no certificate.")
    return {task_id: float(length) for task_id, length in lengths.items() if length}


def _texts(value: Any) -> dict[str, str]:
    if fault := type_fault(value, Mapping[str, str], "it"):
        raise TypeError(fault)
    return dict(value)
