"""Cover the secrets of a request in everything that a server sends back.

A server may disguise a secret: cut it short, mask its middle, or encode it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from herobench.conversation import Reply, ToolCall
from herobench.models.model_error import ModelError

Span = tuple[int, int]

FEWEST = 8
"""The shortest secret to search for: shorter ones stand in ordinary texts by chance."""

_NOISE = re.compile(r"[^!-~]+")
_QUIET = re.compile(r"[^!-~\x07\x1b\x9b-\x9d]+")
"""Noise without the characters that begin and end escape sequences."""
_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours and movements
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x9d]*(?:\x07|\x1b\\|\x9c)"  # titles and links
)
_CODE = re.compile(
    r"\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[nrtbfv])?"
    r"|%[0-9a-f]{2}"
    r"|&(?:\#[0-9]{1,7};?|\#x[0-9a-f]{1,6};?|[a-z][a-z0-9]{1,31};)",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def _decoded(code: str) -> str:
    """Return the character of a code. A single backslash stays; several become one."""
    if code.startswith("&"):
        return unescape(code)
    if code.startswith("%"):
        return chr(int(code[1:], 16))
    sign = code.lstrip("\\")
    if len(sign) > 1:
        return chr(int(sign[1:], 16))
    return "\n" if sign else "\\"


def _dropped(_: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class _Fold:
    """One step of folding: the pattern it finds, and the replacement for it."""

    pattern: re.Pattern[str]
    said: Callable[[str], str] = _dropped

    def of(self, text: str) -> str:
        """Return the text with the step applied."""
        if self.said is _dropped:
            return self.pattern.sub("", text)
        return self.pattern.sub(lambda match: self.said(match[0]), text)

    def back(self, text: str, spans: Iterable[Span]) -> Iterator[Span]:
        """Yield where spans of the folded text stand in the text itself. The spans must be in order."""
        pieces = self._pieces(text)
        folded, size, begin, end = next(pieces)

        def place(position: int) -> Span:
            nonlocal folded, size, begin, end
            while folded + size <= position:
                folded, size, begin, end = next(pieces)
            if size != end - begin:
                return begin, end
            return begin + position - folded, begin + position - folded + 1

        for first, after in spans:
            yield place(first)[0], place(after - 1)[1]

    def _pieces(self, text: str) -> Iterator[tuple[int, int, int, int]]:
        """Yield the pieces of a text: the begin and the size when folded, then the begin and the end in the text."""
        folded = last = 0
        for match in self.pattern.finditer(text):
            begin, end = match.span()
            yield folded, begin - last, last, begin
            folded += begin - last
            size = len(self.said(match[0]))
            yield folded, size, begin, end
            folded += size
            last = end
        yield folded, len(text) - last, last, len(text)


_LOOKS: tuple[tuple[_Fold, ...], ...] = (
    (_Fold(_NOISE),),
    (_Fold(_QUIET), *[_Fold(_CODE, _decoded)] * 3, _Fold(_SEQUENCE), _Fold(re.compile(r"[^!-~]+|\\+"))),
)
"""The two looks at a text, each a list of steps."""


def _is_long_enough(secret: str) -> bool:
    """Say whether a secret is long enough to search for."""
    return len(_NOISE.sub("", secret)) >= FEWEST


class Disguised:
    """Secrets to find, without those that are too short."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = list(filter(_is_long_enough, secrets))
        encoded = {form for secret in known for form in _encoded(secret.encode())}
        forms = ({_folded(secret, look)[-1] for secret in known} | encoded for look in _LOOKS)
        self._wanted = [sorted(form for form in some if len(form) >= FEWEST) for some in forms]

    def covered(self, text: str, cover: str) -> str:
        """Return the text with a cover over each secret."""
        for look, wanted in zip(_LOOKS, self._wanted, strict=True):
            text = _covered(text, cover, look, wanted)
        return text


def _encoded(secret: bytes) -> Iterator[str]:
    """Yield a secret in hexadecimal, and those parts of its Base64 that do not depend on the bytes around it."""
    yield secret.hex()
    for before in range(3):
        code = b64encode(bytes(before) + secret).decode().lower()
        sure = code[-(-8 * before // 6) : 8 * (before + len(secret)) // 6]
        yield sure
        yield sure.replace("+", "-").replace("/", "_")


def _folded(text: str, look: Sequence[_Fold]) -> list[str]:
    """Return the text before and after each step. The last text has small letters only."""
    steps = [text]
    for fold in look:
        steps.append(fold.of(steps[-1]))
    steps[-1] = steps[-1].lower()
    return steps


def _covered(text: str, cover: str, look: Sequence[_Fold], wanted: Iterable[str]) -> str:
    *steps, folded = _folded(text, look)
    # The search runs on the folded text; each step then maps the places one level back, the last step first.
    spans = _merged(span for secret in wanted for span in _found(secret, folded))
    if not spans:
        return text
    for step, fold in zip(reversed(steps), reversed(look), strict=True):
        spans = _merged(fold.back(step, spans))
    ends, begins = [0, *(after for _, after in spans)], [*(first for first, _ in spans), len(text)]
    return cover.join(text[end:begin] for end, begin in zip(ends, begins, strict=True))


def _found(secret: str, folded: str) -> Iterator[Span]:
    """Yield the places of a secret in a folded text."""
    place = folded.find(secret)
    while place >= 0:
        yield place, place + len(secret)
        place = folded.find(secret, place + len(secret))


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in order, with those that overlap joined."""
    merged: list[Span] = []
    for first, after in sorted(spans):
        if merged and first < merged[-1][1]:
            merged[-1] = merged[-1][0], max(after, merged[-1][1])
        else:
            merged.append((first, after))
    return merged


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
"""A secret this long is not a word, and neither is its end."""
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
        """Return an error with the secrets covered, also in the reply that came with it."""
        covered = error.reworded(self.covered(error.message))
        covered.reply = error.reply and self.reply(error.reply)
        return covered

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
    """Say whether the end of a secret alone is one: the end of a word or two would stand in replies by chance."""
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
