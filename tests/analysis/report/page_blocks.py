"""Reads the blocks of a page as its script does: inflates them, and puts those together that are made of pieces."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from itertools import accumulate
from typing import Any

Texts = Callable[[str], str]
"""Returns the text of a block by its name."""


def read_index(page: str) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="index">(.*?)</script>', page)
    return json.loads(found)


def read_block(page: str, name: str) -> Any:
    """The value of a block, such as `sample0`, of a page that holds its blocks."""

    def block_text(name: str) -> str:
        begin = f'<script type="application/octet-stream" id="{name}">'
        return page.partition(begin)[2].partition("</script>")[0]

    return put_together(read_index(page), block_text, name)


def put_together(index: Any, block_text: Texts, name: str) -> Any:
    told = inflated(block_text(name))
    parts = told.pop("~pieces", [])[::-1]
    for path, kind, *made in parts:
        if kind != "slice":
            _put(told, path, _made(index, block_text, kind, *made))
    for path, kind, *made in parts:
        if kind == "slice":
            (begin, end), place = made
            whole = _at(told, place).encode("utf-16-le", "surrogatepass")
            _put(told, path, whole[2 * begin : 2 * end].decode("utf-16-le", "surrogatepass"))
    return told


def inflated(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


def _made(index: Any, block_text: Texts, kind: str, steps: list[int], family: str = "", columns: Any = None) -> Any:
    numbers = list(accumulate(steps))
    if kind == "numbers":
        return numbers
    held: dict[int, list[Any]] = {}
    pieces = []
    for number in numbers:
        block, first = [place for place in index["pieces"][family] if place[1] <= number][-1]
        if block not in held:
            held[block] = inflated(block_text(f"pieces{block}"))
        pieces.append(json.loads(json.dumps(held[block][number - first])))
    if kind == "lines":
        return "\n".join(pieces)
    if kind == "object":
        return dict(zip(pieces[0], pieces[1:], strict=True))
    if kind == "list":
        return pieces
    left = {name: iter(list(accumulate(steps))) for name, steps in columns.items()}
    return [{**piece, **{name: next(left[name]) for name in whole}} for piece, whole in pieces]


def _at(told: Any, path: list[Any]) -> Any:
    for name in path:
        told = told[name]
    return told


def _put(told: Any, path: list[Any], value: Any) -> None:
    _at(told, path[:-1])[path[-1]] = value
