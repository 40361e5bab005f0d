"""The contract of a suite's generator, which `herobench generate` asks for its options and its tasks.

A suite that makes tasks returns a `TaskGenerator` by its method `generator`. The generator declares its options. The
command reads them from the command line, shows them in its help, and refuses all others. The options --count, --seed,
--output and --jobs belong to the command: every generator is given them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from random import Random
from typing import Any, ClassVar, get_args

from herobench.data.columns import TEXT, Column
from herobench.data.errors import LONGEST_MISSPELT, UsageError, quoted
from herobench.suite.checked import suite_class, suite_errors
from herobench.suite.contract import Option, TaskInfo
from herobench.work.engine import Each, Local


@dataclass(frozen=True, slots=True)
class GeneratorOption(Option):
    """An option of a suite's generator."""

    read: Callable[[str], Any] = str
    """Turns the text into a value. It raises ValueError for any other text, with a sentence on what to give."""
    is_flag: bool = False
    """True for an option without a value, such as --decay. Its value is True or False."""
    is_length: bool = False
    """True for the option that says how long solutions are. Other tools know it as `length`, whatever its name."""
    kind: Any = str
    """`int`, `float`, or a `Literal` of texts, for an option that needs no `read`. With `metavar=""`, help shows it."""
    least: float | None = None
    most: float | None = None
    """The bounds of a number."""
    bare: str | None = None
    """The text that stands for a value that is left out behind the option; None for an option that needs its value."""

    def parse(self, text: str) -> Any:
        """Return the value of a text. Raise ValueError for any other text, with a sentence on what to give."""
        if self.kind is str:
            return self.read(text)
        if allowed := get_args(self.kind):
            if text not in allowed:
                raise ValueError(f"give one of {', '.join(allowed)}")
            return text
        bounds = [("at least", self.least), ("at most", self.most)]
        told = "".join(f", {word} {bound:g}" for word, bound in bounds if bound is not None)
        try:
            if len(text) > _LONGEST_NUMBER:
                raise ValueError
            number = self.kind(text)
            if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
                raise ValueError
        except ValueError:
            raise ValueError(f"give a {'whole ' if self.kind is int else ''}number{told}") from None
        return number


_LONGEST_NUMBER = 30
"""In characters. Python refuses to read numbers of some thousand digits."""


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What a generator is asked for."""

    values: Mapping[str, Any]
    """The value of each option by its name; None where the option was left out and has no default."""
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
    """The suite's settings that go with the file, such as `{"world": "remix:5"}`."""
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

    options: Sequence[GeneratorOption] = ()
    """The options that it understands, in the order of the help."""
    count: ClassVar[int | None] = None
    """How many tasks it makes when no number is given; None if that depends on the options."""
    worth: ClassVar[int] = 2
    """The number of tasks that pays for the start of a process, if they are made by their numbers."""

    def make(self, request: GenerateRequest) -> Made:
        """Make tasks: those of `numbered`. Raise UsageError or InputError for a request that cannot be fulfilled."""
        made = self.numbered(request)
        if made is None:
            raise NotImplementedError("its generator has neither make nor numbered")
        return Made(len(made.numbers), Local(request.jobs).results(Each(made.make, worth=self.worth), made.numbers))

    def numbered(self, request: GenerateRequest) -> Numbered | None:
        """Return the same tasks by their numbers, so that other machines can make some; None if tasks depend on others.

        Task number n is row number n of what `make` makes.
        """
        return None

    def by_options(self, **options: Any) -> Numbered | None:
        """Return tasks by the options of Python programs; None if programs use the options of the command line."""
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
        made = generator.numbered(request)
    if made is None:
        raise UsageError(
            f"The suite {suite} makes its tasks one after the other, on one machine: "
            f"herobench generate --suite {suite} without --on makes them."
        )
    return made


def tasks_by_options(suite: str, options: Mapping[str, Any]) -> Numbered:
    """Return the tasks of a suite's generator with these options and a `seed`. Raise UsageError for wrong ones."""
    generator = load_generator(suite)
    if generator is not None:
        with suite_errors(suite, "by_options"):
            made = generator.by_options(**options)
        if made is not None:
            return made
    known = {option.name: option for option in generator.options} if generator else {}
    given = {name.replace("_", "-"): value for name, value in options.items() if name != "seed"}
    if foreign := sorted(given.keys() - known):
        its = f"its options are {', '.join(known)}" if known else "it has none"
        raise UsageError(f"The generator of the suite {suite} has no option {foreign[0]!r}: {its}.")
    texts = {name: value if known[name].is_flag or value is None else str(value) for name, value in given.items()}
    values = read_values(tuple(known.values()), texts)
    return numbered_tasks(suite, GenerateRequest(values, int(options.get("seed", 0)), None, 1, tuple(options)))


def read_values(options: Sequence[GeneratorOption], given: Mapping[str, str | bool | None]) -> dict[str, Any]:
    """Return the value of each option from what was given by its name. Raise UsageError for a wrong one."""
    values: dict[str, Any] = {}
    for option in options:
        text = given.get(option.name)
        if option.is_flag:
            values[option.name] = bool(text)
            continue
        text = option.default if text is None else text
        try:
            values[option.name] = None if text is None else option.parse(str(text))
        except ValueError as error:
            raise UsageError(f"--{option.name} is {text!r}: {error}.") from error
    return values


_NEAR = 3


def select_tasks(
    tasks: Mapping[str, TaskInfo],
    groups: Collection[str] | None = None,
    patterns: Sequence[str] = (),
    shuffle: int | None = None,
    span: slice | None = None,
) -> dict[str, TaskInfo]:
    """Select the tasks of some groups whose ids match a pattern, shuffle them by a seed, and return a span of them.

    Raise UsageError, with the nearest ids, when there are none.
    """
    for pattern in patterns:
        if not any(fnmatchcase(task_id, pattern) for task_id in tasks):
            # without the signs of a pattern, which ids seldom have
            near = get_close_matches(re.sub(r"[*?\[\]]", "", pattern[:LONGEST_MISSPELT]), tasks, _NEAR, cutoff=0)
            raise UsageError(f"No task fits {quoted(pattern)}: the nearest are {', '.join(near) or 'none'}.")
    chosen = [
        task_id
        for task_id, task in tasks.items()
        if (groups is None or task.group in groups)
        and (not patterns or any(fnmatchcase(task_id, pattern) for pattern in patterns))
    ]
    if shuffle is not None:
        Random(shuffle).shuffle(chosen)  # noqa: S311 - reproducible chance
    part = chosen[span] if span else chosen
    if not part:
        left_out = f": the limit leaves out the {len(chosen)} that fit" if chosen else ""
        raise UsageError(f"None of the {len(tasks)} tasks is in what was chosen{left_out}.")
    return {task_id: tasks[task_id] for task_id in part}
