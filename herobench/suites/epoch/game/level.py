"""A level: a problem of the domain `epochs`, or of `epochs-road`, with its words, tools, milestones and limits.

The shipped levels are in `data`. A level as a row has its problem as PDDL text, and so stands by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from math import floor
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem, UsageError, quoted
from herobench.data.rows import NamedRows, shipped_rows
from herobench.pddl import PddlError, PddlTask, parse_problem
from herobench.suites.epoch.game.game import EpochGame
from herobench.suites.epoch.game.world import ROAD, Edition, domain_name, edition, parse_atom, shipped_text
from herobench.suites.epoch.refusals import EpochFault

PUBLISHED_DATASET = "epochs-v1"
"""The published levels. Anyone may know them by heart."""
DATASET = "epochs-v5"
"""Roads of six lengths with traps of four reaches. `tests/suites/epoch/test_datasets.py` has what makes them."""
DATASETS = (DATASET, PUBLISHED_DATASET)
_OF_ROADS = ("traps", "limit", "least")
"""The fields that published levels do not have."""
PUBLISHED = ("L01", "L02", "L03", "L04", "L05", "L06")


@dataclass(frozen=True, slots=True)
class Unstable:
    """A predicate whose facts fade: each one after more than `ttl` valid actions, unless `until` holds by then."""

    predicate: str
    ttl: int
    until: str | None


@dataclass(frozen=True, slots=True)
class Trap:
    """An action that brings the next gate nearer, after which no way on wins within the hours of its level."""

    turn: int
    """The turn at which the reference plan could take it, from 1."""
    action: str
    reach: int
    """How many turns later the first milestone is missed."""
    gates: int
    """How many gates people can still raise as early as the reference plan does."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level."""

    id: str
    slug: str
    title: str
    brief: str
    clues: tuple[str, ...]
    problem: str
    """The problem in PDDL."""
    tools: tuple[str, ...]
    """The actions that a model has as tools."""
    milestones: tuple[str, ...]
    hidden: tuple[str, ...]
    """The predicates that neither states nor hints tell."""
    unstable: Unstable | None
    max_steps: int
    stagnation_window: int
    optimal: int
    """The proven length of a shortest plan; of a road, the length of its reference plan."""
    reference_plan: tuple[str, ...]
    traps: tuple[Trap, ...] = ()
    """The proven traps of a road along its reference plan."""
    limit: float | None = None
    """The hours within which a road is won, divided by the least hours."""
    least: int | None = None
    """The least hours of a road, which is those of its reference plan."""

    @classmethod
    def of(cls, row: Mapping[str, Any], place: str = "the level") -> Level:
        """Return the level of a row. Raise InputError with what is wrong with it."""
        problems = schema_problems(row, "epoch-level", place) or list(_problems(row, place))
        if problems:
            raise InputError(problems)
        lists = {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
        unstable = row["unstable"] and Unstable(**{"until": None, **row["unstable"]})
        traps = tuple(Trap(**trap) for trap in row.get("traps", ()))
        return cls(**{**row, **lists, "unstable": unstable, "traps": traps})

    def as_row(self) -> dict[str, Any]:
        """Return the level as a row of a levels file. Published levels lack those of roads."""
        row: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return row if self.limit else {name: value for name, value in row.items() if name not in _OF_ROADS}

    @property
    def hours_to_win(self) -> int:
        """The most hours of a game that is won. In a published level a turn is an hour."""
        return floor(self.least * Fraction(str(self.limit))) if self.least and self.limit else self.max_steps

    def start(self) -> EpochGame:
        """Start a game."""
        return EpochGame(self)

    @property
    def task(self) -> PddlTask:
        """The planning task, in which the causal rules are actions too."""
        domain = edition(domain_name(self.problem)).domain
        return PddlTask(domain, parse_problem(self.problem, domain))


def load_level(id: str) -> Level:
    """Return a published level by its id, such as `L01`."""
    if id not in PUBLISHED:
        raise UsageError(EpochFault.NO_LEVEL, id=quoted(id), levels=", ".join(PUBLISHED))
    return _published_level(id)


def load_levels(dataset: str) -> Mapping[str, Level]:
    """Return the levels of a shipped dataset by their ids."""
    return _generated_levels() if dataset == DATASET else {id: load_level(id) for id in PUBLISHED}


@cache
def _generated_levels() -> Mapping[str, Level]:
    rows = shipped_rows("herobench.suites.epoch", f"{DATASET}.jsonl.xz")
    return MappingProxyType({row["id"]: Level.of(row, DATASET) for row in rows})


@cache
def _published_level(id: str) -> Level:
    row = json.loads(shipped_text(f"levels/{id}.json"))
    return Level.of({**row, "problem": shipped_text(f"levels/{id}.pddl")}, f"{id}.json")


_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)
_LAST_NUMBER = re.compile(r"\d{1,9}$", re.ASCII)


def with_numbers(levels: Iterable[Level], numbers: str) -> Iterator[Level]:
    """Yield the levels of some numbers, such as `1-3` or `1,4-6`, in their order. Raise UsageError for another text.

    The number of a level is the one at the end of its id.
    """
    numbers_wanted = set(_numbers(numbers))
    for level in levels:
        number = _LAST_NUMBER.search(level.id)
        if number and int(number[0]) in numbers_wanted:
            yield level


def _numbers(text: str) -> Iterator[int]:
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if not match or int(match[1]) < 1 or int(match[2] or match[1]) < int(match[1]):
            raise UsageError(EpochFault.NO_NUMBERS, text=text)
        yield from range(int(match[1]), int(match[2] or match[1]) + 1)


# -- what a schema cannot check ---------------------------------------------------------------------------------------


def _problems(row: Mapping[str, Any], place: str) -> Iterator[Problem]:
    """Yield the problems of a row that the schema accepts."""
    own = edition(domain_name(row["problem"]))
    try:
        task = PddlTask(own.domain, parse_problem(row["problem"], own.domain))
    except PddlError as error:
        yield Problem(place, "$.problem", f"PDDL that can be read ({error})")
        return
    yield from _wrong_names(row, own, place)
    for number, text in enumerate(row["milestones"]):
        if not _is_fluent(task, text):
            yield Problem(place, f"$.milestones[{number}]", "a fact that can change", text)
    for number, text in enumerate(row["reference_plan"]):
        action = parse_atom(text)
        if action.name not in row["tools"] or not task.is_action(action.name, action.args):
            yield Problem(place, f"$.reference_plan[{number}]", "a call of one of the level's tools", text)
    is_road = domain_name(row["problem"]) == ROAD
    for name in ("least", "limit"):
        if (row.get(name) is not None) != is_road:
            yield Problem(place, f"$.{name}", "a number for a road, and none for another level", row.get(name))
    until = (row["unstable"] or {}).get("until")
    if until is not None and not _is_fluent(task, until):
        yield Problem(place, "$.unstable.until", "a fact that can change", until)


def _wrong_names(row: Mapping[str, Any], own: Edition, place: str) -> Iterator[Problem]:
    """Yield a problem for each tool and predicate that the domain does not have."""
    tools = sorted(own.tools)
    for number, tool in enumerate(row["tools"]):
        if tool not in tools:
            yield Problem(place, f"$.tools[{number}]", f"an action: {', '.join(tools)}", tool)
    for number, name in enumerate(row["hidden"]):
        if name not in own.domain.predicates:
            yield Problem(place, f"$.hidden[{number}]", "a predicate of the domain", name)
    if row["unstable"] and row["unstable"]["predicate"] not in own.domain.fluents:
        yield Problem(place, "$.unstable.predicate", "a predicate that can change", row["unstable"]["predicate"])


def _is_fluent(task: PddlTask, text: str) -> bool:
    atom = parse_atom(text)
    return atom.name in task.fluents and task.is_atom(atom.name, atom.args)


LEVELS: NamedRows[Level] = NamedRows("epoch-level", Level.of, attrgetter("id"))
