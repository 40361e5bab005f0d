"""Datasheets: describe a tasks file in figures, in one pass over its tasks.

Called by `herobench tasks stats` and by the tests of the shipped datasets. Equal tasks are found by a digest of
each, so memory stays small. Prompt lengths are in characters, because tokens depend on the tokenizer. The caller,
who has the file, adds the digest of its bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Mechanics, Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.audit import AuditTable, family_results
from herobench.task_gen.rpg.audit.shortcuts import RULES, TRIVIAL
from herobench.task_gen.rpg.tasks.spec import bracket_of
from herobench.task_gen.rpg.twins import content_digest

SCHEMA = 1
_AUDITED = (*TRIVIAL, *RULES)
"""The quick families of the audit."""


def datasheet(world: World, rules: Rules, tasks: Iterable[Task], prompt: Callable[[Task], str]) -> dict[str, Any]:
    """Return the figures of some tasks; `prompt` renders the prompt of a task."""
    sheet = _Sheet(world, rules)
    for task in tasks:
        sheet.add(task, len(prompt(task)))
    return sheet.as_row()


class _Sheet:
    """Figures that are updated one task at a time."""

    def __init__(self, world: World, rules: Rules) -> None:
        self._world = world
        self._rules = rules
        self._counts: dict[str, Counter[Any]] = {name: Counter() for name in _COUNTED}
        self._prompts: list[int] = []
        self._actions: list[int] = []
        self._bound = 0
        self._optimal = 0
        # Digests instead of rows, because a file may hold millions of tasks.
        self._seen: set[bytes] = set()
        self._equal = 0
        self._audit = AuditTable(_AUDITED)

    def add(self, task: Task, prompt: int) -> None:
        """Count a task, given the length of its prompt."""
        for name, look in _COUNTED.items():
            self._counts[name][look(task)] += 1
        self._prompts.append(prompt)
        if task.certificate:
            self._actions.append(task.certificate.actions)
            self._bound += task.certificate.lower_bound
            self._optimal += task.certificate.optimal
        content = content_digest(task.as_row())
        # The first of equal tasks does not count, so the figure is the number of superfluous tasks.
        self._equal += content in self._seen
        self._seen.add(content)
        self._audit.add(task, family_results(self._world, self._rules, task, _AUDITED))

    def as_row(self) -> dict[str, Any]:
        """Return the datasheet as plain data."""
        counts = dict(self._counts)
        # Sheets of sets in which no place is closed stay as they are.
        if counts["closed_places"].keys() <= {0}:
            del counts["closed_places"], counts["solvable"]
        return {
            "schema": SCHEMA,
            "world": {"code": self._world.code, "digest": self._world.digest},
            "rules": self._rules.name,
            "tasks": len(self._prompts),
            "equal": self._equal,
            **{name: _sorted(counted) for name, counted in counts.items()},
            "prompt_characters": _spread(self._prompts),
            "oracle": self._oracle(),
            "audit": list(self._audit.rows()),
        }

    def _oracle(self) -> dict[str, Any]:
        certified, actions = len(self._actions), sum(self._actions)
        return {
            "certified": certified,
            "actions": _spread(self._actions),
            "optimal_share": self._optimal / certified if certified else None,
            "actions_per_lower_bound": actions / self._bound if self._bound else None,
        }


_COUNTED: Mapping[str, Callable[[Task], Any]] = {
    "kinds": lambda task: task.kind,
    "brackets": lambda task: bracket_of(task.difficulty),
    "difficulties": lambda task: task.difficulty,
    "knowledge": lambda task: task.knowledge.level,
    "leveling": lambda task: _yes_or_no(task.mechanics.leveling),
    "stochastic": lambda task: _yes_or_no(task.mechanics.drop_scale is not None),
    "defeat": lambda task: task.mechanics.defeat or "free",
    "budget": lambda task: _budget(task.mechanics),
    "noise_items": lambda task: len(task.knowledge.noise),
    "exchange": lambda task: task.mechanics.exchange,
    "tracks": lambda task: task.mechanics.plan,
    "closed_places": lambda task: len(task.mechanics.closed),
    "solvable": lambda task: _yes_or_no(task.impossible is None),
    "targets": lambda task: task.target,
    "missing_gear": lambda task: len(task.missing),
    "hero_levels": lambda task: task.hero.combat[0],
}
"""The properties that tasks are counted by, each under the name of its table."""


def _budget(mechanics: Mechanics) -> str:
    """Return what the budget of a task is made from."""
    if mechanics.budget is None:
        return "none"
    return "other" if mechanics.budget_factor is None else f"{mechanics.budget_factor:g}"


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def _sorted(counts: Mapping[Any, int]) -> dict[str, int]:
    # Sorted, so that the same tasks in another order give the same datasheet.
    return {str(value): counts[value] for value in sorted(counts)}


def _spread(numbers: Sequence[int]) -> dict[str, float] | None:
    if not numbers:
        return None
    return {"min": min(numbers), "median": median(numbers), "mean": fmean(numbers), "max": max(numbers)}
