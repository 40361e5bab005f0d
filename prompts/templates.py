"""The templates of prompts: one file per part, in one folder per prompt.

Called by `render`, and by runs for the digest. All words of a prompt stand in these files and none in code, so the
digest covers them all: other words give other scores, and a run records which words it used. Parts for a mechanic, such
as those that begin with `straight_`, are in the digest only if a task has it. So new words for one kind of task do not
make other runs of the rest, though their prompts have most words in common.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib import resources
from string import Template
from types import MappingProxyType

from herobench.rpg.task import Task

FOLDER = "one_shot"
_ASKED_FOR: Mapping[str, Callable[[Task], bool]] = MappingProxyType(
    {
        "straight_": lambda task: task.mechanics.plan == "straight",
        "campaign": lambda task: bool(task.then),
        "training": lambda task: task.campaign and task.mechanics.leveling,
        "budget": lambda task: task.mechanics.budget is not None,
        "closed_": lambda task: bool(task.mechanics.closed),
    }
)
"""The beginnings of the names of parts that only some tasks use, with what tells these tasks."""


def fill(part: str, **facts: object) -> str:
    """Return a part with the facts put in."""
    return _parts()[part].substitute(facts)


def fill_section(part: str, heading: str, **facts: object) -> str:
    """Return the section of a part that stands below a heading of the first level, with the facts put in."""
    begin = _parts()[part].template.index(f"# {heading}\n")
    section = _parts()[part].template[begin:].partition("\n\n# ")[0]
    return Template(section).substitute(facts)


def parts() -> tuple[str, ...]:
    """Return the names of all parts, in the order of the digest."""
    return tuple(_parts())


def prompt_digest(tasks: Iterable[Task] = ()) -> str:
    """Return the SHA-256 of the parts that the prompts of some tasks are made of, and of their names.

    Without tasks, it is that of plain ones.
    """
    used = {beginning for task in tasks for beginning, asks in _ASKED_FOR.items() if asks(task)}
    idle = tuple(beginning for beginning in _ASKED_FOR if beginning not in used)
    digest = hashlib.sha256()
    for name, part in _parts().items():
        if not name.startswith(idle):
            digest.update(f"{name}\0{part.template}\0".encode())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _parts() -> dict[str, Template]:
    files = (
        file for file in resources.files("herobench.prompts").joinpath(FOLDER).iterdir() if file.name[-3:] == ".md"
    )
    texts = {file.name.removesuffix(".md"): file.read_text(encoding="utf-8").strip("\n") for file in files}
    # Sorted, because the order of a folder differs between file systems, and the digest must not.
    return {name: Template(texts[name]) for name in sorted(texts)}
