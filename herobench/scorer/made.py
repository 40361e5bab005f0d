"""Tasks that are made anew for a scorer, from its seed and the knobs `difficulty`, `length` and `count`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from herobench.errors import UsageError
from herobench.generating import Generator, GeneratorOption, Request, generator_of, read_values
from herobench.rows import write_rows
from herobench.scorer.wanted import Wanted

_COUNT = 100
"""How many tasks are made when no number is given."""


@contextmanager
def made_tasks(wanted: Wanted) -> Iterator[Path]:
    """Make the wanted tasks as a file, which is there for as long as the context. Raise as `write_made` does."""
    with folder_of_made(wanted) as path:
        write_made(wanted, path)
        yield path


@contextmanager
def folder_of_made(wanted: Wanted) -> Iterator[Path]:
    """Give a path for the file of the wanted tasks, in a folder for as long as the context. Its name tells the set."""
    with TemporaryDirectory(prefix="herobench-") as folder:
        yield Path(folder, f"{wanted.suite}-seed-{wanted.seed}.jsonl")


def write_made(wanted: Wanted, path: Path) -> None:
    """Make the wanted tasks as a file. Raise UsageError for a suite or a knob that does not allow it."""
    generator = _generator(wanted)
    values = read_values(generator.options, _parted(wanted, generator)[0])
    jobs = wanted.jobs or os.cpu_count() or 1
    assert wanted.seed is not None
    made = generator.make(Request(values, wanted.seed, wanted.count or _COUNT, jobs))
    write_rows(path, made.rows)


def settings_beside_made(wanted: Wanted) -> dict[str, str]:
    """Return the settings that are the suite's and not the generator's. Raise UsageError as `write_made` does."""
    return _parted(wanted, _generator(wanted))[1]


def _generator(wanted: Wanted) -> Generator:
    generator = generator_of(wanted.suite)
    if generator is None:
        raise UsageError(f"The suite {wanted.suite} makes no tasks: leave out the seed.")
    return generator


def _parted(wanted: Wanted, generator: Generator) -> tuple[dict[str, str | bool], dict[str, str]]:
    """Return the values of the generator's options, and the settings that are left for the suite."""
    options = {option.name: option for option in generator.options}
    given: dict[str, str | bool] = {
        name: _value(options[name], text) for name, text in wanted.others if name in options
    }
    if wanted.difficulty is not None:
        given[_knob("difficulty", [option for option in options if option == "difficulty"], wanted)] = wanted.difficulty
    if wanted.length is not None:
        lengths = [name for name, option in options.items() if option.is_length]
        given[_knob("length", lengths, wanted)] = wanted.length
    return given, {name: text for name, text in wanted.others if name not in options}


def _knob(name: str, options: list[str], wanted: Wanted) -> str:
    if not options:
        raise UsageError(f"The suite {wanted.suite} makes no tasks by {name}: leave it out.")
    return options[0]


def _value(option: GeneratorOption, text: str) -> str | bool:
    if not option.is_flag:
        return text
    if text.lower() not in ("true", "false"):
        raise UsageError(f"{option.name} is {text!r}: give true or false.")
    return text.lower() == "true"
