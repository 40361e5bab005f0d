"""The commands that serve tasks to other tools: over HTTP, to agents by MCP, and to trainers by OpenEnv."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.cli.options import JobsOption, SetOption, read_settings, with_options
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.runs.options import RunRequest

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


_BOUNDS = "How much clients may ask for"
_Port = Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 for any that is free.")]


@with_options(RunRequest, only=TASKS)
def serve(
    context: typer.Context,
    seed: Seed = None,
    length: Length = None,
    count: Count = None,
    settings: SetOption = None,
    jobs: JobsOption = None,
    details: Details = False,
    host: Host = "127.0.0.1",
    port: _Port = 8_765,
    body: Annotated[
        int, typer.Option("--max-body", min=1_024, help="The most bytes of a request.", rich_help_panel=_BOUNDS)
    ] = 8 * 2**20,
    queue: Annotated[
        int, typer.Option(min=1, help="The most answers that wait or are scored.", rich_help_panel=_BOUNDS)
    ] = 1_000,
    sessions: Annotated[
        int, typer.Option(min=1, help="The most attempts that clients play at once.", rich_help_panel=_BOUNDS)
    ] = 2_048,
    expiry: Annotated[
        float,
        typer.Option(min=0.1, help="Seconds after which a session that nobody uses ends.", rich_help_panel=_BOUNDS),
    ] = 600,
    **_: Any,
) -> None:
    """Serve tasks over HTTP: score answers, play attempts turn by turn, and train by the routes of NeMo Gym.

    Needs the extra serve: pip install 'herobench\\[serve]'. The routes are described at /openapi.json.
    """
    from herobench.scorer import Scorer

    try:
        from herobench.surfaces.http_guards import is_loopback
        from herobench.surfaces.http_server import run_app
        from herobench.surfaces.serve.app import Bounds, make_app
    except ImportError as error:
        raise lacking(error, "serve") from error
    if not is_loopback(host):
        say(OPEN_TO_ALL.format(host=host), err=True)
    with Scorer(read_query(context.params)) as scorer:

        def ready(url: str) -> None:
            many = f"{len(scorer.tasks):,} tasks of {scorer.suite} {scorer.dataset}"
            say(f"Serving {many} at {url} until Ctrl-C.", err=True)

        run_app(make_app(scorer, Bounds(body, queue, sessions, expiry), details=details), host, port, ready)


@with_options(RunRequest, only=TASKS)
def mcp(
    context: typer.Context,
    seed: Seed = None,
    length: Length = None,
    count: Count = None,
    settings: SetOption = None,
    jobs: JobsOption = None,
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP at /mcp.")] = False,
    host: Host = "127.0.0.1",
    port: _Port = 8_766,
    **_: Any,
) -> None:
    r"""Serve tasks to an agent by the Model Context Protocol: over standard input and output, or over HTTP with --http.

    Needs the extra mcp: pip install 'herobench\[mcp]'. The agent lists tasks, plays attempts, or submits whole answers.
    """
    from herobench.scorer import Scorer

    try:
        from herobench.surfaces.http_guards import is_loopback
        from herobench.surfaces.http_server import run_app
        from herobench.surfaces.mcp_server import McpServer
    except ImportError as error:
        raise lacking(error, "mcp") from error
    with Scorer(read_query(context.params)) as scorer, closing(McpServer(scorer, host)) as server:
        if not http:
            server.run_stdio()
            return
        if not is_loopback(host):
            say(OPEN_TO_ALL.format(host=host), err=True)

        def ready(url: str) -> None:
            say(f"Serving {len(scorer.tasks):,} tasks of {scorer.suite} {scorer.dataset} at {url}/mcp.", err=True)

        run_app(server.http_app(), host, port, ready)


_MakeTimeout = Annotated[
    float,
    typer.Option(
        min=0.1, help="Seconds in which the tasks that a client names have to be made.", rich_help_panel=_BOUNDS
    ),
]


@with_options(RunRequest, only=TASKS)
def openenv(
    context: typer.Context,
    seed: Seed = None,
    length: Length = None,
    count: Count = None,
    settings: SetOption = None,
    jobs: JobsOption = None,
    details: Details = False,
    host: Host = "127.0.0.1",
    port: _Port = 8_000,
    fixed: Annotated[
        bool,
        typer.Option("--fixed", help="Play these tasks alone, whatever else a reset names.", rich_help_panel=_BOUNDS),
    ] = False,
    body: Annotated[
        int, typer.Option("--max-body", min=1_024, help="The most bytes of a message.", rich_help_panel=_BOUNDS)
    ] = 8 * 2**20,
    make_timeout: _MakeTimeout = 50,
    sessions: Annotated[int, typer.Option(min=1, help="The most sessions at once.", rich_help_panel=_BOUNDS)] = 2_048,
    expiry: Annotated[
        float,
        typer.Option(
            min=0.1, help="Seconds after which a session that no connection uses ends.", rich_help_panel=_BOUNDS
        ),
    ] = 600,
    **_: Any,
) -> None:
    """Serve tasks as an environment of OpenEnv, for trainers such as TRL and verifiers.

    Needs the extra openenv: pip install 'herobench\\[openenv]'. Each connection plays a session of its own.
    """
    from herobench.surfaces.openenv.scorers import Scorers

    with Scorers(read_query(context.params), fixed=fixed, seconds=make_timeout) as scorers:
        own = scorers.own
        try:  # after what may be wrong with the options, since it takes seconds
            from herobench.surfaces.http_guards import is_loopback
            from herobench.surfaces.http_server import run_app
            from herobench.surfaces.openenv.app import make_app
        except ImportError as error:
            raise lacking(error, "openenv") from error
        if not is_loopback(host):
            say(OPEN_TO_ALL.format(host=host), err=True)

        def ready(url: str) -> None:
            many = f"{len(own.tasks):,} tasks of {own.suite} {own.dataset}"
            say(f"Serving {many} to OpenEnv at {url} until Ctrl-C.", err=True)

        run_app(make_app(scorers, sessions, expiry, body, details=details), host, port, ready, most=body)
