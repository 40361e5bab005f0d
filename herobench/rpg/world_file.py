"""Write worlds as folders of files. `herobench world new` and `herobench world remix` write with it.

Each row of a document is one line, so that a change of a monster or an item changes one line. Only world.json, which
has no rows, is spread over several lines. The same documents must give the same bytes.
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
    """Write the documents of a world into a folder, as `write_files` does."""
    write_files(folder, {f"{name}.json": document_text(name, documents[name]) for name in DOCUMENTS})


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts into a folder by their file names. The folder must be empty or missing.

    Raises UsageError if it is not, and StoreError if a file cannot be written.
    """
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"The folder {folder} is not empty: name an empty folder or a new one.")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            # Half a surrogate pair has no UTF-8, but its escape is good JSON.
            file.write_text(text, "utf-8", "backslashreplace", newline="\n")
    except (FileExistsError, NotADirectoryError) as error:
        raise UsageError(f"{error.filename} is a file, and a world is a folder: name another folder.") from error
    except OSError as error:
        raise StoreError(folder, error) from error


def document_text(name: str, document: Mapping[str, Any]) -> str:
    """Return a document of a world as the text of its file."""
    # Letters are not escaped, because people read and edit these files.
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
