"""Opens suites, and checks every call into them: a suite is code of others, and its faults must be told as its own.

A call that raises, or returns what the contract does not allow, raises SuiteError with the names of the suite and the
call. The calls of an attempt are checked by `recorded.py`, which names the attempt as well.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from herobench.conversation import Model
from herobench.data.errors import (
    HeroBenchError,
    InputError,
    SandboxError,
    StoreError,
    SuiteError,
    UsageError,
    abbreviated,
)
from herobench.data.rows import dump_row
from herobench.data.typecheck import declared, mapping
from herobench.suite import plugins
from herobench.suite.contract import Attempt, FreshSuite, Option, Suite, SuiteSetting, TaskInfo, TurnLimit

if TYPE_CHECKING:
    from herobench.work.rows import RowWork

_EXPLAINED = (InputError, UsageError, StoreError, SandboxError, SuiteError)
"""Errors that a suite may raise: they tell the user what to do. A ModelError would be taken for a failure of the model
that is measured."""
_OWN_SUITES = "herobench.suites."
_OPTION_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def open_suite(name: str, setting: SuiteSetting) -> CheckedSuite:
    """Make a suite by the name of its entry point. Raise UsageError when there is none, SuiteError when it fails."""
    kind = suite_class(name)
    _refuse_undeclared(name, setting.options)
    try:
        suite = kind(setting)
        if suite.name != name:  # the run keeps the name, and could never be resumed
            raise SuiteError(f"The suite {name} calls itself {suite.name!r}: it needs the name of its entry point.")
    except (HeroBenchError, OSError):
        raise
    except (Exception, SystemExit) as error:
        raise SuiteError(f"The suite {name} cannot be opened: {type(error).__name__}: {error}") from error
    return CheckedSuite(suite)


def suite_class(name: str) -> type[Suite]:
    """Return the class of a suite. Raise UsageError if there is no such suite, SuiteError if one of its declarations is
    invalid."""
    kind = plugins.load(plugins.SUITES, name)
    if not isinstance(kind, type) or not issubclass(kind, Suite):
        found = f"the class {kind.__name__}" if isinstance(kind, type) else f"a {type(kind).__name__}"
        raise SuiteError(f"The suite {name} is {found}, and has to be a class derived from herobench.suite.Suite.")
    for what, texts in (("modes", kind.modes), ("datasets", kind.datasets)):
        if not isinstance(texts, tuple) or not all(isinstance(text, str) for text in texts):
            raise SuiteError(
                f"The suite {name} lists its {what} as {abbreviated(texts)}, which is not a tuple of texts."
            )
    _check_options(name, kind.run_options)
    return kind


def task_lengths(suite: Suite, task_ids: Iterable[str]) -> dict[str, float]:
    """Return the lengths of tasks, by which tasks are chosen. Raise UsageError when one has none."""
    column = suite_class(suite.name).length_column
    if column is None:
        raise UsageError(f"Tasks are chosen by their lengths, and those of the suite {suite.name} have none.")
    found = {task_id: suite.blank(task_id).get(column) for task_id in task_ids}
    if lacking := [task_id for task_id, length in found.items() if not length]:
        raise UsageError(f"Tasks are chosen by their lengths, and {lacking[0]} has none: it has no certificate.")
    return {task_id: float(length) for task_id, length in found.items() if length}


def answer_work(name: str, setting: SuiteSetting) -> RowWork | None:
    """Return what scores answers files of a suite; None if it has no rows of its own for them."""
    with suite_errors(f"The suite {name} failed in answer_work"):
        return suite_class(name).answer_work(setting)


def settings_of_files(name: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings whose texts name files or folders. A suite tells by `names_files` which of its own do."""
    names_files = suite_class(name).names_files
    with suite_errors(f"The suite {name} fails in names_files"):
        return {
            option: text
            for option, text in settings.items()
            if not {"/", "\\"}.isdisjoint(text) or names_files(option, text)
        }


def _check_options(name: str, options: object) -> None:
    """Raise SuiteError for settings that cannot be options of a command."""
    if options is None:
        return
    if not isinstance(options, tuple) or not all(isinstance(option, Option) for option in options):
        raise SuiteError(
            f"The suite {name} declares run_options {abbreviated(options)}, which is not a tuple of Options."
        )
    for option, times in Counter(option.name for option in options).items():
        if times > 1 or not _OPTION_NAME.fullmatch(option):
            raise SuiteError(f"The suite {name} declares an option {option!r}: give it one name such as max-turns.")


def _refuse_undeclared(name: str, given: Mapping[str, str]) -> None:
    """Raise UsageError for a setting that a suite does not declare, if it declares any."""
    kind = suite_class(name)
    if kind.run_options is None:
        return
    known = [option.name for option in kind.run_options]
    # a run names the mode of every suite that has modes
    allowed = {*known, "mode"} if kind.modes else set(known)
    if foreign := sorted(given.keys() - allowed):
        its = f"its options are {', '.join(known)}" if known else "it has none"
        raise UsageError(f"The suite {name} has no option {foreign[0]!r}: {its}.")


@contextmanager
def suite_errors(where: str) -> Iterator[None]:
    """Raise SuiteError in place of any exception of a suite, except errors of this package that explain themselves."""
    try:
        yield
    except _EXPLAINED:
        raise
    except (Exception, SystemExit) as error:  # an exit of a plugin must not end a run as if all went well
        raise SuiteError(f"{where}: {type(error).__name__}: {error}") from error


class CheckedSuite(Suite):
    """A suite whose calls are checked."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self.name = suite.name
        try:
            with self._call("dataset"):
                self.dataset = _text(suite.dataset, "it")
            with self._call("options"):
                self.options = _texts(suite.options)
            with self._call("players"):
                self.players = _names(suite.players)
        except BaseException:  # its processes must not outlive it
            self.close()
            raise

    def tasks(self, first: int | None = None) -> Sequence[TaskInfo]:
        """Return all tasks of the dataset in their order, or the first ones: more are not read then.

        Rows of this package's own suites are not checked again: each was read from JSON and checked by its schema.
        """
        with self._call("tasks"):
            tasks = list(islice(self._suite.tasks(), first))
            if not type(self._suite).__module__.startswith(_OWN_SUITES):
                for task in tasks:
                    _refuse_unkeepable(task)
            for task_id, times in Counter(task.id for task in tasks).most_common(1):
                if times > 1:
                    raise ValueError(f"{times} tasks have the id {task_id!r}, so all but one of them would be lost")
            return tasks

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return digests and editions that the replies to these tasks, or their scores, depend on."""
        with self._call("identity"):
            return _texts(self._suite.identity(task_ids))

    def files(self) -> Mapping[str, str]:
        """Return files for the run's folder, by name."""
        with self._call("files"):
            files = _texts(self._suite.files())
            for text in files.values():
                text.encode()  # raises for half a surrogate pair, which no file can hold
            return files

    def prepare(self) -> None:
        """Start what grading needs."""
        with self._call("prepare"):
            self._suite.prepare()

    def open(self, task_id: str, epoch: int) -> Attempt:
        """Start an attempt. Nothing is checked here: `RecordedAttempt` opens it and checks all calls of it."""
        return self._suite.open(task_id, epoch)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the `details` of an attempt that was not measured."""
        with self._call(f"blank({task_id!r})"):
            blank = dict(mapping(self._suite.blank(task_id)))
            dump_row(blank)  # raises for what JSON cannot say
            return blank

    def turns(self, task_id: str) -> TurnLimit | None:
        """Return how long an attempt at a task can become."""
        with self._call(f"turns({task_id!r})"):
            found = self._suite.turns(task_id)
            return None if found is None else declared(found, TurnLimit, "it")

    def player(self, name: str) -> Model:
        """Return a player by its name."""
        with self._call(f"player({name!r})"):
            player = self._suite.player(name)
            if not all(callable(getattr(player, call, None)) for call in ("reply", "close")):
                raise TypeError(f"it returned a {type(player).__name__}, which has no reply or no close")
            return player

    def fresh(self, seed: int, task_ids: Sequence[str]) -> FreshSuite:
        """Return a suite on private twins of these tasks. Raise UsageError for a suite that makes none."""
        with self._call("fresh"), _made_suite(self._suite.fresh(seed, task_ids)) as made:
            if (count := len([*made.suite.tasks()])) != len(task_ids):
                raise ValueError(f"it made {count} twins of {len(task_ids)} tasks")
            return made

    def ladder(self) -> Sequence[float]:
        """Return the length of each task that `make` can make, by its number."""
        with self._call("ladder"):
            return [float(length) for length in self._suite.ladder()]

    def make(self, seed: int, numbers: Mapping[str, int]) -> FreshSuite:
        """Return a suite with new tasks of these numbers, by their ids."""
        with self._call("make"), _made_suite(self._suite.make(seed, numbers)) as made:
            if [task.id for task in made.suite.tasks()] != [*numbers]:
                raise ValueError("it made tasks of other ids than were asked for")
            return made

    def close(self) -> None:
        """Release processes and files. A failure here does not hide an error that is on its way."""
        earlier = sys.exception()
        try:
            with self._call("close"):
                self._suite.close()
        except HeroBenchError:
            if earlier is None:
                raise

    @contextmanager
    def _call(self, call: str) -> Iterator[None]:
        with suite_errors(f"The suite {self.name} failed in {call}"):
            yield


@contextmanager
def _made_suite(made: FreshSuite) -> Iterator[FreshSuite]:
    """Give a suite that another one made, checked. It is closed if it is refused: its processes must not outlive it."""
    if not isinstance(made, FreshSuite):
        raise TypeError(f"it returned a {type(made).__name__}, not a FreshSuite")
    suite = CheckedSuite(made.suite)
    try:
        yield FreshSuite(suite, tuple(_text(note, "a note") for note in made.notes))
    except BaseException:
        suite.close()
        raise


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} is {abbreviated(value)}, not a text")
    return value


def _names(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):  # its letters would be names
        raise TypeError(f"it is {abbreviated(value)}, not a sequence of names")
    return tuple(_text(name, "a name") for name in value)


def _texts(value: Any) -> dict[str, str]:
    """Return a mapping of texts to texts."""
    return {_text(name, "a name"): _text(text, f"the value of {name}") for name, text in mapping(value).items()}


def _refuse_unkeepable(task: TaskInfo) -> None:
    """Raise TypeError or ValueError for a task that a run cannot keep."""
    declared(task, TaskInfo, "a task")
    dump_row(task.row)  # raises for what JSON cannot say
