"""What the server sends: JSON that any text fits in, and a sentence for each refusal."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from herobench.errors import HeroBenchError, InputError, SandboxError, UsageError, short_line
from herobench.surfaces.refused import Refused

TOOL = "tool"
"""The parameter of the route that takes the name of any tool."""
_AGAIN = "1"
"""Seconds after which a client may try again."""


def answer(document: Any, status: int = 200) -> Response:
    """Return a document as an answer. It is ASCII, since a model may say half a character."""
    headers = {"Retry-After": _AGAIN} if status in (429, 503) else None
    return Response(json.dumps(document, allow_nan=False), status, headers, "application/json")


def explain_refusals(app: FastAPI) -> None:
    """Let an application answer errors with their sentence."""
    for kind in (HeroBenchError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _refuse)


async def _refuse(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.status_code == 405 and TOOL in request.path_params:
        error = HTTPException(404, "Not Found")  # only the route of tools, which takes any name, has this path
    status, sentence = _explained(error)
    refusal = answer({"detail": short_line(sentence)}, status)
    if isinstance(error, HTTPException):
        refusal.headers.update(error.headers or {})
    return refusal


def _explained(error: Exception) -> tuple[int, str]:
    """Return the status and the sentence for an error."""
    if isinstance(error, RequestValidationError):  # where the body is wrong, without the body
        told = ((one["loc"], one["msg"].removeprefix("Value error, ")) for one in error.errors()[:5])
        wrong = (f"{'.'.join(map(str, place))}: {message}" for place, message in told)
        return 422, "; ".join(wrong)
    if isinstance(error, HTTPException):
        return error.status_code, str(error.detail)
    if isinstance(error, Refused):
        return error.status, str(error)
    if isinstance(error, UsageError | InputError):  # an answer, or the question itself, can be too large
        return 422, str(error)
    return 503 if isinstance(error, SandboxError) else 500, str(error)
