"""Says whether a model can be checked, before a checkup begins: its key, its name, its server, and its price."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from difflib import get_close_matches
from typing import TYPE_CHECKING, cast

from herobench.checkup.parts import PARTS, Part
from herobench.conversation import Message, Request
from herobench.data.errors import UsageError
from herobench.models.endpoint import SERVED, build_model, maker_of
from herobench.models.model import close, reply_of
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.prices import Price
from herobench.runs.options import RunRequest
from herobench.runs.spec import RunSpec, make_spec
from herobench.suite.checked import suite_class

if TYPE_CHECKING:
    from herobench.models.openai_api import ServedModel

_HELLO = Request("checkup", 0, (Message("user", "Say OK."),))


def price_of(request: RunRequest, budget: float | None, parts: Sequence[Part] = PARTS) -> Price | None:
    """Return the price of a model that can be asked; None if no price is known.

    Raise UsageError for one that cannot: without a key, a player that lacks a suite, or a budget without a price.
    """
    model = request.get("model")
    if model is None:
        raise UsageError("Say which model to check: --model NAME, or --model oracle to see how it goes.")
    suites, playing = _suites(parts), _playing(model, parts)
    if playing and len(playing) < len(suites):
        raise UsageError(
            f"The player {model} plays {' and '.join(playing)} only: a checkup asks a served model, or the oracle."
        )
    conduct = {**(request.get("conduct") or {}), **({} if budget is None else {"cost_limit": budget})}
    spec = _first_spec(cast("RunRequest", {**request, "conduct": conduct}), parts)
    with closing(spec.suite):
        if not spec.is_player:
            asyncio.run(close(build_model(spec.model, spec.suite.players), model))
        return spec.price


def refuse_unserved(request: RunRequest, parts: Sequence[Part] = PARTS) -> None:
    """Ask the server of a model whether it serves it. Raise UsageError if it does not, or cannot be reached."""
    spec = _first_spec(request, parts)
    with closing(spec.suite):
        if spec.is_player or maker_of(spec.model.name)[0] != SERVED:
            return
        model = cast("ServedModel", build_model(spec.model, spec.suite.players))
        if (problem := asyncio.run(_problem(model, maker_of(spec.model.name)[1]))) is not None:
            raise UsageError(f"{problem} Nothing was begun.")


async def _problem(model: ServedModel, name: str) -> str | None:
    """Return why no attempt can be asked; None if nothing is known against it.

    Servers need not list all names that they take, nor tell the list to every key. So a model that is not listed is
    asked to say OK, which costs nothing if it is refused.
    """
    listed: list[str] = []
    try:
        try:
            listed = await model.served_names()
        except ModelError as error:
            if error.kind is ErrorKind.CONNECTION:
                raise
        if name not in listed:
            await reply_of(model, _HELLO)
    except ModelError as error:
        near = get_close_matches(name, listed, 1) if error.kind is ErrorKind.NO_MODEL else []
        meant = f" Is {near[0]} meant?" if near else ""
        return f"{error.message.rstrip('.')}.{meant}" if error.everywhere else None
    finally:
        await close(model, name)
    return None


def is_player(model: str, parts: Sequence[Part] = PARTS) -> bool:
    """Return whether a model is a player of all suites."""
    return _playing(model, parts) == _suites(parts)


def _suites(parts: Sequence[Part]) -> list[str]:
    return list(dict.fromkeys(part.suite for part in parts))


def _playing(model: str, parts: Sequence[Part]) -> list[str]:
    return [suite for suite in _suites(parts) if model.partition(":")[0] in suite_class(suite).players]


def _first_spec(request: RunRequest, parts: Sequence[Part]) -> RunSpec:
    return make_spec(cast("RunRequest", {**request, "suite": parts[0].suite, "limit": 1}))
