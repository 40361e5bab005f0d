"""Begin new worlds and packs from templates that are valid as they are. `herobench world new` calls this module.

The schemas are written beside the documents, so that an editor can follow `$schema` without a network.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from herobench.documents import parse, schema_problems, shipped
from herobench.errors import InputError, UsageError
from herobench.input_file import real_path
from herobench.rpg.content import load_world, needs_no_folder, refuse_name
from herobench.rpg.packs.pack_files import parts_of
from herobench.rpg.world_file import write_files

SCHEMAS = ".schemas"

_SCHEMA = re.compile(rf'"\$schema": "\./{re.escape(SCHEMAS)}/([a-z-]+\.schema\.json)"')
_LONGEST_CODE = 60
_NOT_CODE = re.compile(r"[^a-z0-9]+")


def begin_world(folder: Path, name: str | None = None) -> None:
    """Write a small valid world. Without a name it gets one from its folder.

    Raises UsageError if the folder is not empty, and then writes nothing.
    """
    refuse_name(folder)
    called = name or _name_of(folder)
    texts = _texts("world", folder, {"New World": called, "new_world": _code_of(called)})
    write_files(folder, _with_schemas(texts))


def begin_pack(folder: Path, extends: str, name: str | None = None) -> None:
    """Write a pack that changes nothing yet. `extends` names its world as seen from the working directory."""
    refuse_name(folder)
    if len(parts_of(extends, needs_no_folder)) > 1:
        raise UsageError(f"A pack is laid on one world or pack, and {extends!r} names several.")
    load_world(extends)  # raises before anything is written if the base is not valid
    below = extends if needs_no_folder(extends) else _seen_from(folder, extends)
    called = name or _name_of(folder)
    words = {"New Pack": called, "new_pack": _code_of(called), "classic": below}
    write_files(folder, _with_schemas(_texts("pack", folder, words, extends)))


def _seen_from(folder: Path, other: str) -> str:
    return Path(os.path.relpath(real_path(other), real_path(folder))).as_posix()


def _name_of(folder: Path) -> str:
    """Make a name from that of a folder: My World from my-world."""
    return " ".join(part.capitalize() for part in re.split(r"[-_\s]+", real_path(folder).name) if part)


def _code_of(name: str) -> str:
    code = _NOT_CODE.sub("_", name.lower()).strip("_")
    if not code:
        raise UsageError(f"The name {name!r} has no letter from a to z and no digit to make a code of: give a --name.")
    return code[:_LONGEST_CODE].strip("_")


def _texts(template: str, folder: Path, words: Mapping[str, str], extends: str = "") -> dict[str, str]:
    """Return the files of a template by name, with some of its words replaced.

    Raises InputError if the schema does not accept a new word.
    """
    texts = {file.name: file.read_text("utf-8") for file in shipped().joinpath("templates", template).iterdir()}
    about, quoted = (
        f"{template}.json",
        {json.dumps(old): json.dumps(new, ensure_ascii=False) for old, new in words.items()},
    )
    # In one pass, so that no new word is replaced again. JSON strings are replaced whole, with their quotes.
    texts[about] = re.sub("|".join(quoted), lambda found: quoted[found[0]], texts[about])
    document, _ = parse(texts[about], about)
    problems = schema_problems(document, template, str(folder / about))
    if problems:
        raise InputError(problems)
    _, rest = texts["README.md"].split("\n", 1)
    rest = rest.replace("FOLDER", shlex.quote(str(folder))).replace("EXTENDS", shlex.quote(extends))
    return texts | {"README.md": f"# {document['name']}\n{rest}"}


def _with_schemas(texts: Mapping[str, str]) -> dict[str, str]:
    """Return files together with the schemas that they name."""
    named = {schema for name, text in texts.items() if name.endswith(".json") for schema in _SCHEMA.findall(text)}
    schemas = shipped().joinpath("schemas")
    return {**texts, **{f"{SCHEMAS}/{schema}": schemas.joinpath(schema).read_text("utf-8") for schema in sorted(named)}}
