"""Write worlds as folders of files. `herobench world new` writes with it.

Each row of a document is one line, so that a change to a monster or an item changes one line. Only world.json, which
has no rows, uses one line for each fact. The same documents must give the same bytes.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from herobench.data.documents import content_folder, parse, schema_problems
from herobench.data.errors import InputError, StoreError, UsageError
from herobench.data.files import real_path
from herobench.suites.rpg.game.world import DOCUMENTS
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.content import load_world, refuse_name

_ABOUT = "world"
"""The document that has no rows."""


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts into a folder by their file names. The folder must be empty or missing.

    Raises UsageError if it is not, and StoreError if a file cannot be written.
    """
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(RpgFault.NOT_EMPTY, folder=folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            # Half of a surrogate pair has no UTF-8, but its escape is valid JSON.
            file.write_text(text, "utf-8", "backslashreplace", newline="\n")
    except (FileExistsError, NotADirectoryError) as error:
        raise UsageError(RpgFault.NO_FOLDER, file=error.filename) from error
    except OSError as error:
        raise StoreError(folder, error) from error


def document_text(name: str, document: Mapping[str, Any]) -> str:
    """Return a document of a world as the text of its file."""
    # Letters are not escaped, since people read and edit these files.
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


SCHEMAS = ".schemas"

_SCHEMA = re.compile(rf'"\$schema": "\./{re.escape(SCHEMAS)}/([a-z-]+\.schema\.json)"')
_LONGEST_CODE = 60
_NOT_CODE = re.compile(r"[^a-z0-9]+")


def begin_world(folder: Path, name: str | None = None, like: str | None = None) -> None:
    """Write a small valid world, or a copy of another one. Without a name it gets one from its folder.

    Raises UsageError if the folder is not empty, and then writes nothing.
    """
    refuse_name(folder)
    title = name or _name_from(folder)
    code = _code_from(title)
    texts = _texts("world", folder, {"New World": title, "new_world": code})
    if like is not None:
        documents = json.loads(load_world(like).source)
        documents["world"] |= {"code": code, "name": title}
        texts |= {f"{part}.json": document_text(part, _for_editors(part, documents[part])) for part in DOCUMENTS}
    write_files(folder, _with_schemas(texts))


def _for_editors(name: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a document with the line that names its schema."""
    return {"$schema": f"./{SCHEMAS}/{name}.schema.json", **document}


def _name_from(folder: Path) -> str:
    """Make a name from the name of a folder: My World from my-world."""
    return " ".join(part.capitalize() for part in re.split(r"[-_\s]+", real_path(folder).name) if part)


def _code_from(name: str) -> str:
    code = _NOT_CODE.sub("_", name.lower()).strip("_")
    if not code:
        raise UsageError(RpgFault.NO_CODE, name=name)
    return code[:_LONGEST_CODE].strip("_")


def _texts(template: str, folder: Path, words: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a template by name, with some of its words replaced.

    Raises InputError if the schema does not accept a new word.
    """
    texts = {file.name: file.read_text("utf-8") for file in content_folder().joinpath("templates", template).iterdir()}
    about, strings = (
        f"{template}.json",
        {json.dumps(old): json.dumps(new, ensure_ascii=False) for old, new in words.items()},
    )
    # In one pass, so that no new word is replaced again. Whole JSON strings are replaced, with their quotes.
    texts[about] = re.sub("|".join(strings), lambda found: strings[found[0]], texts[about])
    document, _ = parse(texts[about], about)
    problems = schema_problems(document, template, str(folder / about))
    if problems:
        raise InputError(problems)
    _, rest = texts["README.md"].split("\n", 1)
    rest = rest.replace("FOLDER", shlex.quote(str(folder)))
    return texts | {"README.md": f"# {document['name']}\n{rest}"}


def _with_schemas(texts: Mapping[str, str]) -> dict[str, str]:
    """Return files together with the schemas that they name."""
    names = {schema for name, text in texts.items() if name.endswith(".json") for schema in _SCHEMA.findall(text)}
    schemas = content_folder().joinpath("schemas")
    return {**texts, **{f"{SCHEMAS}/{schema}": schemas.joinpath(schema).read_text("utf-8") for schema in sorted(names)}}
