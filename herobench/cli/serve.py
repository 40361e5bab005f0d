"""Serve tasks over HTTP: score answers, play attempts turn by turn, and train by the routes of NeMo Gym.

Needs the extra serve: pip install 'herobench\\[serve]'. The routes are described at /openapi.json.
"""

from __future__ import annotations

from typing import Annotated

import typer

from herobench.cli import run_options as options
from herobench.cli import wanted_options as wanted
from herobench.cli.options import JobsOption
from herobench.cli.say import say

_BOUNDS = "How much clients may ask for"
_PORT = 8_765


def serve(
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
    body: Annotated[
        int, typer.Option("--max-body", min=1_024, help="The most bytes of a request.", rich_help_panel=_BOUNDS)
    ] = 8 * 2**20,
    queue: Annotated[
        int, typer.Option(min=1, help="The most answers that wait or are scored.", rich_help_panel=_BOUNDS)
    ] = 1_000,
    sessions: Annotated[
        int, typer.Option(min=1, help="The most attempts that clients play at once.", rich_help_panel=_BOUNDS)
    ] = 256,
    expiry: Annotated[
        float,
        typer.Option(min=0.1, help="Seconds after which a session that nobody uses ends.", rich_help_panel=_BOUNDS),
    ] = 600,
) -> None:
    """Serve tasks."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.scorer import Scorer

    try:
        from herobench.surfaces.http_guards import is_loopback
        from herobench.surfaces.http_server import run_app
        from herobench.surfaces.serve.app import Bounds, make_app
    except ImportError as error:
        raise wanted.lacking(error, "serve") from error
    if not is_loopback(host):
        say(wanted.OPEN_TO_ALL.format(host=host), err=True)
    with Scorer(wanted.wanted_of(context.params)) as scorer:

        def ready(url: str) -> None:
            many = f"{len(scorer.tasks):,} tasks of {scorer.suite} {scorer.dataset}"
            say(f"Serving {many} at {url} until Ctrl-C.", err=True)

        run_app(make_app(scorer, Bounds(body, queue, sessions, expiry), details=details), host, port, ready)
