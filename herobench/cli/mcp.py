"""Serve tasks to an agent by the Model Context Protocol: over standard input and output, or over HTTP with --http.

Needs the extra mcp: pip install 'herobench\\[mcp]'. The agent lists tasks, plays attempts, or submits whole answers.
"""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from herobench.cli import run_options as options
from herobench.cli import wanted_options as wanted
from herobench.cli.options import JobsOption
from herobench.cli.say import say

_PORT = 8_766


def mcp(
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
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP at /mcp.")] = False,
    host: wanted.Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 for any that is free.")] = _PORT,
) -> None:
    """Serve an agent."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.scorer import Scorer

    try:
        from herobench.surfaces.http_guards import is_loopback
        from herobench.surfaces.http_server import run_app
        from herobench.surfaces.mcp_server import McpServer
    except ImportError as error:
        raise wanted.lacking(error, "mcp") from error
    with Scorer(wanted.wanted_of(context.params)) as scorer, closing(McpServer(scorer, host)) as server:
        if not http:
            server.run_stdio()
            return
        if not is_loopback(host):
            say(wanted.OPEN_TO_ALL.format(host=host), err=True)

        def ready(url: str) -> None:
            say(f"Serving {len(scorer.tasks):,} tasks of {scorer.suite} {scorer.dataset} at {url}/mcp.", err=True)

        run_app(server.http_app(), host, port, ready)
