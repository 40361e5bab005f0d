"""A mystery: a task whose true world differs from the told one, with both worlds and the certificate.

A row has all that an attempt needs: the documents of the told world, a task of the role-playing game in it, the changes
that make the true world of it, and the budget of the exploration.

The exploration is a game in the true world that can be begun again. An answer reports the result of its call and
nothing else. It is worded here, not by the role-playing game, whose responses include records: equipping a piece, or
crafting it away from its workshop, would reveal its recipe. After a fight it reports how many thirds of the monster's
health are left; exact numbers would reveal all changes of a fight at once. Two worlds answer the same calls alike until
a call depends on something that differs between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.rows import NamedRows, shipped_rows
from herobench.suites.discover.game.families import (
    FAMILIES,
    RULES_ALONE,
    Change,
    Site,
    apply,
    sites_in,
    with_kinds_placed,
)
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.events import (
    OK,
    SIGNATURES,
    Action,
    Bought,
    CallError,
    Crafted,
    CraftRefused,
    Event,
    Fought,
    Gathered,
    Moved,
    Value,
)
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.responses import character, failure_message
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Certificate, Task
from herobench.suites.rpg.game.world import Documents, Stats, World
from herobench.suites.rpg.worlds.content import check_world, load_rules
from herobench.suites.rpg.worlds.task_file import task_problems

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    def of(cls, usual: World) -> Budget:
        """Return the budget of a told world: some fights with each monster in other gear, and twice what else it takes.

        It must not depend on the true world, since the prompt tells it.
        """
        monsters, nodes = (len(usual.standing(kind)) for kind in ("monster", "resource"))
        gear = [item.recipe for item in usual.items.values() if item.recipe and item.type != "resource"]
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
    """The best plan for the told world. It loses."""
    experiments: tuple[tuple[Call, ...], ...]
    """Calls from a fresh start each, whose answers tell the true world from every rival."""
    rivals: int
    """How many single rivals they tell it from."""
    guess: float
    """The largest share of the possible worlds, in percent, in which one plan wins."""
    one_fight: float
    """The same after the most informative single fight."""
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
        """All sites of the told world that can differ."""
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
        mystery = build_mystery(row)
        possible = {change for site in mystery.sites for change in site.rivals}
        if unknown := [change for change in mystery.changes if change not in possible]:
            raise InputError([Problem(place, "$.changes", "values that the families have", list(unknown[0]))])
        return mystery

    def as_row(self) -> dict[str, Any]:
        """Return the mystery as a line of a tasks file."""
        own = {
            "task": self.task.as_row(),
            "changes": [change._asdict() for change in self.changes],
            "budget": asdict(self.budget),
            "experiments": [[[name, *values] for name, values in calls] for calls in self.experiments],
        }
        row = {field.name: own.get(field.name, getattr(self, field.name)) for field in fields(self)}
        return {"schema": SCHEMA, **{name: value for name, value in row.items() if value is not None}}


def build_mystery(row: Mapping[str, Any]) -> Mystery:
    """Return the mystery of a row that was checked."""
    own = {
        "task": Task.from_row(row["task"]),
        "changes": tuple(Change(**change) for change in row["changes"]),
        "budget": Budget(**row["budget"]),
        "experiments": tuple(tuple((name, tuple(values)) for name, *values in calls) for calls in row["experiments"]),
    }
    return Mystery(**{name: value for name, value in {**row, **own}.items() if name != "schema"})


def _world_problems(documents: Documents, place: str) -> list[Problem]:
    """Return what is wrong with a told world. That its kinds stand nowhere is right."""
    problems = check_world(documents, place)
    if problems and all(problem.expected == "a place on the map" for problem in problems):
        return check_world(with_kinds_placed(documents), place)
    return problems


@lru_cache(maxsize=2048)
def usual_rules() -> Rules:
    """Return the rules of told worlds. Fights are in floats: the shipped mysteries were drawn and proven so."""
    return replace(load_rules(), fights="floats")


def _truth(mystery: Mystery, changes: frozenset[Change]) -> Truth:
    in_world = frozenset(change for change in changes if change.family not in RULES_ALONE)
    _, rules = apply(mystery.documents, mystery.task.rules(usual_rules()), changes - in_world)
    return Truth(_world(mystery, in_world), rules)


@lru_cache(maxsize=2048)
def _world(mystery: Mystery, changes: frozenset[Change]) -> World:
    return World.from_documents(apply(mystery.documents, usual_rules(), changes)[0])


@lru_cache(maxsize=256)
def _sites(mystery: Mystery) -> tuple[Site, ...]:
    return tuple(sites_in(*mystery.told))


MYSTERIES: NamedRows[Mystery] = NamedRows("discover-task", Mystery.of, attrgetter("id"))


DATASET = "discover-v4"
FILE = f"{DATASET}.jsonl.xz"


@cache
def shipped_mysteries() -> Mapping[str, Mystery]:
    """Return the mysteries of the shipped set by id, in the order of the file."""
    return MappingProxyType(
        {mystery.id: mystery for mystery in map(build_mystery, shipped_rows("herobench.suites.discover", FILE))}
    )


# -- the exploration --------------------------------------------------------------------------------------------------

Answer = dict[str, Any]
RESET, LOOK = "reset", "look"
_MOST_REASON = 200
Health = TypeVar("Health", float, "NDArray[np.float64]")
FALLEN: Answer = {"error": "the hero was beaten: call reset to begin again"}


class Exploration:
    """The games of one exploration."""

    def __init__(self, truth: Truth, task: Task) -> None:
        self._truth, self._task = truth, task
        self.events: list[Event] = []
        """All actions, refused ones included, without the resets between them."""
        self.resets = 0
        self._begin()

    def _begin(self) -> None:
        world, rules = self._truth
        self.game = Game(world, replace(rules, budget=None), self._task.hero, self._task.seed)

    def call(self, name: str, arguments: Mapping[str, Value]) -> Answer:
        """Carry out a call by the names of its values."""
        return self._answer(name, (), arguments)

    def play(self, calls: Iterable[Call]) -> list[Answer]:
        """Carry out calls, and return their answers."""
        return [self._answer(name, values, {}) for name, values in calls]

    def _answer(self, name: str, values: tuple[Value, ...], keywords_sent: Mapping[str, Value]) -> Answer:
        if name == RESET:
            self.resets += 1
            self._begin()
            return {"reset": True}
        if name == LOOK:
            return character(self.game.world, self.game.hero)
        if name not in SIGNATURES:
            return {"error": f"there is no tool {name[:_MOST_REASON]!r}"}
        if self.game.over:
            return FALLEN
        keywords = (("name", NAME), *keywords_sent.items()) if not values else tuple(keywords_sent.items())
        try:
            event = self.game.act(Action(name, (NAME, *values) if values else (), keywords))
        except CallError as error:
            return {"error": str(error)[:_MOST_REASON]}
        self.events.append(event)
        return describe(self.game.world, event)


def thirds(health: Health, monster: Stats) -> Health:
    """Return how many thirds of its health a monster has left, rounded up: after one fight, or after many."""
    return -(-3 * health // monster.hp)


def describe(world: World, event: Event) -> Answer:
    """Return what is told of an event."""
    if not event.ok:
        return {"status": event.status, "error": _refusal(event)}
    answer: Answer = {"status": OK}
    match event.detail:
        case Moved(place):
            content = world.tiles[place].content
            answer |= {"x": place[0], "y": place[1], "here": None if content is None else content._asdict()}
        case Fought() as fight:
            answer["fight"] = {
                "result": "win" if fight.won else "lose",
                "thirds_left": 0 if fight.won else int(thirds(fight.monster_hp, world.monsters[fight.monster].stats)),
                "drops": dict(fight.drops),
            }
        case Gathered(drops=drops):
            answer["items"] = dict(drops)
        case Crafted(item=item, quantity=quantity) | Bought(item=item, quantity=quantity):
            answer["items"] = {item: quantity}
        case _:
            pass  # what is put on or taken off is what was asked for
    return answer


def _refusal(event: Event) -> str:
    refusal = event.detail
    if isinstance(refusal, CraftRefused) and not refusal.at_workshop:
        # what the recipe takes is told at its workshop only
        return f"Craft failed: not at a workshop for {refusal.skill}"
    return failure_message(event)
