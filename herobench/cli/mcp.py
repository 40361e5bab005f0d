"""Serve tasks to an agent by the Model Context Protocol: over standard input and output, or over HTTP with --http.

Needs the extra mcp: pip install 'herobench\\[mcp]'. The agent lists tasks, plays attempts, or submits whole answers.
"""

from __future__ import annotations

from contextlib import closing
from typing import Annotated, Any

import typer

from herobench.cli import wanted_options as wanted
from herobench.cli.options import JobsOption, RulesOption, SetOption, WorldOfSetOption, with_options
from herobench.cli.say import say
from herobench.runs.options import RunRequest

_PORT = 8_766


@with_options(RunRequest, only=wanted.TASKS)
def mcp(
    context: typer.Context,
    seed: wanted.Seed = None,
    length: wanted.Length = None,
    count: wanted.Count = None,
    mode: wanted.Mode = None,
    rules: RulesOption = None,
    world: WorldOfSetOption = None,
    settings: SetOption = None,
    jobs: JobsOption = None,
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP at /mcp.")] = False,
    host: wanted.Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 for any that is free.")] = _PORT,
    **_: Any,
) -> None:
    """Serve an agent."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.scorer import Scorer

    try:
        from herobench.surfaces.foreign_pages import is_loopback
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
