"""New worlds and packs, begun from templates that work as they are.

Beside the documents go their schemas, so that an editor that follows a document's `$schema` completes and checks it
without a network.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from herobench.documents import parse, schema_problems, shipped
from herobench.errors import InputError, StoreError, UsageError
from herobench.rpg.content import load_world, needs_no_folder, refuse_name
from herobench.rpg.packs.folder import parts_of

SCHEMAS = ".schemas"

_SCHEMA = re.compile(rf'"\$schema": "\./{re.escape(SCHEMAS)}/([a-z-]+\.schema\.json)"')
_LONGEST_CODE = 60
_NOT_CODE = re.compile(r"[^a-z0-9]+")


def begin_world(folder: Path, name: str | None = None) -> None:
    """Write a small world that works; it is called after its folder when no name is given.

    Raises UsageError where the folder is not empty, and writes nothing then.
    """
    refuse_name(folder)
    called = name or _name_of(folder)
    _write(folder, _texts("world", folder, {"New World": called, "new_world": _code_of(called)}))


def begin_pack(folder: Path, extends: str, name: str | None = None) -> None:
    """Write a pack that changes nothing yet, laid on a world as it is named from here."""
    refuse_name(folder)
    if len(parts_of(extends, needs_no_folder)) > 1:
        raise UsageError(f"A pack is laid on one world or pack, and {extends!r} names several.")
    load_world(extends)
    below = extends if needs_no_folder(extends) else _seen_from(folder, extends)
    called = name or _name_of(folder)
    words = {"New Pack": called, "new_pack": _code_of(called), "classic": below}
    _write(folder, _texts("pack", folder, words, extends))


def _seen_from(folder: Path, other: str) -> str:
    return Path(os.path.relpath(Path(other).resolve(), folder.resolve())).as_posix()


def _name_of(folder: Path) -> str:
    """A name for people from that of a folder: My World from my-world."""
    return " ".join(part.capitalize() for part in re.split(r"[-_\s]+", folder.resolve().name) if part)


def _code_of(name: str) -> str:
    code = _NOT_CODE.sub("_", name.lower()).strip("_")
    if not code:
        raise UsageError(f"The name {name!r} has no letter from a to z and no digit to make a code of: give a --name.")
    return code[:_LONGEST_CODE].strip("_")


def _texts(template: str, folder: Path, words: Mapping[str, str], extends: str = "") -> dict[str, str]:
    """The files of a template by name, with what it says of itself in other words.

    Raises InputError where a word will not do.
    """
    texts = {file.name: file.read_text("utf-8") for file in shipped().joinpath("templates", template).iterdir()}
    about, quoted = (
        f"{template}.json",
        {json.dumps(old): json.dumps(new, ensure_ascii=False) for old, new in words.items()},
    )
    texts[about] = re.sub("|".join(quoted), lambda found: quoted[found[0]], texts[about])
    document, _ = parse(texts[about], about)
    problems = schema_problems(document, template, str(folder / about))
    if problems:
        raise InputError(problems)
    _, rest = texts["README.md"].split("\n", 1)
    rest = rest.replace("FOLDER", shlex.quote(str(folder))).replace("EXTENDS", shlex.quote(extends))
    return texts | {"README.md": f"# {document['name']}\n{rest}"}


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files into a folder that is empty or not there yet, and beside them the schemas that they name."""
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"The folder {folder} is not empty: name one that is, or a new one.")
        (folder / SCHEMAS).mkdir(parents=True)
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8", "backslashreplace", newline="\n")
            for schema in _SCHEMA.findall(text) if name.endswith(".json") else ():
                content = shipped().joinpath("schemas", schema).read_bytes()
                (folder / SCHEMAS / schema).write_bytes(content)
    except (FileExistsError, NotADirectoryError) as error:
        raise UsageError(f"{error.filename} is a file, and a world is a folder.") from error
    except OSError as error:
        raise StoreError(folder, error) from error
