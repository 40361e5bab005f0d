r"""Find secrets in a text that may disguise them, and cover them. `secrets` calls this; it alone knows what is secret.

A text is folded before the search, and each place that is found is followed back into the text. Folding drops all but
the printable characters of ASCII and makes all letters small. A second look also drops escape sequences of terminals
and decodes `\u0073`, `\x73`, `%73`, `&#115;` and `&hyphen;`, three times over. A secret is searched for as it is, in
hexadecimal and in Base64. So a secret is found with spaces, zero-width characters or colours between its letters, but
not with other ASCII between them, such as `s*k*-`. Each step passes once over the text, so that no text takes long.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

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
    return chr(int(sign[1:], 16)) if len(sign) > 1 else "\n" if sign else "\\"


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
