"""Makes the application: tasks, scoring, sessions and health. `nemo_gym` has its other routes."""

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
from herobench.surfaces import http_guards, payloads
from herobench.surfaces.serve.bodies import (
    AnswerBody,
    Batch,
    Health,
    Opening,
    Part,
    RefusalBody,
    ResultRow,
    Results,
    SessionBody,
    Step,
    TaskBody,
    TaskList,
    answer,
    explain_refusals,
)
from herobench.surfaces.serve.nemo_gym import NemoGym
from herobench.surfaces.sessions import (
    EXPIRY,
    MOST_SESSIONS,
    MOST_WAITING,
    ClientSession,
    ScoringQueue,
    Sessions,
    refuse_unknown_task,
    refuse_window,
)

_Responses = dict[int | str, dict[str, Any]]


def _refusals(sentences: dict[int, str]) -> _Responses:
    return {status: {"model": RefusalBody, "description": why} for status, why in sentences.items()}


_OF_ALL = _refusals(
    {
        413: "The body is too large.",
        422: "The body is not what is described here.",
        429: "The queue is full, or all sessions are taken: try again.",
        503: "The sandbox cannot run plans.",
    }
)
_OF_TASKS = _refusals({404: "There is no such task."})
_OF_SESSIONS = _refusals(
    {404: "There is no such task or session.", 409: "The attempt is over, or another call plays it."}
)
_ABOUT = "Scores answers to the tasks of a suite, and lets clients play attempts turn by turn."


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much clients may ask for at once."""

    body: int = http_guards.MOST
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
        responses=_OF_ALL,
    )
    app.add_middleware(http_guards.BodyCap, most=bounds.body)
    explain_refusals(app)
    played = Sessions(scorer, bounds.sessions, bounds.expiry)
    Routes(scorer, queue, played, details=details).add_to(app)
    NemoGym(scorer, played, queue).add_to(app)
    return app


class Routes:
    """The routes about tasks, answers and sessions."""

    def __init__(self, scorer: Scorer, queue: ScoringQueue, played: Sessions, *, details: bool) -> None:
        self._scorer, self._queue, self._played = scorer, queue, played
        self._details = details

    def add_to(self, app: FastAPI) -> None:
        """Add the routes to an application."""
        post, sessions = ["POST"], {"tags": ["sessions"], "responses": _OF_SESSIONS}
        scoring = {"response_model": ResultRow | Results, "responses": _OF_TASKS, "tags": ["scoring"]}
        task = {"response_model": TaskBody, "responses": _OF_TASKS, "tags": ["tasks"]}
        one, add = "/sessions/{session_id}", app.add_api_route
        add("/health", self.health, response_model=Health, tags=["server"])
        add("/tasks", self.tasks, response_model=TaskList, tags=["tasks"])
        add("/tasks/{task_id:path}", self.task, **task)
        add("/score", self.score, methods=post, **scoring)
        add("/sessions", self.open, methods=post, status_code=201, response_model=SessionBody, **sessions)
        add(f"{one}/step", self.step, methods=post, response_model=SessionBody, **sessions)
        add(f"{one}/fork", self.fork, methods=post, status_code=201, response_model=SessionBody, **sessions)
        add(one, self.close, methods=["DELETE"], response_model=ResultRow, **sessions)

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

    async def score(self, body: AnswerBody | Batch) -> Response:
        """Score one answer, or several at once. The results of several come in their order."""
        answers = body.answers if isinstance(body, Batch) else [body]
        for one in answers:  # before any of them is scored
            refuse_unknown_task(self._scorer, one.task_id)
        rows = await self._queue.all([partial(self._score, one) for one in answers])
        return answer({"results": rows} if isinstance(body, Batch) else rows[0])

    def _score(self, one: AnswerBody) -> dict[str, Any]:
        return self._scorer.score(one.task_id, one.answer, one.epoch).as_row(details=self._details)

    async def open(self, body: Opening) -> Response:
        """Start an attempt. The answer has the opening of the conversation."""
        opening = partial(self._played.open, body.task_id, body.epoch, **body.chosen())
        return _opened(await self._queue.one(opening))

    async def step(self, session_id: str, body: Step) -> Response:
        """Play a turn of the model. The answer has what it is told next, or the result."""
        session = self._played.at(session_id)
        return answer(await self._queue.one(partial(payloads.said_and_paid, session, body.said, details=self._details)))

    async def fork(self, session_id: str) -> Response:
        """Open a session with a copy of the attempt, which goes on by itself. The answer has the conversation."""
        return _opened(await self._queue.one(self._played.fork, session_id))

    async def close(self, session_id: str) -> Response:
        """Close a session, and return the result of the turns so far."""
        return answer((await self._queue.one(self._played.end, session_id)).as_row(details=self._details))


def _opened(session: ClientSession) -> Response:
    return answer({**payloads.began(session), "reward": None}, 201)
