"""The commands that serve tasks to other tools: over HTTP, to agents by MCP, and to trainers by OpenEnv."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from typing import Annotated, Any, TypedDict

import typer

from herobench.cli.options import JobsOption, SetOption, read_settings, with_options
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.data.options import CommandOption
from herobench.runs.options import RunRequest
from herobench.scorer import Scorer, TaskQuery

_CHOICE = ("suite", "tasks", "dataset", "difficulty", "task-id", "shuffle", "limit", "seed", "length", "count")
"""The options that choose tasks: those of a run, and those of tasks made anew."""
_made = partial(CommandOption, panel="Tasks made anew")


class MadeTasks(TypedDict, total=False):
    """Tasks that are made anew, in place of a set."""

    seed: Annotated[
        int | None, _made("seed", "Make tasks anew from this seed, in place of a set. No model gets it.", least=0)
    ]
    length: Annotated[str | None, _made("length", "With --seed: how long solutions are, such as 5-9.", metavar="N-M")]
    count: Annotated[int | None, _made("count", "With --seed: how many tasks.", default="100", least=1)]


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


def lacking(error: ImportError, extra: str) -> UsageError:
    """Return what to say when a library of an extra is not installed. Raise the error again for a module of ours."""
    if (error.name or "").startswith("herobench"):
        raise error
    return UsageError(f"The server needs {error.name}: pip install 'herobench[{extra}]'.")


def _warn_if_open(host: str) -> None:
    """Warn of an address that other machines reach."""
    from herobench.surfaces.http_guards import is_loopback

    if not is_loopback(host):
        say(f"Whoever reaches {host} can use this server: it asks for no password.", err=True)


def _ready(scorer: Scorer, told: str) -> Callable[[str], None]:
    """Return what says the address of a server and what it serves, once it takes connections."""
    many = f"{len(scorer.tasks):,} tasks of {scorer.suite} {scorer.dataset}"
    return lambda url: say(told.format(many=many, url=url), err=True)


def read_query(given: Mapping[str, Any]) -> TaskQuery:
    """Return what the parameters of a command want. Raise UsageError for what does not fit together."""
    own = {name: given[name] for name in ("task_id", "jobs", *_CHOICE) if given.get(name) not in (None, [], ())}
    return TaskQuery(**own, **read_settings(given.get("settings") or ()))


_BOUNDS = "How much clients may ask for"
_Port = Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 for any that is free.")]


@with_options(RunRequest, MadeTasks, only=_CHOICE)
def serve(
    context: typer.Context,
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
    try:
        from herobench.surfaces.http_server import run_app
        from herobench.surfaces.serve.app import Bounds, make_app
    except ImportError as error:
        raise lacking(error, "serve") from error
    _warn_if_open(host)
    with Scorer(read_query(context.params)) as scorer:
        ready = _ready(scorer, "Serving {many} at {url} until Ctrl-C.")
        run_app(make_app(scorer, Bounds(body, queue, sessions, expiry), details=details), host, port, ready)


@with_options(RunRequest, MadeTasks, only=_CHOICE)
def mcp(
    context: typer.Context,
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
    try:
        from herobench.surfaces.http_server import run_app
        from herobench.surfaces.mcp_server import McpServer
    except ImportError as error:
        raise lacking(error, "mcp") from error
    with Scorer(read_query(context.params)) as scorer, closing(McpServer(scorer, host)) as server:
        if not http:
            server.run_stdio()
            return
        _warn_if_open(host)
        run_app(server.http_app(), host, port, _ready(scorer, "Serving {many} at {url}/mcp."))


@with_options(RunRequest, MadeTasks, only=_CHOICE)
def openenv(
    context: typer.Context,
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

    with Scorers(read_query(context.params), fixed=fixed) as scorers:
        own = scorers.own
        try:  # after what may be wrong with the options, since it takes seconds
            from herobench.surfaces.http_server import run_app
            from herobench.surfaces.openenv.app import make_app
        except ImportError as error:
            raise lacking(error, "openenv") from error
        _warn_if_open(host)
        ready = _ready(own, "Serving {many} to OpenEnv at {url} until Ctrl-C.")
        run_app(make_app(scorers, sessions, expiry, body, details=details), host, port, ready, most=body)
