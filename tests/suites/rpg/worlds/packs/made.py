"""Packs for tests: as documents, and in folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from herobench.suites.rpg.worlds.layered_world import Pack
from tests.builders import TINY, Json

ABOUT: Json = {
    "schema": 1,
    "code": "frosty",
    "name": "Frosty",
    "description": "Colder.",
    "credits": "Of the pack.",
    "extends": str(TINY),
}


def item(code: str, **changes: Any) -> Json:
    """An item of no use, called like its code."""
    name = code.replace("_", " ").title()
    row = {"code": code, "name": name, "level": 1, "type": "resource", "subtype": "", "description": "", "effects": {}}
    return {**row, **changes}


def pack(name: str = "frosty", builds_on: tuple[str, ...] = (), **documents: Json) -> Pack:
    """A pack that changes what its documents say."""
    about = {**ABOUT, "code": name, "name": name.title()}
    return Pack(name, f"/{name}", about, documents, frozenset(f"/{other}" for other in builds_on))


def write_pack(folder: Path, about: Json | None = None, **documents: Any) -> Path:
    """A pack in a folder, laid on the tiny world if not said otherwise; a text is written as it is."""
    folder.mkdir(parents=True)
    for name, content in {"pack": {**ABOUT, **(about or {})}, **documents}.items():
        text = content if isinstance(content, str) else json.dumps({"schema": 1, **content})
        (folder / f"{name}.json").write_text(text, "utf-8")
    return folder


def content(found: dict[str, Json]) -> dict[str, Json]:
    """Documents less what a world says of itself."""
    about = {
        key: value for key, value in found["world"].items() if key not in ("code", "name", "description", "credits")
    }
    return {**found, "world": about}
