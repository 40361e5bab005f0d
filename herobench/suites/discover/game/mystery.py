"""A mystery: a task whose world differs from what is told of it, with its told world, its true one and its certificate.

A row has all that an attempt needs: the documents of the told world, a task of the role-playing game in it, the changes
that make the true world of it, and the budget of the exploration.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from herobench.data.documents import schema_problems, shipped
from herobench.data.errors import InputError, Problem
from herobench.data.rows import NamedRows
from herobench.suites.discover.game.families import (
    FAMILIES,
    RULES_ALONE,
    Change,
    Site,
    changed,
    sites_of,
    with_kinds_placed,
)
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.events import Value
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Certificate, Task
from herobench.suites.rpg.game.world import Documents, World
from herobench.suites.rpg.worlds.content import check_world, load_rules
from herobench.suites.rpg.worlds.task_file import task_problems

SCHEMA = 1
"""The number of the format of rows."""
MOST_CHANGES = 4
_FIGHTS, _MORE_FIGHTS, _A_FIGHT, _TWICE = 6, 8, 9, 2
"""The fights that the budget allows with each monster and beyond, the actions for one of them, and how often to try all
that is work."""
Call = tuple[str, tuple[Value, ...]]
"""A call of an experiment: an action with its values, without the hero's name."""


class Truth(NamedTuple):
    """A world with its rules, as they are or might be."""

    world: World
    rules: Rules


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that an exploration may use."""

    actions: int
    resets: int

    @classmethod
    def of(cls, told: World) -> Budget:
        """Return the budget of a told world: some fights with each monster in other gear, and twice what else it takes.

        It must not depend on the true world, since the prompt tells it.
        """
        monsters, nodes = (len(told.standing(kind)) for kind in ("monster", "resource"))
        gear = [item.recipe for item in told.items.values() if item.recipe and item.type != "resource"]
        work = nodes + bool(nodes) + len(gear) + len({recipe.skill for recipe in gear})
        fights = _FIGHTS * monsters + _MORE_FIGHTS
        return cls(_A_FIGHT * fights + _TWICE * work, fights)


@dataclass(frozen=True)
class Mystery:
    """One task of the suite."""

    id: str
    documents: Documents
    """The told world."""
    task: Task
    """The task in it. Its certificate has the plan that wins in the true world."""
    changes: tuple[Change, ...]
    budget: Budget
    usual_plan: str
    """The best plan by what is told, which loses."""
    experiments: tuple[tuple[Call, ...], ...]
    """Calls from a fresh start each, whose answers tell the true world from every rival."""
    rivals: int
    """How many single rivals they tell it from."""
    guess: float
    """The percent of all worlds that are possible by what is told in which a plan wins at most."""
    one_fight: float
    """The same after the one fight that tells most."""
    twin_of: str | None = None
    """The id of the task that this one was made to resemble."""

    @property
    def certificate(self) -> Certificate:
        """The proof of the length in the true world."""
        assert self.task.certificate, "the schema demands it"
        return self.task.certificate

    @property
    def decisions(self) -> int:
        """The length of the task."""
        return plan_decisions(self.certificate) or 0

    @property
    def facts(self) -> int:
        """The number of facts that differ; all other changes are rules."""
        return sum(FAMILIES[change.family].kind == "fact" for change in self.changes)

    def with_changes(self, changes: Iterable[Change]) -> Truth:
        """Return the world that the told one is after some changes."""
        return _truth(self, frozenset(changes))

    @property
    def told(self) -> Truth:
        """The told world under the usual rules."""
        return self.with_changes(())

    @property
    def true(self) -> Truth:
        """The world in which plans run."""
        return self.with_changes(self.changes)

    @property
    def sites(self) -> tuple[Site, ...]:
        """All that can differ, by what is told."""
        return _sites(self)

    def __hash__(self) -> int:
        return hash((self.id, self.changes))

    @classmethod
    def of(cls, row: Mapping[str, Any], place: str = "the task") -> Mystery:
        """Return the mystery of a row. Raise InputError with what is wrong with it."""
        problems = schema_problems(row, "discover-task", place)
        problems = problems or schema_problems(row["task"], "task", f"{place}, task")
        problems = problems or _world_problems(row["documents"], f"{place}, documents")
        if not problems:
            problems = list(task_problems(row["task"], World.from_documents(row["documents"]), f"{place}, task"))
        if problems:
            raise InputError(problems)
        found = built(row)
        known = {change for site in found.sites for change in site.rivals}
        if unknown := [change for change in found.changes if change not in known]:
            raise InputError([Problem(place, "$.changes", "values that the families have", list(unknown[0]))])
        return found

    def as_row(self) -> dict[str, Any]:
        """Return the mystery as a line of a tasks file."""
        twin = {} if self.twin_of is None else {"twin_of": self.twin_of}
        return {
            "schema": SCHEMA,
            "id": self.id,
            "documents": self.documents,
            "task": self.task.as_row(),
            "changes": [change._asdict() for change in self.changes],
            "budget": asdict(self.budget),
            "usual_plan": self.usual_plan,
            "experiments": [[[name, *values] for name, values in calls] for calls in self.experiments],
            "rivals": self.rivals,
            "guess": self.guess,
            "one_fight": self.one_fight,
            **twin,
        }


def built(row: Mapping[str, Any]) -> Mystery:
    """Return the mystery of a row that was checked."""
    return Mystery(
        id=row["id"],
        documents=row["documents"],
        task=Task.from_row(row["task"]),
        changes=tuple(Change(**change) for change in row["changes"]),
        budget=Budget(**row["budget"]),
        usual_plan=row["usual_plan"],
        experiments=tuple(tuple((name, tuple(values)) for name, *values in calls) for calls in row["experiments"]),
        rivals=row["rivals"],
        guess=row["guess"],
        one_fight=row["one_fight"],
        twin_of=row.get("twin_of"),
    )


def _world_problems(documents: Documents, place: str) -> list[Problem]:
    """Return what is wrong with a told world. That its kinds stand nowhere is right."""
    problems = check_world(documents, place)
    if problems and all(problem.expected == "a place on the map" for problem in problems):
        return check_world(with_kinds_placed(documents), place)
    return problems


@lru_cache(maxsize=2048)
def _truth(mystery: Mystery, changes: frozenset[Change]) -> Truth:
    in_world = frozenset(change for change in changes if change.family not in RULES_ALONE)
    _, rules = changed(mystery.documents, mystery.task.rules(load_rules()), changes - in_world)
    return Truth(_world(mystery, in_world), rules)


@lru_cache(maxsize=2048)
def _world(mystery: Mystery, changes: frozenset[Change]) -> World:
    return World.from_documents(changed(mystery.documents, load_rules(), changes)[0])


@lru_cache(maxsize=256)
def _sites(mystery: Mystery) -> tuple[Site, ...]:
    return tuple(sites_of(*mystery.told))


MYSTERIES: NamedRows[Mystery] = NamedRows("discover-task", Mystery.of, attrgetter("id"))


DATASET = "discover-v4"
FILE = f"{DATASET}.jsonl.xz"


@cache
def shipped_mysteries() -> Mapping[str, Mystery]:
    """Return the mysteries of the shipped set by id, in the order of the file."""
    text = lzma.decompress(shipped().joinpath("discover", FILE).read_bytes()).decode("utf-8")
    mysteries = (built(json.loads(line)) for line in text.splitlines())
    return MappingProxyType({mystery.id: mystery for mystery in mysteries})
