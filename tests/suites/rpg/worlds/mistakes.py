"""A corpus of mistakes: each is the tiny world with changes, and what has to be said of it.

Those in `invalid` make a world invalid; those in `odd` leave it sound, and something in it dead. A change sets what
stands at `document.key.0.key`, appends where a plus ends it, and where it names no more than the document it puts a
whole one, a text instead of one, or None for no file at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.builders import TINY, Json, documents

Change = tuple[str, Any]
Mistake = tuple[list[Change], str]
"""What is changed, and what is said of it after the name of the world."""

ITEM = {"level": 1, "type": "resource", "subtype": "", "description": "", "effects": {}}
TILE = {"name": "Field", "skin": ""}


def put(content: dict[str, Any], path: str, value: Any) -> None:
    """Make one change."""
    *steps, last = path.split(".")
    holder: Any = content
    for step in steps:
        holder = holder[int(step)] if isinstance(holder, list) else holder[step]
    if last == "+":
        holder.append(value)
    else:
        holder[int(last) if isinstance(holder, list) else last] = value


def tiny_with(changes: Iterable[Change]) -> dict[str, Json]:
    """The documents of the tiny world with changes."""
    content = documents(TINY)
    for path, value in changes:
        put(content, path, value)
    return content


def write_broken(folder: Path, changes: Iterable[Change]) -> Path:
    """The tiny world with changes, in a folder."""
    folder.mkdir()
    for name, document in tiny_with(changes).items():
        if document is not None:
            text = document if isinstance(document, str) else json.dumps(document)
            (folder / f"{name}.json").write_text(text, "utf-8")
    return folder


def recipe(*ingredients: str, skill: str = "smithing", level: int = 1) -> Json:
    return {"skill": skill, "level": level, "ingredients": dict.fromkeys(ingredients, 1)}


def thing(code: str, **fields: Any) -> Json:
    """An item as a row."""
    return {**ITEM, "code": code, "name": code.replace("_", " ").title(), **fields}


def drop(item: str) -> Json:
    return {"item": item, "one_in": 1, "min": 1, "max": 1}
