"""The contract of a suite's generator, which `herobench generate` asks for its options and its tasks.

A suite that makes tasks returns a `TaskGenerator` by its method `generator`. The generator declares its options. The
command reads them from the command line, shows them in its help, and refuses all others. The options --count, --seed,
--output and --jobs belong to the command: every generator is given them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from herobench.data.columns import TEXT, Column
from herobench.data.errors import UsageError
from herobench.data.options import options_in, read_options, refuse_unknown
from herobench.suite.checked import suite_class, suite_errors
from herobench.suite.refusals import SuiteFault
from herobench.work.engine import Each, Local


@dataclass(frozen=True)
class NoOptions:
    """The options of a generator that has none."""


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What a generator is asked for."""

    options: Any
    """The values of its options: the generator's own table."""
    seed: int
    """Other seeds give other tasks."""
    count: int | None
    """How many tasks; None for as many as the generator makes when it is not told."""
    jobs: int
    """The number of processes that may work at a time. It must not change the rows."""
    given: Collection[str] = ()
    """The names of the options that the user gave, `count` and `seed` among them. The others have their defaults."""


@dataclass(frozen=True, slots=True)
class Made:
    """Rows of a tasks file, which are made while they are read."""

    count: int
    """How many there will be."""
    rows: Iterator[Mapping[str, Any]]
    settings: Mapping[str, str] = field(default_factory=dict)
    """The suite's settings that go with the file, such as `{"world": "my-world"}`."""
    notes: Iterable[str] = ()
    """Sentences on the tasks for the user. They are read when all rows are made."""


_ID = (Column("id", TEXT, "The task."),)


@dataclass(frozen=True, slots=True)
class Numbered:
    """Tasks that can be made apart from each other. It can be pickled."""

    make: Callable[[int], Mapping[str, Any]]
    """Returns the row of a task by its number, from 0."""
    identity: Mapping[str, Any]
    """Everything that the tasks depend on, such as options and digests, as plain data."""
    columns: Sequence[Column] = _ID
    """The columns of tasks that a table shows beside the whole task."""
    numbers: Sequence[int] = ()
    """The numbers that were asked for."""


class TaskGenerator:
    """Makes tasks of a suite, by `make` or `numbered`. The same request gives the same rows."""

    options: ClassVar[type] = NoOptions
    """The dataclass whose fields are its options, in the order of the help."""
    count: ClassVar[int | None] = None
    """How many tasks it makes when no number is given; None if that depends on the options."""
    worth: ClassVar[int] = 2
    """The number of tasks that pays for the start of a process, if they are made by their numbers."""

    def make(self, request: GenerateRequest) -> Made:
        """Make tasks: those of `numbered`. Raise UsageError or InputError for a request that cannot be fulfilled."""
        tasks = self.numbered(request)
        if tasks is None:
            raise NotImplementedError("its generator has neither make nor numbered")
        return Made(len(tasks.numbers), Local(request.jobs).results(Each(tasks.make, worth=self.worth), tasks.numbers))

    def numbered(self, request: GenerateRequest) -> Numbered | None:
        """Return the same tasks by their numbers, so that other machines can make some; None if tasks depend on others.

        Task number n is row number n of what `make` makes.
        """
        return None


def load_generator(suite: str) -> TaskGenerator | None:
    """Return the generator of a suite; None for a suite that ships its tasks. Raise UsageError for an unknown suite."""
    with suite_errors(suite, "generator"):
        return suite_class(suite).generator()


def needed_generator(suite: str) -> TaskGenerator:
    """Return the generator of a suite. Raise UsageError for a suite that ships its tasks."""
    generator = load_generator(suite)
    if generator is None:
        raise UsageError(f"The suite {suite} ships its own tasks: herobench tasks list --suite {suite}.")
    return generator


def numbered_tasks(suite: str, request: GenerateRequest) -> Numbered:
    """Return the tasks of a request by their numbers. Raise UsageError for a suite whose tasks depend on each other."""
    generator = needed_generator(suite)
    with suite_errors(suite, "numbered"):
        tasks = generator.numbered(request)
    if tasks is None:
        raise UsageError(SuiteFault.ONE_MACHINE, suite=suite)
    return tasks


def tasks_by_options(suite: str, options: Mapping[str, Any]) -> Numbered:
    """Return the tasks of a suite's generator by the names of its options and a `seed`. UsageError for wrong ones.

    A value is a text, as on the command line, or what the option is read as.
    """
    texts = {name.replace("_", "-"): value for name, value in options.items() if name != "seed" and value is not None}
    table = needed_generator(suite).options
    owner = f"the generator of the suite {suite}"
    refuse_unknown(texts, [field.name for field in options_in(table)], owner)
    values: Any = read_options(table, texts, owner)
    return numbered_tasks(suite, GenerateRequest(values, int(options.get("seed", 0)), None, 1, (*texts, "seed")))
