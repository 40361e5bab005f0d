"""Find the model that a name stands for, and the address and the key of a served model. Say what to type where a
failure shows that the address is wrong.

The name of an entry point, alone or before a colon (`replay:FILE`), makes that model; any other name is a served model.
`openai:NAME` is always served, for models that share a name with a player or an entry point. Address and key come from
the options, or from the environment variables of the SDK. Errors never repeat a key, nor the credentials that an
address may hold.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import replace
from difflib import get_close_matches
from typing import cast
from urllib.parse import urlsplit, urlunsplit

from herobench.conversation import Model
from herobench.data.errors import UsageError
from herobench.models.model import Endpoint, ModelSpec
from herobench.models.model_error import LONGEST_WAIT, ErrorKind, ModelError, ModelFault
from herobench.suite import plugins

SERVED = "openai"
"""The entry point of served models."""
LOCAL = "local"
"""The entry point of models that run on this machine."""

KEY_NAME = "OPENAI_API_KEY"
URL_NAME = "OPENAI_BASE_URL"
OPENAI = "https://api.openai.com/v1"
_NO_KEY = "none"
"""The key that is sent to servers without keys: the SDK does not work without any."""
_SENDABLE = re.compile(r"[!-~]+")


# -- address and key --------------------------------------------------------------------------------------------------


def address(base_url: str | None) -> str:
    """Return the base URL: the given one, else the one in the environment, else OpenAI's."""
    url = base_url or os.environ.get(URL_NAME) or OPENAI
    if not _is_address(url):
        shown = _without_credentials(url)
        raise UsageError(ModelFault.BAD_URL, url=shown)
    return url


def _without_credentials(url: str) -> str:
    """Return what may be shown of an address that cannot be parsed: not the parts that may hold a secret."""
    return url.rpartition("@")[2].partition("?")[0]


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # Reading `port` also checks it: it raises where it is not a number in range.
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets or a port that are none
        return False
    return sound and url.isprintable() and " " not in url


def is_openai(url: str) -> bool:
    """Say whether an address is OpenAI's own."""
    return urlsplit(url).hostname == urlsplit(OPENAI).hostname


def key_in(key_name: str | None) -> str | None:
    """Return the key in the environment variable of this name, or of the usual one."""
    return os.environ.get(key_name or KEY_NAME) or None


def key_for(key_name: str | None, url: str) -> str:
    """Return the key for an address. Raises UsageError where one is needed and none is set."""
    key = key_in(key_name)
    # Checked here because the HTTP library would name the whole header in its own error, and the key with it.
    if key and not _SENDABLE.fullmatch(key):
        told = f"{key_name or KEY_NAME} holds what cannot be a key"
        raise UsageError(ModelFault.BAD_KEY, told=told)
    if key:
        return key
    if key_name:
        raise UsageError(ModelFault.NO_KEY, key_name=key_name)
    if is_openai(url):
        raise UsageError(ModelFault.NO_SERVER, key_name=KEY_NAME, players="")
    return _NO_KEY


# -- the name ---------------------------------------------------------------------------------------------------------


def parse_model_name(name: str) -> tuple[str, str]:
    """Return the entry point that makes a model, and its argument: `replay:a.jsonl` gives `replay` and `a.jsonl`."""
    first, colon, rest = name.partition(":")
    known = plugins.names(plugins.MODELS)
    if first in known and (colon or first != SERVED):
        return first, rest
    return SERVED, name


def build_model(setting: ModelSpec, players: Collection[str] = (), suite: str = "") -> Model:
    """Build the model that the setting names. Raises UsageError where it cannot.

    A run calls this after it has asked the suite for a player of that name: `players` are spellings to suggest. With
    the name of the suite, a user without a key is told of them.
    """
    maker, argument = parse_model_name(setting.name)
    if maker == SERVED and argument == setting.name:
        _refuse_unserved(setting, players, suite)
    made = plugins.build(plugins.MODELS, maker, replace(setting, argument=argument), calls=["reply", "close"])
    return cast("Model", made)


def _refuse_unserved(setting: ModelSpec, players: Collection[str], suite: str) -> None:
    """Refuse a name that is nearly one of ours, and any name without a key if the suite has players to take instead."""
    # Only for OpenAI itself: there `orcale` would cost a request and a puzzling 404. On a server of their own, people
    # name models as they like.
    if not is_openai(address(setting.endpoint.base_url)):
        return
    known = [*players, *plugins.names(plugins.MODELS)]
    if near := get_close_matches(setting.name.partition(":")[0], known, 1, cutoff=0.75):
        raise UsageError(ModelFault.NO_MODEL, name=setting.name, near=near[0])
    if suite and players and not (setting.endpoint.key_name or key_in(None)):
        own = f"; the suite {suite} has players that need neither: {', '.join(players)}"
        raise UsageError(ModelFault.NO_SERVER, key_name=KEY_NAME, players=own)


# -- advice -----------------------------------------------------------------------------------------------------------


def advised(error: ModelError, endpoint: Endpoint, url: str) -> ModelError:
    """Return a failure with advice, if a wrong address or option may have caused it."""
    told = _advice(error, endpoint, url)
    if told is None:
        return error
    return error.reworded(f"{error.message.rstrip('.')}. {told}")


def _advice(error: ModelError, endpoint: Endpoint, url: str) -> str | None:
    words, parts = error.message.lower(), urlsplit(url)
    if error.retry_after is not None and error.retry_after > LONGEST_WAIT:
        wait = f"{error.retry_after:,.0f} seconds"
        return f"It asks to wait {wait}, and a run waits {LONGEST_WAIT:,.0f} at most: resume the run later."
    if error.status not in (400, 403, 404, 405, 422, 501) and error.kind is not ErrorKind.MALFORMED:
        return None
    if endpoint.stream and _OF_STREAMS.search(words):
        return "If the server cannot stream, add --no-stream."
    if endpoint.api == "chat" and _OF_RESPONSES.search(words):
        return "If the model is served by the Responses API alone, add --api responses."
    if error.status in (400, 403, 422) or "model" in words:
        return None
    if not _VERSIONED.search(parts.path):
        versioned = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], f"{parts.path.rstrip('/')}/v1", "", ""))
        return f"Give --base-url {versioned} if the address lacks its version."
    if endpoint.api == "responses" and error.kind is not ErrorKind.MALFORMED:
        return "If the server has no Responses API, leave out --api responses."
    return None


_OF_STREAMS = re.compile(r"stream_options|'stream'|streaming|stream is not|stream=true")
_OF_RESPONSES = re.compile(r"v1/responses|responses api|not a chat model|/responses endpoint")
_VERSIONED = re.compile(r"/v[0-9]|/deployments/")
