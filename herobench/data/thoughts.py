"""Tells thoughts between tags from the rest of a reply, and replies that were cut off from whole ones.

Some servers send the thoughts of a reasoning model in the text of its reply, between tags such as `<think>`. A reply
was cut off if its tokens ran out, or if a thought in it never closes.
"""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
_OUT_OF_TOKENS = "length"
"""The word of servers for a reply whose tokens ran out. The models of this package use it for all APIs."""


def without_thoughts(text: str) -> tuple[str, int | None]:
    """Return a text without its thoughts, and where in it a thought begins that never closes; None if all close.

    If only the end of a thought is tagged, all text before it was thought. A thought that never closes is not left out.
    """
    kept: list[str] = []
    rest = 0
    begun: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        ends, kind = bool(tag[1]), tag[2].lower()
        if begun is None and not ends:
            begun = tag
        # Some models send the end tag only: the begin tag was part of their prompt.
        elif ends and begun is None:
            kept.clear()
            rest = tag.end()
        elif ends and begun is not None and begun[2].lower() == kind:
            kept.append(text[rest : begun.start()])
            rest = tag.end()
            begun = None
    before = "".join(kept)
    return before + text[rest:], None if begun is None else len(before) + begun.start() - rest


def is_cut_off(text: str, stop: str | None) -> bool:
    """Return whether a reply ended before it was whole, by its text and the reason to stop that the server gave."""
    return stop == _OUT_OF_TOKENS or without_thoughts(text)[1] is not None
