"""The command `play`: a person plays what a model plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.cli.at_page import HUMAN, BrowseOption, PersonOption, PortOption, SessionOption, sit_down
from herobench.cli.options import SettingsOption, read_settings

if TYPE_CHECKING:
    from herobench.page.server import Seat
    from herobench.runs.options import RunRequest

_AGENT = "tools"
"""A person has tools where the suite offers some."""


def play(
    suite: Annotated[str, typer.Option("--suite", metavar="NAME", help="The benchmark suite.")] = "rpg",
    file: Annotated[
        Path | None, typer.Option("--tasks", metavar="FILE", help="A tasks file. \\[default: the suite's own set]")
    ] = None,
    task_id: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this task; may be repeated, and have * in it.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="So many tasks at most.")] = None,
    name: PersonOption = None,
    output: SessionOption = None,
    settings: SettingsOption = None,
    port: PortOption = 0,
    browse: BrowseOption = None,
) -> None:
    """Open a page in the browser at which a person plays tasks as a model does: the same words, the same tools.

    The sessions are kept as a run, like those of models; the seconds of a sample are the person's. `autumn serve` has a
    page that draws grids.

    The page is served on this machine only. To continue a session that was cut short, name its folder: -o RUN.
    """
    # Imported late, because `herobench --help` must answer fast.
    from herobench.page.conversation import ConversationPage
    from herobench.runs.options import RunRequest

    def request(seat: Seat, new: bool) -> RunRequest:
        return RunRequest(
            model=name or (HUMAN if new else None),
            suite=suite if new else None,
            tasks=file,
            task_ids=tuple(task_id or ()),
            limit=limit,
            agent=_AGENT if new else None,
            options=read_settings(settings or [], {}),
            conduct={"connections": 1, "retries": 0},
            person=seat,
        )

    sit_down(
        ConversationPage(),
        output,
        request,
        is_own=_is_of_a_person,
        again="herobench play",
        port=port,
        browse=browse,
    )


def _is_of_a_person(config: Mapping[str, Any]) -> bool:
    """Return whether a run was begun by `play`: it has no server, and neither a player nor a model of a package."""
    from herobench.suite.checked import suite_class

    model = config["model"]
    alone = config["base_url"] is None and ":" not in model and config["identity"].get("mode") != "page"
    return alone and model not in suite_class(config["suite"]).players
