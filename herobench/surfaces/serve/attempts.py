"""The routes of attempts that a client plays turn by turn: open a session, step, close."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import FastAPI, Response

from herobench.surfaces import stand
from herobench.surfaces.serve.answers import answer
from herobench.surfaces.serve.bodies import Opening, Problem, ResultRow, Stand, Step
from herobench.surfaces.sessions import Sessions
from herobench.surfaces.work import Work

_MISSING = {404: {"model": Problem, "description": "There is no such task or session."}}
_TAKEN = {409: {"model": Problem, "description": "The attempt is over, or another call plays it."}}


class Attempts:
    """The routes about sessions."""

    def __init__(self, played: Sessions, queue: Work, *, details: bool) -> None:
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
        return answer(stand.began(session), 201)

    async def step(self, session_id: str, body: Step) -> Response:
        """Play a turn of the model. The answer has what it is told next, or the result."""
        session = self._played.at(session_id)
        return answer(await self._queue.one(partial(stand.said, session, body.said, details=self._details)))

    async def close(self, session_id: str) -> Response:
        """Close a session, and return the result of the turns so far."""
        return answer((await self._queue.one(self._played.end, session_id)).as_row(details=self._details))
