"""Reads the answer out of a response: the JSON behind the last `ANSWER:`, or else the last JSON that stands alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

# No pattern has two runs that may share white space, nor one that may begin at each line of it: models get stuck in
# repeating white space, and such patterns would take hours then.
_MARK = re.compile(r"answer[\s*_`]*:", re.IGNORECASE)
_NONE = re.compile(r"\A[\"'`*(\[]*none\b", re.IGNORECASE)
_ONLY_NONE = re.compile(r"\W*none\W*\Z", re.IGNORECASE)
_MOST_TRIES = 200


class Found(NamedTuple):
    """An answer: a value of JSON, where None is the answer None."""

    value: Any


def answer_in(response: str) -> Found | None:
    """Return the answer in a response; None if there is none."""
    marks = list(_MARK.finditer(response))
    return _first(response[marks[-1].end() :]) if marks else _alone(response.strip())


def _first(text: str) -> Found | None:
    """Return the value that a text begins with."""
    text = text.lstrip(" \t\r\n*_`").removeprefix("json").lstrip()
    if _NONE.match(text):
        return Found(None)
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return Found(value)


def _alone(text: str) -> Found | None:
    """Return the value that is the whole text, its last line, or a block that ends it."""
    for part in _parts(text):
        try:
            return Found(json.loads(part))
        except (ValueError, RecursionError):
            if _ONLY_NONE.match(part):
                return Found(None)
    return None


def _parts(text: str) -> Iterator[str]:
    bare = text.strip("`").removeprefix("json").strip()
    yield bare
    yield bare.splitlines()[-1].strip() if bare else ""
    # the longest block at the end that is JSON: it may stand on several lines
    starts = [match.start() for match in re.finditer(r"(?m)^[^\S\n]*[\[{]", bare)]
    yield from (bare[start:].strip() for start in starts[-_MOST_TRIES:])
