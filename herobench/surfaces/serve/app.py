"""Makes the application: tasks, scoring and health. Its other routes are in `attempts` and `nemo_gym`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import FastAPI, Query, Response

from herobench.scorer import Scorer
from herobench.surfaces import foreign_pages, payloads
from herobench.surfaces.serve.bodies import (
    Answer,
    Batch,
    Health,
    Opening,
    Part,
    Problem,
    ResultRow,
    Results,
    Stand,
    Step,
    Task,
    TaskList,
    answer,
    explain_refusals,
)
from herobench.surfaces.serve.nemo_gym import NemoGym
from herobench.surfaces.sessions import (
    EXPIRY,
    MOST_SESSIONS,
    MOST_WAITING,
    ScoringQueue,
    Sessions,
    refuse_unknown,
    refuse_window,
)

_MISSING = {404: {"model": Problem, "description": "There is no such task or session."}}
_TAKEN = {409: {"model": Problem, "description": "The attempt is over, or another call plays it."}}


class SessionRoutes:
    """The routes about sessions."""

    def __init__(self, played: Sessions, queue: ScoringQueue, *, details: bool) -> None:
        self._played, self._queue = played, queue
        self._details = details

    def add_to(self, app: FastAPI) -> None:
        """Add the routes to an application."""
        common: dict[str, Any] = {"tags": ["sessions"], "responses": {**_MISSING, **_TAKEN}}
        app.add_api_route("/sessions", self.open, methods=["POST"], status_code=201, response_model=Stand, **common)
        app.add_api_route("/sessions/{session_id}/step", self.step, methods=["POST"], response_model=Stand, **common)
        app.add_api_route("/sessions/{session_id}", self.close, methods=["DELETE"], response_model=ResultRow, **common)

    async def open(self, body: Opening) -> Response:
        """Start an attempt. The answer has the opening of the conversation."""
        session = await self._queue.one(self._played.open, body.task_id, body.epoch)
        return answer(payloads.began(session), 201)

    async def step(self, session_id: str, body: Step) -> Response:
        """Play a turn of the model. The answer has what it is told next, or the result."""
        session = self._played.at(session_id)
        return answer(await self._queue.one(partial(payloads.said, session, body.said, details=self._details)))

    async def close(self, session_id: str) -> Response:
        """Close a session, and return the result of the turns so far."""
        return answer((await self._queue.one(self._played.end, session_id)).as_row(details=self._details))


_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": why}
    for status, why in {
        413: "The body is too large.",
        422: "The body is not what is described here.",
        429: "The queue is full, or all sessions are taken: try again.",
        503: "The sandbox cannot run plans.",
    }.items()
}
_ABOUT = "Scores answers to the tasks of a suite, and lets clients play attempts turn by turn."


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much clients may ask for at once."""

    body: int = foreign_pages.MOST
    """Bytes."""
    queue: int = MOST_WAITING
    """Answers."""
    sessions: int = MOST_SESSIONS
    expiry: float = EXPIRY
    """Seconds after which a session that nobody uses is closed."""


def make_app(scorer: Scorer, bounds: Bounds | None = None, *, details: bool = False) -> FastAPI:
    """Return the application for the tasks of a scorer. The scorer is the caller's: it is closed after the server.

    With `details`, clients are told what their results consist of, and by that what a solution needs.
    """
    refuse_window(scorer.wanted)
    bounds = bounds or Bounds()
    queue = ScoringQueue(scorer.jobs, bounds.queue)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(queue.close)

    # The pages that FastAPI has for reading OpenAPI load scripts from another host.
    app = FastAPI(
        title="HeroBench",
        version=version("herobench"),
        description=_ABOUT,
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        responses=_REFUSALS,
    )
    app.add_middleware(foreign_pages.BodyCap, most=bounds.body)
    explain_refusals(app)
    played = Sessions(scorer, bounds.sessions, bounds.expiry)
    TaskRoutes(scorer, queue, played, details=details).add_to(app)
    SessionRoutes(played, queue, details=details).add_to(app)
    NemoGym(scorer, played, queue).add_to(app)
    return app


class TaskRoutes:
    """The routes about tasks and answers."""

    def __init__(self, scorer: Scorer, queue: ScoringQueue, played: Sessions, *, details: bool) -> None:
        self._scorer, self._queue, self._played = scorer, queue, played
        self._details = details

    def add_to(self, app: FastAPI) -> None:
        """Add the routes to an application."""
        app.add_api_route("/health", self.health, response_model=Health, tags=["server"])
        app.add_api_route("/tasks", self.tasks, response_model=TaskList, tags=["tasks"])
        missing: dict[int | str, dict[str, Any]] = {404: {"model": Problem, "description": "There is no such task."}}
        app.add_api_route("/tasks/{task_id:path}", self.task, response_model=Task, responses=missing, tags=["tasks"])
        app.add_api_route(
            "/score",
            self.score,
            methods=["POST"],
            response_model=ResultRow | Results,
            responses=missing,
            tags=["scoring"],
        )

    async def health(self) -> Response:
        """Tell what is served. It answers while answers are scored."""
        scorer = self._scorer
        return answer(
            {
                "status": "ok",
                "version": version("herobench"),
                "suite": scorer.suite,
                "dataset": scorer.dataset,
                "tasks": len(scorer.tasks),
                "identity": dict(scorer.identity),
                "waiting": self._queue.waiting,
                "queue": self._queue.most,
                "sessions": len(self._played),
            }
        )

    async def tasks(self, part: Annotated[Part, Query()]) -> Response:
        """List tasks, in their order."""
        return answer(payloads.listed(self._scorer, part.offset, part.limit))

    async def task(self, task_id: str) -> Response:
        """Return a task as a model sees it."""
        return answer(await self._queue.one(payloads.shown, self._scorer, task_id))

    async def score(self, body: Answer | Batch) -> Response:
        """Score one answer, or several at once. The results of several come in their order."""
        answers = body.answers if isinstance(body, Batch) else [body]
        for one in answers:  # before any of them is scored
            refuse_unknown(self._scorer, one.task_id)
        rows = await self._queue.all([partial(self._score, one) for one in answers])
        return answer({"results": rows} if isinstance(body, Batch) else rows[0])

    def _score(self, one: Answer) -> dict[str, Any]:
        return self._scorer.score(one.task_id, one.answer, one.epoch).as_row(details=self._details)
