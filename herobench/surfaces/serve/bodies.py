"""The bodies of requests and answers: models that check requests, and from which OpenAPI describes both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator
from starlette.exceptions import HTTPException

from herobench.data.errors import HeroBenchError, InputError, SandboxError, UsageError, short_line
from herobench.scorer import RewardKind
from herobench.surfaces.sessions import Refused, wrong_fields

TOOL = "tool"
"""The parameter of the route that takes the name of any tool."""
_AGAIN = "1"
"""The seconds after which a client may try again."""


def answer(document: Any, status: int = 200) -> Response:
    """Return a document as an answer. It is ASCII, since a model may write half a surrogate pair."""
    headers = {"Retry-After": _AGAIN} if status in (429, 503) else None
    return Response(json.dumps(document, allow_nan=False), status, headers, "application/json")


def explain_refusals(app: FastAPI) -> None:
    """Make an application answer an error with its message."""
    for kind in (HeroBenchError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _refuse)


async def _refuse(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.status_code == 405 and TOOL in request.path_params:
        error = HTTPException(404, "Not Found")  # only the route of tools matches this path, and it takes any name
    status, sentence = _explain(error)
    refusal = answer({"detail": short_line(sentence)}, status)
    if isinstance(error, HTTPException):
        refusal.headers.update(error.headers or {})
    return refusal


def _explain(error: Exception) -> tuple[int, str]:
    """Return the status and the message of an error."""
    if isinstance(error, RequestValidationError):
        return 422, wrong_fields(error.errors())
    if isinstance(error, HTTPException):
        return error.status_code, str(error.detail)
    if isinstance(error, Refused):
        return error.status, str(error)
    if isinstance(error, UsageError | InputError):  # such as an answer or a question that is too large
        return 422, str(error)
    return 503 if isinstance(error, SandboxError) else 500, str(error)


_Text = Annotated[str, Tag("<text>")]
_Message = Annotated[dict[str, Any], Tag("<message>")]
_FORMS: Mapping[type, str] = {str: "<text>", dict: "<message>", list: "<turns>"}


def _forms(wanted: str) -> Discriminator:
    """Choose the form of a value by its type, so that an error is about that form alone."""
    return Discriminator(lambda value: _FORMS.get(type(value)), custom_error_type="form", custom_error_message=wanted)


Turn = Annotated[_Text | _Message, _forms("a text, or a message of chat completions")]
"""One turn of a model: a text, or a message of the assistant in the form of chat APIs."""
_Turns = Annotated[
    _Text | _Message | Annotated[list[Turn], Tag("<turns>")],
    _forms("a text, a message of chat completions, or a list of these"),
]
Epoch = Annotated[int, Field(strict=True, ge=0, le=10_000)]


class _Given(BaseModel):
    """A body that a client sends. Unknown names are refused."""

    model_config = ConfigDict(extra="forbid")


class AnswerBody(_Given):
    """What a model said at a task."""

    task_id: str
    answer: _Turns = Field(
        description="One turn, or all of them. A turn is a text or a message of chat completions, with tool calls if "
        "any. Of a conversation only the messages of the assistant count."
    )
    epoch: Epoch = 0


class Batch(_Given):
    """Several answers."""

    answers: list[AnswerBody]


def _one_or_batch(body: Any) -> str:
    return "<batch>" if isinstance(body, dict) and "answers" in body else "<one>"


Answers = Annotated[
    Annotated[AnswerBody, Tag("<one>")] | Annotated[Batch, Tag("<batch>")], Discriminator(_one_or_batch)
]


class ResultRow(BaseModel):
    """The result of an attempt."""

    task_id: str
    epoch: int
    reward: float = Field(description="The score as a fraction: 1.0 for what an ideal attempt gets.")
    won: bool
    given_turns: int = Field(description="The turns of the oracle that were played first. A win has none.")
    score: float = Field(description="What `herobench score` says, in percent.")
    progress: float | None
    failure: str | None = Field(description="The suite's failure class; null for a win.")
    unfinished: str | None
    details: dict[str, Any] | None = Field(
        None, description="Columns of the suite, with the server's `--details` only."
    )


class Results(BaseModel):
    """The results of a batch, in its order."""

    results: list[ResultRow]


class TaskSlice(_Given):
    """Which part of the tasks to list."""

    offset: int = Field(0, ge=0)
    limit: int = Field(100, ge=1, le=1000)


class Listed(BaseModel):
    """A task in a list."""

    id: str
    group: str | None


class TaskList(BaseModel):
    """A part of the tasks."""

    suite: str
    dataset: str
    total: int
    tasks: list[Listed]


class TaskBody(Listed):
    """A task with the conversation that opens it."""

    messages: list[dict[str, Any]] = Field(description="Messages of chat completions.")
    tools: list[dict[str, Any]] = Field(description="Tools of chat completions; empty where there are none.")


class Health(BaseModel):
    """What the server serves, and how busy it is."""

    status: str
    version: str
    suite: str
    dataset: str
    tasks: int
    identity: dict[str, str] = Field(description="Digests and editions that scores depend on.")
    waiting: int = Field(description="Answers in the queue.")
    queue: int = Field(description="Places in the queue.")
    sessions: int


class RefusalBody(BaseModel):
    """Why a request was refused."""

    detail: str


class RowChoice(BaseModel):
    """The state in which the attempts of rows begin, and the kind of their rewards."""

    prefix: int = Field(0, description="The first N turns of the oracle's plan; -N for all but its last N.")
    turn_reward: RewardKind = "end"
    gamma: float = Field(1.0, gt=0, le=1)


class TaskRow(BaseModel):
    """A row of NeMo Gym; it may have more columns."""

    model_config = ConfigDict(extra="allow")
    task_id: str


class SeedRow(RowChoice, TaskRow):
    """A row with which an attempt begins."""


class _Sendable(BaseModel):
    """A value that is sent back, so JSON must be able to say it. Python reads NaN and 1e999 too."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, body: Any) -> Any:
        if isinstance(body, bytes):  # sent as another type than JSON: the model refuses it
            return body
        try:
            json.dumps(body, allow_nan=False)
        except (ValueError, RecursionError):
            raise ValueError("numbers have to be finite, and lists may not be nested so deep") from None
        return body


class VerifyRow(_Sendable, SeedRow):
    """A row of NeMo Gym with the response of the model, as the Responses API has it."""

    responses_create_params: dict[str, Any] = Field(default_factory=dict)
    response: dict[str, Any]


class Verified(VerifyRow):
    """The row with its reward. Numbers at the top are metrics."""

    reward: float
    win: float
    score: float
    progress: float
    failure: str | None
    given_turns: int
    reward_components: dict[str, float] = Field(description="The parts of the verdict, for GDPO: win, score, progress.")
    turn_rewards: list[float] = Field(description="The reward of each call, by the `turn_reward` of the row.")
    step_rewards: list[float] = Field(description="The same for each turn of the model, which may make several calls.")


class Rollouts(_Sendable):
    """Answers of `/verify` without the response."""

    verify_responses: list[dict[str, Any]]


class Metrics(BaseModel):
    """Means over rollouts: for each task, over all, and those to look at first."""

    group_level_metrics: list[dict[str, Any]]
    agent_metrics: dict[str, Any]
    key_metrics: dict[str, Any]
