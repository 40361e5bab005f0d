"""The contract of a suite's generator: what `herobench generate --suite NAME` needs to know of it.

A `SuiteMaker` that makes tasks has a function `generator`, which returns a `Generator`. It declares its options. The
command reads them from the command line, shows them in its help, and refuses all others. The options --count, --seed,
--output and --jobs belong to the command: every generator is given them.

    class Sums:
        @staticmethod
        def generator() -> Generator: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from herobench import plugins
from herobench.checked_suite import suite_errors
from herobench.errors import UsageError
from herobench.suite import Option


@dataclass(frozen=True, slots=True)
class GeneratorOption(Option):
    """An option of a suite's generator."""

    read: Callable[[str], Any] = str
    """Turns the text into a value. It raises ValueError for a text that is none, with a sentence on what to give."""
    is_flag: bool = False
    """True for an option without a value, such as --decay. Its value is True or False."""
    is_length: bool = False
    """True for the option that says how long solutions are. Other tools know it as `length`, whatever its name."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a generator is asked for."""

    values: Mapping[str, Any]
    """The value of each option by its name; None where the option was left out and has no default."""
    seed: int
    """Other seeds give other tasks."""
    count: int | None
    """How many tasks; None for as many as the generator makes when it is not told."""
    jobs: int
    """The number of processes that may work at a time. It must not change the rows."""


@dataclass(frozen=True, slots=True)
class Made:
    """Rows of a tasks file, which are made while they are read."""

    count: int
    """How many there will be."""
    rows: Iterator[Mapping[str, Any]]


class Generator(Protocol):
    """Makes tasks of a suite. The same request gives the same rows."""

    @property
    def options(self) -> Sequence[GeneratorOption]:
        """The options that it understands, in the order of the help."""
        ...

    def make(self, request: Request) -> Made:
        """Make tasks. Raise UsageError or InputError for a request that cannot be fulfilled."""
        ...


def generator_of(suite: str) -> Generator | None:
    """Return the generator of a suite; None for a suite that ships its tasks. Raise UsageError for an unknown suite."""
    make = getattr(plugins.load(plugins.SUITES, suite), "generator", None)
    if make is None:
        return None
    with suite_errors(f"The suite {suite} failed in generator"):
        made: Generator = make()
        return made


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
            values[option.name] = None if text is None else option.read(str(text))
        except ValueError as error:
            raise UsageError(f"--{option.name} is {text!r}: {error}.") from error
    return values
