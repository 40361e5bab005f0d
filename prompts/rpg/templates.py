"""The templates of the prompt of a task.

Called by `render`, and by runs for the digest. Parts for a mechanic, such as those that begin with `straight_`, are in
the digest only if a task has it. So new words for one kind of task do not make other runs of the rest, though their
prompts have most words in common.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from string import Template
from types import MappingProxyType

from herobench.prompts.words import words_of
from herobench.suites.rpg.game.task import Task

FOLDER = "rpg/one_shot"
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


_END = re.compile(r"\n\n(?=# |\$(?:actions|fights|knowledge)$)", re.MULTILINE)
"""The end of a section: the next heading, or the place where a whole section is put in."""


def fill(part: str, **facts: object) -> str:
    """Return a part with the facts put in."""
    return words_of(FOLDER).fill(part, **facts)


def fill_section(part: str, heading: str, **facts: object) -> str:
    """Return the section of a part that stands below a heading of the first level, with the facts put in."""
    return Template(_section(part, heading)).substitute(facts)


def fill_behind_example(part: str, heading: str, **facts: object) -> str:
    """Return what stands in a section behind its fenced example, with the facts put in."""
    return Template(_section(part, heading).rpartition("```\n\n")[2]).substitute(facts)


def _section(part: str, heading: str) -> str:
    text = words_of(FOLDER).templates[part].template
    return _END.split(text[text.index(f"# {heading}\n") :], maxsplit=1)[0]


def parts() -> tuple[str, ...]:
    """Return the names of all parts, in the order of the digest."""
    return tuple(words_of(FOLDER).templates)


def prompt_digest(tasks: Iterable[Task] = ()) -> str:
    """Return the SHA-256 of the parts that the prompts of some tasks are made of, and of their names.

    Without tasks, it is that of plain ones.
    """
    used = {beginning for task in tasks for beginning, asks in _ASKED_FOR.items() if asks(task)}
    idle = tuple(beginning for beginning in _ASKED_FOR if beginning not in used)
    return words_of(FOLDER).digest(lambda name: not name.startswith(idle))
