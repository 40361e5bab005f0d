"""Know the secrets of a request, and cover them in everything that a server sends back.

Secrets are the key, credentials in the base URL, and each value that a user sent under a name such as `api_key`. A
server may echo them in any field and in disguise (`disguise` says which). They are covered with `[key]` in replies,
tool calls and errors before anything is stored, scored, cut short or shown.

Servers also show a part of a key: its last eight characters, its ends with asterisks between, or as much of its begin
as they have room for. All of that is covered, the begin from twenty characters on.

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
from herobench.models.disguise import FEWEST, Disguised
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
_TAIL = 8
"""The characters at the end of a key that servers show in messages."""
_LONG = 20
"""A secret of so many characters is no word, and neither is its end."""
_SHOWN, _MOST_SHOWN = 4, 24
"""The fewest and the most characters that a masked key shows at its end, if it shows none before."""
_NAME = re.compile(r"api[_-]?key|^key$|secret|passw|auth|(access|^hf)[_-]?token|^token$|credential", re.IGNORECASE)
_SCHEME = re.compile(r"(bearer|basic|token)\s+", re.IGNORECASE)


class Secrets:
    """The secrets of one endpoint."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = [secret for secret in secrets if secret.lower() not in _NO_SECRETS]
        self._disguised = Disguised([*known, *(secret[-_TAIL:] for secret in known if _has_secret_tail(secret))])
        self._masked = [_masked(secret) for secret in known if len(secret) >= FEWEST]
        # what follows is covered too as far as it looks like a key, whether it is one or was changed
        heads = {re.escape(secret[:_LONG]) for secret in known if len(secret) > _LONG}
        rest = r"(?:\.?[\w+/=~-])*+"
        self._cut = re.compile(rf"(?:{'|'.join(sorted(heads))}){rest}", re.IGNORECASE) if heads else None

    @classmethod
    def sent(cls, key: str, url: str, body: object) -> Secrets:
        """Collect the secrets that a request takes to a server: its key, and those in its address and its body."""
        return cls([key, *_in_address(url), *_in_body(body)])

    def covered(self, text: str, cover: str = _COVER) -> str:
        """Return a text with the secrets covered."""
        for masked in self._masked:
            text = masked.sub(lambda _: cover, text)
        text = self._disguised.covered(text, cover)
        return text if self._cut is None else self._cut.sub(lambda _: cover, text)

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
            server_fields=self._json(reply.server_fields),
        )

    def _call(self, call: ToolCall) -> ToolCall:
        return ToolCall(self.covered(call.id), self.covered(call.name), self.covered(call.arguments))

    def failure(self, error: ModelError) -> ModelError:
        """Return an error with the secrets covered."""
        return ModelError(error.kind, self.covered(error.message), status=error.status, retry_after=error.retry_after)

    def _json(self, value: Any) -> Any:
        """Return a JSON value with the secrets covered."""
        if isinstance(value, dict):
            return {self.covered(name): self._json(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._json(inner) for inner in value]
        return self.covered(value) if isinstance(value, str) else value

    def _maybe(self, text: str | None) -> str | None:
        return None if text is None else self.covered(text)


def _has_secret_tail(secret: str) -> bool:
    """Say whether the end of a secret alone is one: that of a word or two would stand in replies by chance."""
    return len(secret) >= 2 * _TAIL and (len(secret) >= _LONG or any(sign.isdigit() for sign in secret[-_TAIL:]))


def _masked(secret: str) -> re.Pattern[str]:
    """Return a pattern of the forms in which servers show a key: `sk-proj**********8Bn4`, `sk-...8Bn4`, `****8Bn4`.

    Also of its end alone, as far as it goes."""
    sizes = range(min(len(secret) - 1, _MOST_SHOWN), _SHOWN - 2, -1)
    begin = "|".join(re.escape(secret[:size]) for size in sizes)
    end = "|".join(re.escape(secret[-size:]) for size in sizes)
    alone = "|".join(re.escape(secret[-size:]) for size in sizes if size >= _SHOWN)
    tails = [re.escape(secret[-size:]) for size in sizes if size >= _TAIL] if _has_secret_tail(secret) else []
    # possessive, and only from the first sign of a row on: a text of asterisks alone must not take long
    between = r"(?:[*\u2022]{2,}+|\.{3,}+|\u2026++|[xX]{3,}+)"
    masked = [rf"(?:{begin}){between}(?:{end})", rf"(?<![*\u2022])[*\u2022]{{3,}}+(?:{alone})"]
    return re.compile("|".join([*masked, *tails]))


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
