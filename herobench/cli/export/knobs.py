"""The knobs of an export: `--suite`, and `--set NAME=VALUE` for all else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from herobench.cli.options import settings_of

if TYPE_CHECKING:
    from herobench.scorer import Wanted

KnobsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Which tasks, and how they are played: dataset, tasks, difficulty, task-id, shuffle, limit; seed with "
        "difficulty, length and count for tasks made anew; any setting of the suite.",
    ),
]


def wanted_of(suite: str, texts: Sequence[str] | None) -> Wanted:
    """Return what the options ask for. Raise UsageError for what is no knob."""
    from herobench.scorer import Wanted

    knobs = {name.replace("-", "_"): value for name, value in settings_of(texts or (), {}).items()}
    return Wanted(**{**knobs, "suite": suite})
