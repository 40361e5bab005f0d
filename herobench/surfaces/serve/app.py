"""Makes the application: tasks, scoring and health, and the routes of NeMo Gym's resources servers.

verifiers and NeMo RL use the routes of NeMo Gym too; these need no package of NeMo. A row is a task:
`responses_create_params` to send to a model, and the `task_id`. `/seed_session` begins with a row, tools of the task
are called by their names, and `/verify` gets the row with the response, as the Responses API has it.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from statistics import fmean
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from herobench.conversation import Reply, ToolCall
from herobench.data.documents import json_object
from herobench.data.errors import quoted
from herobench.models.responses_api import turns_in
from herobench.scorer import Play, Result, Scorer, TurnReward
from herobench.scorer.play import one_by_one
from herobench.surfaces import http_guards
from herobench.surfaces.serve import bodies
from herobench.surfaces.serve.bodies import ResultRow, answer
from herobench.surfaces.sessions import (
    EXPIRY,
    MOST_SESSIONS,
    MOST_WAITING,
    ClientSession,
    Refused,
    ScoringQueue,
    Sessions,
    gym_rows,
    refuse_oracle_prefix,
    refuse_unknown_task,
    refuse_window,
    task_list,
    task_view,
)

_Responses = dict[int | str, dict[str, Any]]


def _refusals(sentences: dict[int, str]) -> _Responses:
    return {status: {"model": bodies.RefusalBody, "description": why} for status, why in sentences.items()}


_OF_ALL = _refusals(
    {
        413: "The body is too large.",
        422: "The body is not what is described here.",
        429: "The queue is full, or all sessions are taken: try again.",
        503: "The sandbox cannot run plans.",
    }
)
_OF_TASKS = _refusals({404: "There is no such task."})
_ABOUT = "Scores answers to the tasks of a suite, and plays attempts by the tools of NeMo Gym."
_COOKIE = "herobench_session"
_INDEX = "_ng_task_index"
"""The column in which NeMo Gym numbers tasks."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of what clients may request at once."""

    body: int = http_guards.MOST
    """The bytes of a body."""
    queue: int = MOST_WAITING
    """The answers that wait or run."""
    sessions: int = MOST_SESSIONS
    expiry: float = EXPIRY
    """The seconds after which an unused session is closed."""


def make_app(
    scorer: Scorer, bounds: Bounds | None = None, *, details: bool = False, oracle_prefixes: bool = False
) -> FastAPI:
    """Return the application for the tasks of a scorer. The scorer is the caller's: it is closed after the server.

    With `details`, clients see the parts of their results, which reveal what a solution needs. With `oracle_prefixes`,
    they may begin after turns of the oracle's plan, which they are told.
    """
    refuse_window(scorer.query)
    bounds = bounds or Bounds()
    queue = ScoringQueue(scorer.jobs, bounds.queue)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(queue.close)

    # FastAPI's own documentation pages are off: they load scripts from another host.
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
    app.add_middleware(KeptCookie)  # after the other one, so that it is around it: a refused body keeps its cookie too
    bodies.explain_refusals(app)
    sessions = Sessions(scorer, bounds.sessions, bounds.expiry)
    routes = Routes(scorer, queue, sessions, details=details, oracle_prefixes=oracle_prefixes)
    routes.add_to(app)
    routes.add_nemo_gym_to(app)
    return app


class Routes:
    """The routes about tasks and answers, and those of a resources server of NeMo Gym."""

    def __init__(
        self, scorer: Scorer, queue: ScoringQueue, sessions: Sessions, *, details: bool, oracle_prefixes: bool
    ) -> None:
        self._scorer, self._queue, self._sessions = scorer, queue, sessions
        self._details, self._oracle_prefixes = details, oracle_prefixes

    def add_to(self, app: FastAPI) -> None:
        """Add the routes to an application."""
        scoring = {"response_model": ResultRow | bodies.Results, "responses": _OF_TASKS, "tags": ["scoring"]}
        task = {"response_model": bodies.TaskBody, "responses": _OF_TASKS, "tags": ["tasks"]}
        add = app.add_api_route
        add("/health", self.health, response_model=bodies.Health, tags=["server"])
        add("/tasks", self.tasks, response_model=bodies.TaskList, tags=["tasks"])
        add("/tasks/{task_id:path}", self.task, **task)
        add("/score", self.score, methods=["POST"], **scoring)

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
                "sessions": len(self._sessions),
            }
        )

    async def tasks(self, part: Annotated[bodies.TaskSlice, Query()]) -> Response:
        """List tasks, in their order."""
        return answer(task_list(self._scorer, part.offset, part.limit))

    async def task(self, task_id: str) -> Response:
        """Return a task as a model sees it."""
        return answer(await self._queue.one(task_view, self._scorer, task_id))

    async def score(self, body: bodies.Answers) -> Response:
        """Score one answer, or several at once. The results of several come in their order."""
        answers = body.answers if isinstance(body, bodies.Batch) else [body]
        for one in answers:  # before any of them is scored
            refuse_unknown_task(self._scorer, one.task_id)
        rows = await self._queue.all([partial(self._score, one) for one in answers])
        return answer({"results": rows} if isinstance(body, bodies.Batch) else rows[0])

    def _score(self, one: bodies.AnswerBody) -> dict[str, Any]:
        return self._scorer.score(one.task_id, one.answer, one.epoch).as_row(details=self._details)

    # -- NeMo Gym -----------------------------------------------------------------------------------------------------

    def add_nemo_gym_to(self, app: FastAPI) -> None:
        """Add the routes of NeMo Gym after all others, since the last one takes any name of a tool."""
        missing = {404: {"model": bodies.RefusalBody, "description": "There is no such task, session or tool."}}
        common: dict[str, Any] = {"methods": ["POST"], "tags": ["NeMo Gym"], "responses": missing}
        app.add_api_route("/rows", self.rows, tags=["NeMo Gym"], response_class=StreamingResponse)
        app.add_api_route("/seed_session", self.seed_session, **common)
        app.add_api_route("/verify", self.verify, response_model=bodies.Verified, **common)
        app.add_api_route("/aggregate_metrics", self.aggregate_metrics, response_model=bodies.Metrics, **common)
        app.add_api_route(f"/{{{bodies.TOOL}}}", self.tool, response_class=PlainTextResponse, **common)

    def rows(self, choice: Annotated[bodies.RowChoice, Query()]) -> StreamingResponse:
        """Return all tasks as lines of JSON, to train and evaluate on. They may begin after turns of the oracle."""
        refuse_oracle_prefix(choice.prefix, allowed=self._oracle_prefixes)
        rows = gym_rows(self._scorer, choice.prefix, choice.model_dump(exclude_defaults=True))
        return StreamingResponse(map(_line, rows), media_type="application/jsonl")

    async def seed_session(self, body: bodies.SeedRow) -> Response:
        """Begin with a row. Where the task has tools, a session is opened, and a cookie names it."""
        refuse_unknown_task(self._scorer, body.task_id)
        refuse_oracle_prefix(body.prefix, allowed=self._oracle_prefixes)
        done = answer({})
        if await self._queue.one(self._has_tools, body.task_id):
            terms = body.prefix, body.turn_reward, body.gamma
            session = await self._queue.one(self._sessions.open, body.task_id, 0, *terms)
            done.headers["set-cookie"] = _cookie(session.key)
        return done

    async def tool(self, tool: str, body: dict[str, Any], request: Request) -> Response:
        """Call a tool of the task in the session. The answer is a text, as the model is told it."""
        key = _session_in(request)
        if key is None:
            raise Refused(
                404, f"There is no route {quoted(tool)}. If it is a tool, begin with /seed_session and its cookie."
            )
        return PlainTextResponse(await self._queue.one(_call_tool, self._sessions.at(key), tool, body))

    async def verify(self, body: bodies.VerifyRow, request: Request) -> Response:
        """Score a response. Its session, if the response called tools in one, is closed."""
        refuse_unknown_task(self._scorer, body.task_id)
        refuse_oracle_prefix(body.prefix, allowed=self._oracle_prefixes)
        result, rewards, steps = await self._queue.one(self._result, body, _session_in(request))
        figures = {
            "reward": result.reward,
            **result.figures(),
            "reward_components": result.figures(),
            "failure": result.failure,
            "given_turns": result.given_turns,
            "turn_rewards": rewards,
            "step_rewards": steps,
        }
        return answer({**body.model_dump(exclude_unset=True), **figures})

    async def aggregate_metrics(self, body: bodies.Rollouts) -> Response:
        """Return means of all numbers of rollouts."""
        rollouts = body.verify_responses
        groups: dict[Any, list[dict[str, Any]]] = {}
        for rollout in rollouts:
            groups.setdefault(str(rollout.get(_INDEX, rollout.get("task_id"))), []).append(rollout)
        by_task = [{**_names(group[0]), **_means(group)} for group in groups.values()]
        means = _means(rollouts)
        return answer({"group_level_metrics": by_task, "agent_metrics": means, "key_metrics": means})

    def _has_tools(self, task_id: str) -> bool:
        play = self._scorer.play(task_id)
        if play.tools and any(message.pictures for message in play.conversation):
            raise Refused(422, "A tool of NeMo Gym returns text, and this task shows pictures: use OpenEnv.")
        return bool(play.tools)

    def _session(self, key: str | None, task_id: str) -> ClientSession | None:
        """Remove and return a session; None if there is none, or it is of another task."""
        try:
            session = None if key is None else self._sessions.close(key)
        except Refused:
            return None
        return session if session and session.play.task_id == task_id else None

    def _result(self, row: bodies.VerifyRow, key: str | None) -> tuple[Result, list[float], list[float]]:
        """Return the result of a row, the rewards of its calls, and those of the turns of the model."""
        session = self._session(key, row.task_id)
        turns = list(turns_in(row.response.get("output")))
        if turns and row.response.get("status") == "incomplete":
            turns[-1] = replace(turns[-1], stop="length")
        if session is None or not session.rewards:
            credit = TurnReward(self._scorer.play(row.task_id, 0, row.prefix), row.turn_reward, row.gamma)
            # each call is a turn of its own, as in a session
            rewards = credit.of_turns(call for turn in turns or [Reply("")] for call in one_by_one(turn))
            return credit.play.result(), rewards, _step_rewards(turns, credit.play, rewards)
        with session.turn() as play:
            if not play.over:  # a text after the last call, if there is one
                session.end(turns[-1] if turns and not turns[-1].tool_calls else None)
            return play.result(), session.rewards, _step_rewards(turns, play, session.rewards)


class KeptCookie:
    """Sends the cookie of a session with each answer, since NeMo Gym's agent keeps only the cookies of the last one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        key = _session_in(Request(scope)) if scope["type"] == "http" else None

        async def send_cookie(event: Message) -> None:
            if key is not None and event["type"] == "http.response.start":
                MutableHeaders(scope=event).setdefault("set-cookie", _cookie(key))
            await send(event)

        await self._app(scope, receive, send_cookie)


def _cookie(key: str) -> str:
    return f"{_COOKIE}={key}; HttpOnly; Path=/; SameSite=strict"


def _session_in(request: Request) -> str | None:
    # Not http.cookies: it fails if a cookie of another program has a name that it refuses.
    key: str | None = request.cookies.get(_COOKIE)
    return key


def _call_tool(session: ClientSession, tool: str, arguments: Mapping[str, Any]) -> str:
    """Call a tool, and return its result for the model. Agents may send all calls of a turn at once."""
    with session.turn(wait=True) as play:
        if tool not in (one.name for one in play.tools):
            raise Refused(404, f"There is no tool {quoted(tool)} here.")
        if play.over:
            return "The attempt is over."
        call = ToolCall(f"call_{play.turns}", tool, json.dumps(arguments))
        return "\n".join(message.text for message in session.play_locked(Reply("", (call,)))) or "The attempt is over."


def _step_rewards(turns: Sequence[Reply], play: Play, rewards: Sequence[float]) -> list[float]:
    """Return a reward for each turn of the model: the sum over its calls. A call that was refused has none."""
    paid = deque(zip(play.replies[play.begun :], rewards, strict=False))
    steps = [0.0] * max(1, len(turns))
    for step, turn in enumerate(turns):
        for call in one_by_one(turn):
            if paid and _told_calls(call) == _told_calls(paid[0][0]):
                steps[step] += paid.popleft()[1]
    steps[-1] += sum(rewards) - sum(steps)  # of the end, where no call has it
    return steps


def _told_calls(reply: Reply) -> list[tuple[str, Any]]:
    return [(call.name, json_object(call.arguments)) for call in reply.tool_calls]


def _names(rollout: Mapping[str, Any]) -> dict[str, Any]:
    return {name: rollout[name] for name in (_INDEX, "task_id") if name in rollout}


def _means(rollouts: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return the mean of each number. NeMo Gym's own columns, which begin with an underscore, are left out."""
    by_name: dict[str, list[int | float]] = {}
    for rollout in rollouts:
        for name, value in rollout.items():
            if isinstance(value, int | float) and not name.startswith("_"):
                by_name.setdefault(name, []).append(value)
    try:
        return {f"mean/{name}": fmean(values) for name, values in by_name.items()}
    except OverflowError:
        raise Refused(422, "The numbers of the rollouts are too large for a mean.") from None


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row) + "\n"
