"""Worlds as files: the six documents of a world in a folder, laid out to be read and compared by people.

What holds for a world as a whole is spread out over lines; of everything else a row is a line, so that a change of a
monster or an item is a change of one line. The same documents give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from herobench.errors import StoreError, UsageError
from herobench.rpg.world import DOCUMENTS

_ABOUT = "world"
"""The document that has no rows."""


def write_world(folder: Path, documents: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the documents of a world into a folder, which is made where there is none.

    Raises UsageError where something is in the folder already, or where there is no folder to be had.
    """
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"The folder {folder} is not empty: name one that is, or a new one.")
        folder.mkdir(parents=True, exist_ok=True)
        for name in DOCUMENTS:
            (folder / f"{name}.json").write_text(document_text(name, documents[name]), "utf-8", newline="\n")
    except (FileExistsError, NotADirectoryError) as error:
        raise UsageError(f"{error.filename} is a file, and a world is a folder.") from error
    except OSError as error:
        raise StoreError(folder, error) from error


def document_text(name: str, document: Mapping[str, Any]) -> str:
    """A document of a world as it stands in its file."""
    if name == _ABOUT:
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return "{\n" + ",\n".join(_fields(document)) + "\n}\n"


def _fields(document: Mapping[str, Any]) -> Iterator[str]:
    for key, value in document.items():
        if isinstance(value, list) and value:
            rows = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in value)
            yield f'  "{key}": [\n{rows}\n  ]'
        else:
            yield f'  "{key}": {json.dumps(value, ensure_ascii=False)}'
