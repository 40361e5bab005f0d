"""Options that several commands share, and the output of problems."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from herobench.cli.say import say
from herobench.data.errors import Problem, UsageError
from herobench.data.options import Option

JobsOption = Annotated[int | None, Option("Worker processes; all cores when left out.", least=1)]
SuiteOption = Annotated[
    str, Option("The benchmark suite.", metavar="NAME", shown="the first of `herobench suites` that has what is named")
]
OnOption = Annotated[
    str | None, Option("Work on a Ray cluster. --output is then a folder of shards.", "on", metavar="ray")
]
ShardRowsOption = Annotated[int | None, Option("With --on, the rows of a shard.", "shard-rows", least=1, shown="1000")]
OutputOption = Annotated[Path, Option("The file to write.", "output", short="-o")]
RunsArgument = Annotated[
    list[Path], Option("Folders of runs, scored or published files.", metavar="RUN...", is_argument=True)
]
SampleSuiteOption = Annotated[str | None, Option("Read the samples of this suite only.", "suite", metavar="NAME")]
LabelOption = Annotated[
    Literal["run", "model"], Option("What runs are called: by their folder or file, or by their model.", "label")
]

_MOST_SHOWN = 50
"""The number of problems that are printed."""


def no_samples(what: str, suite: str | None) -> UsageError:
    """Return the error for sources without samples; `what` is what was to be done with them."""
    of = f" of the suite {suite}" if suite else ""
    return UsageError(f"There are no samples{of} to {what} yet.")


def report(problems: Iterable[Problem]) -> int:
    """Print the first problems to standard error, and return how many there are."""
    count = 0
    # All problems are counted, but a broken file should not flood the terminal.
    for count, problem in enumerate(problems, 1):
        if count <= _MOST_SHOWN:
            say(str(problem), err=True)
    if count > _MOST_SHOWN:
        say(f"... and {count - _MOST_SHOWN} more problems", err=True)
    return count
