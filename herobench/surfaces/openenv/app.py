"""Makes the application of OpenEnv's server, with OpenEnv's own routes.

OpenEnv reads settings from the environment: ENABLE_WEB_INTERFACE=true adds its page at /web.
"""

from __future__ import annotations

import atexit
import re
from functools import partial
from typing import Any

from fastapi import Request, Response
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.types import ConcurrencyConfig

from herobench.scorer import TaskQuery
from herobench.surfaces import foreign_pages
from herobench.surfaces.openenv.environment import HeroBenchEnvironment, PlanAction, PlanObservation, PlanState
from herobench.surfaces.openenv.scorers import Scorers
from herobench.surfaces.serve.bodies import answer, explain_refusals

_TAKEN = re.compile(r"got multiple values for argument '(\w+)'")
"""Matches Python's message for two arguments of one name."""
NAME = "herobench"
"""The name of the environment in routes about tasks."""
MOST_SESSIONS = 64
"""How many sessions may be open at once when nothing else is said."""
EXPIRY = 600.0
"""Seconds after which a session that no connection uses is closed, when nothing else is said."""


def make_app(
    scorers: Scorers,
    sessions: int = MOST_SESSIONS,
    expiry: float = EXPIRY,
    body: int = foreign_pages.MOST,
    *,
    details: bool = False,
) -> Any:
    """Return the application. The scorers are the caller's: they are closed after the server.

    With `details`, clients are told what their results consist of, and by that what a solution needs.
    """
    app = create_app(
        partial(HeroBenchEnvironment, scorers, details=details),
        PlanAction,
        PlanObservation,
        env_name=NAME,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=expiry),
        state_cls=PlanState,
    )
    app.add_middleware(foreign_pages.BodyCap, most=body)
    explain_refusals(app)
    app.add_exception_handler(TypeError, _refuse_taken_name)
    return app


async def _refuse_taken_name(_: Request, error: Exception) -> Response:
    """Answer a client whose knob is named as a parameter of a function of OpenEnv, such as `self`."""
    taken = _TAKEN.search(str(error))
    if taken is None:
        raise error
    return answer({"detail": f"There is no knob '{taken[1]}': leave it out."}, 422)


def app_of(**knobs: Any) -> Any:
    """Return the application for some tasks, and no others, for a module that a server imports."""
    scorers = Scorers(TaskQuery(**knobs), fixed=True)
    atexit.register(scorers.close)
    return make_app(scorers)
