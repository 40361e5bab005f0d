"""Serve tasks as an environment of OpenEnv, for trainers such as TRL and verifiers.

Needs the extra openenv: pip install 'herobench\\[openenv]'. Each connection plays a session of its own.
"""

from __future__ import annotations

from typing import Annotated

import typer

from herobench.cli import run_options as options
from herobench.cli import wanted_options as wanted
from herobench.cli.options import JobsOption
from herobench.cli.say import say

_BOUNDS = "How much clients may ask for"
_PORT = 8_000
_MakeTimeout = Annotated[
    float,
    typer.Option(
        min=0.1, help="Seconds in which the tasks that a client names have to be made.", rich_help_panel=_BOUNDS
    ),
]


def openenv(
    context: typer.Context,
    suite: options.Suite = None,
    tasks: options.Tasks = None,
    dataset: options.Dataset = None,
    difficulty: options.Difficulty = None,
    task_id: options.TaskId = None,
    shuffle: options.Shuffle = None,
    limit: options.Limit = None,
    seed: wanted.Seed = None,
    length: wanted.Length = None,
    count: wanted.Count = None,
    mode: wanted.Mode = None,
    rules: options.Rules = None,
    world: options.World = None,
    settings: options.Settings = None,
    jobs: JobsOption = None,
    details: wanted.Details = False,
    host: wanted.Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 for any that is free.")] = _PORT,
    fixed: Annotated[
        bool,
        typer.Option("--fixed", help="Play these tasks alone, whatever else a reset names.", rich_help_panel=_BOUNDS),
    ] = False,
    body: Annotated[
        int, typer.Option("--max-body", min=1_024, help="The most bytes of a message.", rich_help_panel=_BOUNDS)
    ] = 8 * 2**20,
    make_timeout: _MakeTimeout = 50,
    sessions: Annotated[int, typer.Option(min=1, help="The most sessions at once.", rich_help_panel=_BOUNDS)] = 64,
    expiry: Annotated[
        float,
        typer.Option(
            min=0.1, help="Seconds after which a session that no connection uses ends.", rich_help_panel=_BOUNDS
        ),
    ] = 600,
) -> None:
    """Serve an environment."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.surfaces.openenv.scorers import Scorers

    with Scorers(wanted.wanted_of(context.params), fixed=fixed, seconds=make_timeout) as scorers:
        own = scorers.own
        try:  # after what may be wrong with the options, since it takes seconds
            from herobench.surfaces.http_guards import is_loopback
            from herobench.surfaces.http_server import run_app
            from herobench.surfaces.openenv.app import make_app
        except ImportError as error:
            raise wanted.lacking(error, "openenv") from error
        if not is_loopback(host):
            say(wanted.OPEN_TO_ALL.format(host=host), err=True)

        def ready(url: str) -> None:
            many = f"{len(own.tasks):,} tasks of {own.suite} {own.dataset}"
            say(f"Serving {many} to OpenEnv at {url} until Ctrl-C.", err=True)

        run_app(make_app(scorers, sessions, expiry, body, details=details), host, port, ready, most=body)
