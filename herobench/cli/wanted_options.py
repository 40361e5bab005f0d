"""The options of commands that serve tasks to other tools: which tasks, and how they are played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.cli.options import read_settings
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    from herobench.scorer import TaskQuery

TASKS = ("suite", "tasks", "dataset", "difficulty", "task-id", "shuffle", "limit")
"""The options of a run that choose tasks here too."""
_PANEL = "Tasks made anew"

Seed = Annotated[
    int | None,
    typer.Option(
        min=0, help="Make tasks anew from this seed, in place of a set. No model gets it.", rich_help_panel=_PANEL
    ),
]
Length = Annotated[
    str | None,
    typer.Option(metavar="N-M", help="With --seed: how long solutions are, such as 5-9.", rich_help_panel=_PANEL),
]
Count = Annotated[
    int | None, typer.Option(min=1, help="With --seed: how many tasks. \\[default: 100]", rich_help_panel=_PANEL)
]
Details = Annotated[
    bool,
    typer.Option(
        "--details",
        help="Tell clients the details of results, such as missed milestones: they name parts of a solution.",
    ),
]
Host = Annotated[
    str, typer.Option(help="The address to serve at. Others than loopback let other machines in, without a password.")
]
OPEN_TO_ALL = "Whoever reaches {host} can use this server: it asks for no password."
_KNOBS = ("suite", "tasks", "dataset", "difficulty", "task_id", "shuffle", "limit", "seed", "length", "count", "jobs")


def lacking(error: ImportError, extra: str) -> UsageError:
    """Return what to say when a library of an extra is not installed. Raise the error again for a module of ours."""
    if (error.name or "").startswith("herobench"):
        raise error
    return UsageError(f"The server needs {error.name}: pip install 'herobench[{extra}]'.")


def read_query(given: Mapping[str, Any]) -> TaskQuery:
    """Return what the parameters of a command want. Raise UsageError for what does not fit together."""
    from herobench.scorer import TaskQuery

    own = {name: given[name] for name in _KNOBS if given.get(name) not in (None, [], ())}
    return TaskQuery(**own, **read_settings(given.get("settings") or ()))
