"""The families of players that the audit lets try a task: a registry, one entry for each row of the table.

To add a family, add an entry. A family plays one task and returns the journey; the audit judges it by the task's own
rules. A family that needs a result before its next action belongs to the program track only.

The table counts how many tasks each family wins, and its mean score, by group of tasks. Kill tasks, craft tasks,
knowledge levels, tasks with noise, costs of defeats, budgets and tracks are counted apart: a craft task names what to
make, so every family that makes something wins it. No share is judged good or bad here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Defeat
from herobench.suites.rpg.game.scoring import reaches
from herobench.suites.rpg.game.task import KnowledgeLevel, PlanTrack, Task
from herobench.suites.rpg.game.world import Code, Item
from herobench.task_gen.rpg.audit.case import Case, Craftable, made
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.simulator import by_simulation
from herobench.task_gen.rpg.audit.thumb_rules import (
    RULES,
    TRIVIAL,
    by_rule,
    make_all_listed,
    make_everything_and_wear_the_last,
)
from herobench.task_gen.rpg.audit.trials import by_trial, by_trial_after_grinding, by_trial_with_food, grind
from herobench.task_gen.rpg.audit.workshop import make
from herobench.task_gen.rpg.gear.search import greedy_gear
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Step
from herobench.task_gen.rpg.tasks.noise import power
from herobench.task_gen.rpg.unsolvable.reach import is_out_of_reach


def greedily(case: Case) -> Journey:
    """Return the greedy player's journey: make the chosen gear, put it on, fight."""
    gear = chosen_gear(case)
    journey = made(case, gear.values())
    journey.challenge({slot: item.code for slot, item in gear.items()})
    return journey


def chosen_gear(case: Case) -> dict[str, Item]:
    """Return the chosen gear by slot."""
    target, rounds = case.world.monsters[case.task.target].stats, case.rules.rounds
    options = {choice.slot: (choice.worn, choice.told) for choice in case.slots}
    gear, _ = greedy_gear(target, rounds, Hero(case.world, case.task.hero).stats, options)
    return gear


Guesses = Mapping[Code, float]
"""The log-odds that each item of a task is needed, from a classifier that was trained on other tasks."""
BOTH_TRACKS: tuple[PlanTrack, ...] = ("straight", "program")
PROGRAM_TRACK: tuple[PlanTrack, ...] = ("program",)


@dataclass(frozen=True)
class Budget:
    """The effort that the searching families may spend on one task."""

    tries: int = 100
    """Sets that are tried in a fight with the target."""
    fights: int = 5_000
    """Fights for levels: half of the actions that the sandbox allows."""
    evaluations: int = 50_000
    """Sets whose fight the simulator computes."""


Play = Callable[[Case, Budget, Guesses], Journey]


@dataclass(frozen=True)
class Family:
    """One family of players."""

    rule: str
    """The way it plays, in a few words."""
    play: Play
    tracks: tuple[PlanTrack, ...] = BOTH_TRACKS
    """The kinds of plans that can do this. Tasks of other tracks are not asked of it."""
    learns: bool = False
    """True if it goes by the guesses of a classifier."""


def _gear(rule: str, fight: Play, tracks: tuple[PlanTrack, ...] = BOTH_TRACKS, learns: bool = False) -> Family:
    """Return a family that chooses gear. A craft names what to make, so every such family makes exactly that."""

    def reach(case: Case, budget: Budget, guesses: Guesses) -> Journey:
        if case.task.kind == "kill":
            return fight(case, budget, guesses)
        journey = case.journey()
        make(journey, {case.task.target: 1})
        return journey

    def play(case: Case, budget: Budget, guesses: Guesses) -> Journey:
        return (
            _goal_by_goal(case, lambda stage: reach(stage, budget, guesses), budget.fights)
            if case.task.campaign
            else reach(case, budget, guesses)
        )

    return Family(rule, play, tracks, learns)


def _goal_by_goal(case: Case, reach: Callable[[Case], Journey], fights: int) -> Journey:
    """Return the journey of a player who sees the next goal of a campaign only, with what he has by then.

    Where the hero starts too low for his gear, he first fights for levels: no family loses because it forgets to.
    """
    lessons = _lessons(case, fights) if case.task.mechanics.leveling else ()
    journey = Journey(case.told, case.rules, lessons)
    known: Craftable = {}
    for goal in case.task.goals:
        stage = replace(
            case.task, kind=goal.kind, target=goal.target, missing=goal.missing, then=(), hero=journey.reached()
        )
        before = len(journey.game.events)
        for step in reach(Case(case.world, case.rules, stage, known)).steps:
            journey.take(step)
        # a goal that was not reached leaves the later ones out of reach
        if not any(reaches(goal, event) for event in journey.game.events[before:]):
            break
    return journey


@lru_cache(maxsize=1)
def _lessons(case: Case, fights: int) -> tuple[Step, ...]:
    """Return the steps of fights for levels, and of the change back. Kept, because all families of a task take them."""
    journey = case.journey()
    worn = dict(journey.hero.worn)
    grind(journey, fights)
    for slot in journey.hero.worn.keys() - worn.keys():
        journey.do("unequip", slot)
    journey.wear(worn)
    return tuple(journey.steps)


def _trivial(name: str) -> Play:
    return lambda case, *_: TRIVIAL[name].play(case)


def _ruled(name: str) -> Play:
    return lambda case, _, __: by_rule(case, name)


def _learned(case: Case, guesses: Guesses, tries: int) -> Journey:
    return by_trial(case, lambda item: guesses.get(item.code, 0.0), tries)


def _oracle(case: Case, *_: object) -> Journey:
    if is_out_of_reach(case.world, case.rules, case.task):
        journey = case.journey()
        journey.give_up()
        return journey
    return Journey(case.told, case.rules, oracle_plan(case.world, case.rules, case.task))


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        **{name: Family(trivial.words, _trivial(name)) for name, trivial in TRIVIAL.items()},
        "craftable": _gear("make all that can be traced, wear what is first", lambda case, *_: make_all_listed(case)),
        "everything": _gear(
            "make all that can be made, wear what is last", lambda case, *_: make_everything_and_wear_the_last(case)
        ),
        **{name: _gear(rule.words, _ruled(name)) for name, rule in RULES.items()},
        "trial": _gear(
            "make all, try sets in the order of power", lambda case, budget, _: by_trial(case, power, budget.tries)
        ),
        "grinding": _gear(
            "make all, fight for levels, then try sets in the order of power",
            lambda case, budget, _: by_trial_after_grinding(case, budget.fights, budget.tries),
        ),
        "food": _gear(
            "make all, eat the best food, try sets in the order of power",
            lambda case, budget, _: by_trial_with_food(case, budget.tries),
        ),
        "learned_first": _gear(
            "wear the set that a classifier prefers", lambda case, _, guesses: _learned(case, guesses, 1), learns=True
        ),
        "learned": _gear(
            "make all, try sets in the order of a classifier",
            lambda case, budget, guesses: _learned(case, guesses, budget.tries),
            learns=True,
        ),
        "simulator": _gear(
            "compute the fights of many sets, wear one that wins",
            lambda case, budget, _: by_simulation(case, budget.evaluations),
            PROGRAM_TRACK,
        ),
        "greedy": _gear("compute fights, choose one item at a time", lambda case, *_: greedily(case)),
        "oracle": Family("play the proven plan, or give up what is proven to be impossible", _oracle),
    }
)
"""All families by name, in the order of the table. The last two are upper marks, not shortcuts."""


def parse_families(names: str | None) -> tuple[str, ...]:
    """Return the families in a list such as `listed,trial`; all of them for None. Raises UsageError for others."""
    if names is None:
        return tuple(FAMILIES)
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in FAMILIES:
            raise UsageError(f"There is no family {name!r}: give some of {', '.join(FAMILIES)}.")
    return tuple(name for name in FAMILIES if name in wanted)


# -- the table --------------------------------------------------------------------------------------------------------

AuditKind = Literal["kill", "craft", "campaign"]
Closed = Literal["", "solvable", "impossible"]


class AuditGroup(NamedTuple):
    """Tasks that are counted together."""

    kind: AuditKind
    knowledge: KnowledgeLevel
    noise: bool
    defeat: Defeat
    budget: bool
    track: PlanTrack
    closed: Closed
    """Says if tasks with closed places can be done all the same; empty for tasks that close none."""

    @classmethod
    def of(cls, task: Task) -> AuditGroup:
        """Return the group of a task."""
        asked = task.mechanics
        kind: AuditKind = "campaign" if task.campaign else task.kind
        noise, defeat = bool(task.knowledge.noise), asked.defeat or "free"
        closed: Closed = "" if not asked.closed else "solvable" if task.impossible is None else "impossible"
        return cls(kind, task.knowledge.level, noise, defeat, asked.budget is not None, asked.plan, closed)

    @property
    def place(self) -> tuple[int, int, bool, int, bool, bool, int]:
        """The place in the table: kill tasks first, then by how much the tasks tell, then what is usual."""
        # Listed by hand: alphabetical order would put craft before kill, and decoys before exact.
        kinds, levels, defeats, closed = (
            ("kill", "craft", "campaign"),
            ("exact", "decoys", "world"),
            ("free", "counted", "final"),
            ("", "solvable", "impossible"),
        )
        told = kinds.index(self.kind), levels.index(self.knowledge), self.noise
        return *told, defeats.index(self.defeat), self.budget, self.track == "straight", closed.index(self.closed)


class FamilyResult(NamedTuple):
    """The result of one family in one task."""

    won: bool
    score: float


@dataclass(slots=True)
class AuditCount:
    """The number of tasks in a group, and for each family the results that it has."""

    tasks: int = 0
    results: dict[str, list[FamilyResult]] = field(default_factory=dict)

    def wins(self, family: str) -> int:
        """Return the number of tasks that a family wins."""
        return sum(result.won for result in self.results[family])


class AuditTable:
    """Counts of what the families win, updated one task at a time."""

    def __init__(self, families: Sequence[str]) -> None:
        self._families = families
        self._counts: dict[AuditGroup, AuditCount] = {}

    def add(self, task: Task, results: Mapping[str, FamilyResult]) -> None:
        """Count the results of a task. A family without a result could not be asked."""
        # Groups are made when they are met, so that empty ones have no rows.
        group = AuditGroup.of(task)
        able = [name for name in self._families if group.track in FAMILIES[name].tracks]
        count = self._counts.setdefault(group, AuditCount(results={name: [] for name in able}))
        count.tasks += 1
        for name, result in results.items():
            count.results[name].append(result)

    def groups(self) -> list[tuple[AuditGroup, AuditCount]]:
        """Return the groups that have tasks, in the order of the table."""
        return sorted(self._counts.items(), key=lambda found: found[0].place)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row for each group and each family that plays in its track.

        Wins and score are None for a family that could not be asked.
        """
        for group, count in self.groups():
            for name, results in count.results.items():
                mean = sum(result.score for result in results) / count.tasks
                figures = {"wins": count.wins(name), "score": mean} if results else {"wins": None, "score": None}
                yield {**group._asdict(), "family": name, "tasks": count.tasks, **figures}
