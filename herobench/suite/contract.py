"""The contract of a benchmark suite: everything that runs, agents and reports know about a benchmark.

A suite has tasks. `open` starts an attempt at one of them: a conversation that an agent carries on with a model.

    attempt = suite.open("9/1_Drake_kill", epoch=0)
    told = attempt.messages                         # the opening
    while told is not None:
        told = attempt.step(ask_the_model(...))     # what the model is told next; None: the attempt is over
    verdict = attempt.grade()

A package adds a suite by an entry point in the group `herobench.suites`. Its value is a class derived from `Suite`,
whose attempts derive from `Attempt`. What a class leaves out has the default that stands here. Runs open suites by
`herobench.suite.checked`, which checks that they keep to the contract.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from herobench.conversation import Message, Model, Reply, Tool
from herobench.data.errors import UsageError
from herobench.suite.refusals import SuiteFault

if TYPE_CHECKING:
    from herobench.suite.browsing import TaskBrowser
    from herobench.suite.generating import TaskGenerator
    from herobench.suite.validating import Certificates, ProofWork, TaskFigures, Watch
    from herobench.work.rows import RowWork

Help = Literal["bare", "feedback", "tools", "code", "solver"]
"""The help that a model had: none, for one straight plan; several turns with the results of the plan so far; tools; a
program as plan, which may compute. `solver` is not a model, but a player of the suite."""


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """One task, as runs and reports see it."""

    id: str
    group: str | None
    """The part of the dataset that reports add up, such as a bracket of difficulty."""
    row: Mapping[str, Any]
    """The task as a line of a tasks file. The run keeps it, and the suite reads it again on resume."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an attempt."""

    won: bool
    score: float
    """A number in percent of what an ideal attempt gets. It may be above 100 if more than that can be earned."""
    progress: float | None = None
    """The score of what was reached before the attempt ended, when it is not `score`. In percent too."""
    failure: str | None = None
    """The suite's failure class; None for a win."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """The suite's own columns. They carry the number of their format as `schema`."""
    events: Mapping[str, Any] | None = None
    """The events of the attempt, in the suite's own form. It carries the number of its format as `schema`."""
    unfinished: str | None = None
    """Why the suite ended the attempt early, such as replies that did nothing; None if it did not."""


@dataclass(frozen=True, slots=True)
class Distance:
    """How many decisions of a suite an attempt is from its goal. `inf` stands for a goal that is out of reach."""

    least: float
    """The lower bound: fewer decisions do not reach the goal."""
    most: float
    """This many decisions reach the goal; `inf` if no way is known."""

    @property
    def is_exact(self) -> bool:
        """True if no way to the goal is shorter than the one that is known, or if there is none."""
        return self.least == self.most


@dataclass(frozen=True, slots=True)
class SuiteSetting:
    """The parts that a suite is made from."""

    dataset: str | None = None
    """The name of a dataset; None for the suite's default."""
    tasks: Path | None = None
    """A tasks file, in place of a dataset."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The suite's own settings, such as `{"world": "classic", "rules": "standard"}`."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The files that `Suite.files` returned when the run began; empty for a new run. An option wins over a file."""
    workers: int = 1
    """The number of processes that may work at a time."""

    @property
    def tasks_name(self) -> str | None:
        """The name of the tasks file without its ending, as text that UTF-8 can hold; None without a file."""
        return None if self.tasks is None else self.tasks.stem.encode("utf-8", "backslashreplace").decode("utf-8")


class Attempt(ABC):
    """One conversation about one task. The same replies lead to the same state, so an attempt can be replayed.

    A replay has only the replies' texts, tool calls, answers, reasoning and stop reasons: the state depends on these.
    """

    waits: bool = True
    """True if `step` may wait for another process, such as a sandbox; False if it only computes."""

    @property
    @abstractmethod
    def messages(self) -> Sequence[Message]:
        """The messages that open the conversation."""

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that the model may call now."""
        return ()

    @property
    def conversation(self) -> Sequence[Message] | None:
        """The messages of the next request, the opening included; None if the model is sent the whole conversation."""
        return None

    @property
    def briefing(self) -> object:
        """An object of the suite's own that tells its own agents what the task tells, and nothing else."""
        return None

    @abstractmethod
    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Take in a reply. Return what the model is told next, or None when the attempt is over."""

    @property
    def farewell(self) -> Sequence[Message]:
        """The messages that answer the last reply of an attempt that is over. Surfaces show them; no model is asked."""
        return ()

    @abstractmethod
    def grade(self) -> Verdict:
        """Judge the replies that were given, one or more. A pure function of them; it may take seconds."""

    def distance(self) -> Distance | None:
        """Return how far the goal is; None if the suite cannot say. It is worked out when it is asked for, not before.

        It depends on the present state alone: limits of turns and of repetitions do not count.
        """
        return None

    def fork(self) -> Attempt | None:
        """Return a copy that goes on by itself; None if the replies have to be played again to get one."""
        return None


class Layer(NamedTuple):
    """A layer of protection that a machine may lack."""

    holds: bool
    meaning: str
    """A few words on what the layer forbids or limits."""


class Machine(NamedTuple):
    """The facts that a suite reports of this machine, for `herobench doctor`."""

    facts: Mapping[str, str]
    layers: Mapping[str, Layer]
    """The layers of its sandbox, by name."""


class TurnLimit(NamedTuple):
    """How long a conversation can become."""

    most: int
    """The most turns."""
    window: int
    """How many of the latest turns the model is sent."""


class Suite(ABC):
    """A benchmark: its tasks, how they are asked, and how replies are judged. Threads share it."""

    name: str
    """The name of its entry point, such as `rpg`."""
    dataset: str
    """The dataset that was opened, with its version, such as `base-v2`; `SuiteSetting.tasks_name` for a tasks file. A
    suite that keeps another name is taken not to read the file."""
    options: Mapping[str, str] = MappingProxyType({})
    """The suite's own settings that a resumed run needs beside `files`, such as `{"rules": "paper"}`."""
    players: Sequence[str] = ()
    """Players that need no model, such as `oracle`. If the class has them, the help of their samples is `solver`."""

    mistake_columns: tuple[str, str] | None = None
    """The columns of `details` that count decisions and mistakes, if `--until` is for what lies between mistakes."""

    former_players: ClassVar[tuple[str, ...]] = ()
    """Players that the suite had once. The help of samples by them is `solver` too."""

    # -- what commands and tools know before a suite is opened

    modes: ClassVar[tuple[str, ...]] = ()
    """The modes in which tasks can be played, the usual one first. The setting `mode` names one."""
    one_turn_mode: ClassVar[str | None] = None
    """The mode in which an attempt is one prompt and one reply; "" if every attempt is so. Some tools ask only so."""
    run_options: ClassVar[tuple[type, ...] | None] = None
    """The settings: dataclasses whose fields are declared options. They are options of commands, and other settings are
    refused; None if the suite takes any."""
    datasets: ClassVar[tuple[str, ...]] = ()
    """The names of the datasets that come with the suite. `herobench score` compares tasks with them."""
    task_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that only rows of its tasks have. A tasks file with one of them means this suite."""
    length_column: ClassVar[str | None] = None
    """The column of `details` that is the length of a task, which `--until` needs; None if tasks have no length."""
    lanes: ClassVar[tuple[str, ...]] = ()
    """The values of the setting `lane`, which says what the prompt tells of the way to win: from the one that tells
    least, which is the usual one, to the one that tells most. `herobench run --lane all` asks all of them."""
    longer: ClassVar[int] = 0
    """How many tasks of `ladder`, the last ones, are longer than any of the suite's own."""
    has_brackets: ClassVar[bool] = False
    """True if its groups are brackets of difficulty: a difficulty without a dataset means such a suite."""
    audit_options: ClassVar[type | None] = None
    """The options of `audit`: a dataclass whose fields are declared options; None for an audit without options."""
    list_options: ClassVar[type | None] = None
    """The options by which `TaskBrowser.listed` chooses from the list, likewise."""

    @staticmethod
    def generator() -> TaskGenerator | None:
        """Return what makes new tasks; None if there are only shipped ones."""
        return None

    @staticmethod
    def certificates() -> Certificates | None:
        """Return what proves the certificates of tasks again; None if tasks have none."""
        return None

    @staticmethod
    def proof_work(setting: SuiteSetting) -> ProofWork | None:
        """Return what proves tasks, in place of `certificates`, if that takes more than their rows, such as a world."""
        return None

    @staticmethod
    def audit(setting: SuiteSetting, watch: Watch) -> TaskFigures | None:
        """Return what shallow strategies win of the tasks of a file, which may be a shipped set; None if unknown."""
        return None

    @staticmethod
    def answer_work(setting: SuiteSetting) -> RowWork | None:
        """Return what scores answers files, if their scored rows have columns of the suite's own."""
        return None

    @staticmethod
    def browser(setting: SuiteSetting) -> TaskBrowser | None:
        """Return what shows tasks to people; None to list ids and groups, show rows, and print how attempts open."""
        return None

    @staticmethod
    def machine() -> Machine | None:
        """Return what the suite finds on this machine, for `herobench doctor`; None if it needs nothing of it."""
        return None

    @staticmethod
    def names_files(option: str, text: str) -> bool:
        """Return whether the suite reads files or folders by this text of a setting.

        Servers refuse such a setting of a client, and a resumed run refuses one of a run that somebody else began.
        """
        return False

    @staticmethod
    def as_reply(text: str) -> str:
        """Return a text that may be a plan without the marks of one, with them: some tools take them off."""
        return text

    @staticmethod
    def explain_loss(verdict: Verdict) -> tuple[str, int | None] | None:
        """Return why a verdict is no win, and at which line or call of the plan; None if the suite cannot say.

        Tools tell it to the model, since a plan that is lost ends without a message.
        """
        return None

    @staticmethod
    def help(details: Mapping[str, Any]) -> Help:
        """Return what help a model has in an attempt with these `details`: that which their mode is named after."""
        modes: Mapping[Any, Help] = {"feedback": "feedback", "tools": "tools"}
        return modes.get(details.get("mode"), "bare")

    @classmethod
    def shipped_dataset(cls, name: str) -> str | None:
        """Return the dataset of a name, which may lack the version: `base` is `base-v2`. None if there is none."""
        return next((each for each in cls.datasets if each == name or each.startswith(f"{name}-v")), None)

    # -- a suite that is open

    @abstractmethod
    def __init__(self, setting: SuiteSetting) -> None: ...

    def choose_dataset(self, setting: SuiteSetting) -> str:
        """Return the name of the tasks file or of the dataset. Raise UsageError if the suite has no such dataset."""
        if setting.tasks_name is not None:
            return setting.tasks_name
        name = self.datasets[0] if setting.dataset is None else self.shipped_dataset(setting.dataset)
        if name is None:
            listed = f"dataset{'s' * (len(self.datasets) > 1)} {' and '.join(self.datasets)}"
            raise UsageError(SuiteFault.NO_DATASET, suite=self.name, datasets=listed, name=setting.dataset)
        return name

    @abstractmethod
    def tasks(self) -> Iterable[TaskInfo]:
        """Return all tasks of the dataset in their order."""

    def turns(self, task_id: str) -> TurnLimit | None:
        """Return how long an attempt at a task can become; None if it has one turn, or if nobody knows."""
        return None

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return digests and editions that the replies to these tasks, or their scores, depend on.

        A run resumes only if they are the same. It keeps no other tasks, so nothing may depend on those.
        """
        return {}

    def files(self) -> Mapping[str, str]:
        """Return files for the run's folder, by name, so that the run stands by itself: `{"world.json": "..."}`."""
        return {}

    def prepare(self) -> None:
        """Start what grading needs, such as worker processes. Called once, before the first attempt."""
        return

    @abstractmethod
    def open(self, task_id: str, epoch: int) -> Attempt:
        """Start an attempt. The same task and epoch give the same attempt."""

    @abstractmethod
    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the `details` of an attempt that was not measured: facts of the task, None for the rest.

        If they have a `scorer`, the number of the way to score, runs with samples of another one do not resume."""

    def player(self, name: str) -> Model:
        """Return a player by its name, which may carry an argument: `shortcut:naive`."""
        raise UsageError(f"The suite {self.name} has no player {name!r}.")

    def fresh(self, seed: int, task_ids: Sequence[str]) -> FreshSuite:
        """Return a suite with a private twin of each of these tasks, in their order, all made from the seed.

        A twin is a new task that is as hard as its original. Its sample names the original as the fact `twin_of`. The
        same seed and tasks give the same twins. `files` and `identity` belong to the twins, so that the run resumes
        without this call. Raise UsageError, with its id, for a task that can have no twin.
        """
        raise UsageError(SuiteFault.NO_TWINS, suite=self.name)

    def ladder(self) -> Sequence[float]:
        """Return the length of each task that `make` can make, by its number from 0 on; nothing if it makes none.

        They are ten times as many as the suite's own tasks, and the first ones have the lengths of those; `longer` ones
        come behind. The length of a task that is made may differ a little from the one that is told here.
        """
        return ()

    def make(self, seed: int, numbers: Mapping[str, int]) -> FreshSuite:
        """Return a suite with new tasks of these numbers, by the ids that they get, all made from the seed.

        Tasks that this suite has by these ids were made by an earlier call with the seed, and stay. The same calls give
        the same tasks. `files` and `identity` belong to the new tasks, as those of twins do.
        """
        raise UsageError(f"The suite {self.name} makes no tasks one by one: leave --fresh out.")

    def close(self) -> None:
        """Release processes and files."""
        return


@dataclass(frozen=True, slots=True)
class FreshSuite:
    """A suite that was made for one run: its tasks are private twins of another suite's tasks."""

    suite: Suite
    notes: Sequence[str] = ()
    """A sentence for each thing in which twins differ from their originals, for the person who starts the run."""
