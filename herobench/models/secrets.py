"""Know the secrets of a request, and cover them in everything that a server sends back.

Secrets are the key, credentials in the base URL, and each value that a user sent under a name such as `api_key`. A
server may echo them in any field and in disguise (`disguise` says which). They are covered with `[key]` in replies,
tool calls and errors before anything is stored, scored, cut short or shown.

A secret must have eight printable characters (`disguise.FEWEST`) and must not be one of the words that stand for no key
(`sk-no-key-required`): replies have such words by chance, and covering them would change answers for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from herobench.conversation import Reply, ToolCall
from herobench.models.disguise import Disguised
from herobench.models.model_error import ModelError

HIDDEN = "[hidden]"
"""The replacement for a secret in a configuration."""
_COVER = "[key]"
"""The replacement for a secret in a reply or an error."""
_NO_SECRETS = frozenset(
    "sk-no-key-required no-key-required no-api-key no-key-needed not-needed not-required not-provided not_needed "
    "not_required placeholder undefined anything lm-studio localhost".split()
)
"""Keys that documentation gives for servers without keys, and that are long enough to count as secrets."""
_NAME = re.compile(r"api[_-]?key|^key$|secret|passw|auth|(access|^hf)[_-]?token|^token$|credential", re.IGNORECASE)
_SCHEME = re.compile(r"(bearer|basic|token)\s+", re.IGNORECASE)


class Secrets:
    """The secrets of one endpoint."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._disguised = Disguised(secret for secret in secrets if secret.lower() not in _NO_SECRETS)

    @classmethod
    def sent(cls, key: str, url: str, body: object) -> Secrets:
        """Collect the secrets that a request takes to a server: its key, and those in its address and its body."""
        return cls([key, *_in_address(url), *_in_body(body)])

    def covered(self, text: str, cover: str = _COVER) -> str:
        """Return a text with the secrets covered."""
        return self._disguised.covered(text, cover)

    def are_in(self, text: str) -> bool:
        """Say whether a text has one of the secrets in it."""
        return self.covered(text) != text

    def reply(self, reply: Reply) -> Reply:
        """Return a reply with the secrets covered, in every field that comes from the server."""
        return replace(
            reply,
            text=self.covered(reply.text),
            # An id stays usable: it goes back to the server covered, in the call and in its result alike.
            tool_calls=tuple(map(self._call, reply.tool_calls)),
            reasoning=self._maybe(reply.reasoning),
            stop=self._maybe(reply.stop),
            model=self._maybe(reply.model),
            id=self._maybe(reply.id),
        )

    def _call(self, call: ToolCall) -> ToolCall:
        return ToolCall(self.covered(call.id), self.covered(call.name), self.covered(call.arguments))

    def failure(self, error: ModelError) -> ModelError:
        """Return an error with the secrets covered."""
        return ModelError(error.kind, self.covered(error.message), status=error.status, retry_after=error.retry_after)

    def _maybe(self, text: str | None) -> str | None:
        return None if text is None else self.covered(text)


def _in_address(url: str) -> Iterator[str]:
    """Yield the password of an address, or its user where it has none, and the secrets in its query."""
    try:
        parts = urlsplit(url)
    except ValueError:  # it only looks like an address
        return
    yield unquote(parts.password or parts.username or "")
    yield from (value for name, value in parse_qsl(parts.query) if _NAME.search(name))


def _in_body(value: object, *, secret: bool = False) -> Iterator[str]:
    """Yield the texts in a JSON value that stand under the name of a secret."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _in_body(inner, secret=secret or bool(_NAME.search(name)))
    elif isinstance(value, list):
        for inner in value:
            yield from _in_body(inner, secret=secret)
    elif secret and isinstance(value, str):  # `Bearer abc`: servers echo the token without its scheme too
        yield _SCHEME.sub("", value, count=1)


# -- configurations ---------------------------------------------------------------------------------------------------


def hidden(value: Any) -> Any:
    """Return a JSON value in which the values with the name of a secret are hidden."""
    if isinstance(value, dict):
        return {name: HIDDEN if _NAME.search(name) else hidden(inner) for name, inner in value.items()}
    return [hidden(inner) for inner in value] if isinstance(value, list) else value


def public_url(url: str) -> str:
    """Return an address without credentials."""
    try:
        parts = urlsplit(url)
    except ValueError:  # it only looks like an address
        return url
    query = urlencode([(name, HIDDEN if _NAME.search(name) else value) for name, value in parse_qsl(parts.query)])
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, query, ""))
