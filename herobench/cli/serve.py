"""The commands that serve tasks to other tools: over HTTP, to agents by MCP, and to trainers by OpenEnv."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Annotated, Any

from herobench.cli.commands import with_options, with_suite_options
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.scorer import Scorer, TaskQuery
from herobench.suite.checked import run_tables

Details = Annotated[
    bool,
    Option("Tell clients the details of results, such as missed milestones: they name parts of a solution.", "details"),
]
OraclePrefixes = Annotated[
    bool,
    Option(
        "Let clients begin after turns of the oracle's plan, as trainers do: it tells them the plan.", "oracle-prefixes"
    ),
]
Host = Annotated[
    str, Option("The address to serve at. Others than loopback let other machines in, without a password.")
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


def _ready(scorer: Scorer, template: str) -> Callable[[str], None]:
    """Return what says the address of a server and what it serves, once it takes connections."""
    many = f"{len(scorer.tasks):,} tasks of {scorer.suite} {scorer.dataset}"
    return lambda url: say(template.format(many=many, url=url), err=True)


_BOUNDS = "How much clients may ask for"
_Port = Annotated[int, Option("The port; 0 for any that is free.", least=0, most=65_535)]


@with_suite_options(run_tables)
@with_options(TaskQuery)
def serve(
    fields: Mapping[str, Any],
    settings: Mapping[str, str],
    details: Details = False,
    oracle_prefixes: OraclePrefixes = False,
    host: Host = "127.0.0.1",
    port: _Port = 8_765,
    body: Annotated[int, Option("The most bytes of a request.", "max-body", least=1_024, panel=_BOUNDS)] = 8 * 2**20,
    queue: Annotated[int, Option("The most answers that wait or are scored.", least=1, panel=_BOUNDS)] = 1_000,
    sessions: Annotated[int, Option("The most attempts that clients play at once.", least=1, panel=_BOUNDS)] = 2_048,
    expiry: Annotated[
        float,
        Option("Seconds after which a session that nobody uses ends.", least=0.1, panel=_BOUNDS),
    ] = 600,
) -> None:
    """Serve tasks over HTTP: score answers, and train by the routes of NeMo Gym.

    Needs the extra serve: pip install 'herobench\\[serve]'. The routes are described at /openapi.json.
    """
    try:
        from herobench.surfaces.http_server import run_app
        from herobench.surfaces.serve.app import Bounds, make_app
    except ImportError as error:
        raise lacking(error, "serve") from error
    _warn_if_open(host)
    with Scorer(TaskQuery(**fields, **settings)) as scorer:
        ready = _ready(scorer, "Serving {many} at {url} until Ctrl-C.")
        bounds = Bounds(body, queue, sessions, expiry)
        run_app(make_app(scorer, bounds, details=details, oracle_prefixes=oracle_prefixes), host, port, ready)


@with_suite_options(run_tables)
@with_options(TaskQuery)
def mcp(
    fields: Mapping[str, Any],
    settings: Mapping[str, str],
    http: Annotated[bool, Option("Serve streamable HTTP at /mcp.", "http")] = False,
    host: Host = "127.0.0.1",
    port: _Port = 8_766,
) -> None:
    r"""Serve tasks to an agent by the Model Context Protocol: over standard input and output, or over HTTP with --http.

    Needs the extra mcp: pip install 'herobench\[mcp]'. The agent lists tasks, plays attempts, or submits whole answers.
    """
    try:
        from herobench.surfaces.http_server import run_app
        from herobench.surfaces.mcp_server import McpServer
    except ImportError as error:
        raise lacking(error, "mcp") from error
    with Scorer(TaskQuery(**fields, **settings)) as scorer, closing(McpServer(scorer, host)) as server:
        if not http:
            server.run_stdio()
            return
        _warn_if_open(host)
        run_app(server.http_app(), host, port, _ready(scorer, "Serving {many} at {url}/mcp."))


@with_suite_options(run_tables)
@with_options(TaskQuery)
def openenv(
    fields: Mapping[str, Any],
    settings: Mapping[str, str],
    details: Details = False,
    oracle_prefixes: OraclePrefixes = False,
    host: Host = "127.0.0.1",
    port: _Port = 8_000,
    fixed: Annotated[
        bool,
        Option("Play these tasks alone, whatever else a reset names.", "fixed", panel=_BOUNDS),
    ] = False,
    body: Annotated[int, Option("The most bytes of a message.", "max-body", least=1_024, panel=_BOUNDS)] = 8 * 2**20,
    sessions: Annotated[int, Option("The most sessions at once.", least=1, panel=_BOUNDS)] = 2_048,
    expiry: Annotated[
        float,
        Option("Seconds after which a session that no connection uses ends.", least=0.1, panel=_BOUNDS),
    ] = 600,
) -> None:
    """Serve tasks as an environment of OpenEnv, for trainers such as TRL and verifiers.

    Needs the extra openenv: pip install 'herobench\\[openenv]'. Each connection plays a session of its own.
    """
    from herobench.surfaces.openenv.scorers import Scorers

    with Scorers(TaskQuery(**fields, **settings), fixed=fixed) as scorers:
        own = scorers.own
        try:  # after what may be wrong with the options, since it takes seconds
            from herobench.surfaces.http_server import run_app
            from herobench.surfaces.openenv.app import make_app
        except ImportError as error:
            raise lacking(error, "openenv") from error
        _warn_if_open(host)
        ready = _ready(own, "Serving {many} to OpenEnv at {url} until Ctrl-C.")
        app = make_app(scorers, sessions, expiry, body, details=details, oracle_prefixes=oracle_prefixes)
        run_app(app, host, port, ready, most=body)
