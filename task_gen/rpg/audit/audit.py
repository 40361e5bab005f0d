"""The audit: let every family of players try each task of a file, in several processes, and count what they win.

Called by `herobench audit`. What is learned from all tasks comes first; then each task is played by itself.
Datasheets hold the trivial players and the rules of thumb only, which need neither other tasks nor much time.

The table tells how many tasks each family wins, and its mean score, by group of tasks. Kill tasks, craft tasks,
knowledge levels, tasks with noise, costs of defeats, budgets and tracks are counted apart: a craft task names what to
make, so every family that makes something wins it. Courses are also counted by their length in decisions, in rungs
that double, and each family has a horizon as models do. No share is judged good or bad here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, NamedTuple

from herobench.analysis.statistics.horizon import estimate_horizon
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.case import AuditGroup, Budget, Case, Guesses, Known
from herobench.task_gen.rpg.audit.classifier import Leak, can_learn, learn
from herobench.task_gen.rpg.audit.families import FAMILIES
from herobench.task_gen.rpg.audit.fitted import Learners, learners
from herobench.task_gen.rpg.audit.sums import PublicTasks
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.hull import Hulls, slots_inside
from herobench.work.engine import Each, Local

SCHEMA = 1

_Given = tuple[Mapping[str, Any], Guesses | None]
"""The row of a task, and the guesses for it: None without a classifier. Tasks themselves cannot be pickled."""


@dataclass(frozen=True)
class Audit:
    """The results of all families, and what the classifier found."""

    families: Sequence[str]
    table: AuditTable
    leaks: Sequence[Leak]
    budget: Budget
    hulls: Hulls | None
    """None if no task has a fight of which all loadouts can be tried."""

    def as_row(self) -> dict[str, Any]:
        """Return the audit as plain data."""
        return {
            "schema": SCHEMA,
            "budget": asdict(self.budget),
            "families": {
                name: {
                    "rule": FAMILIES[name].rule,
                    "tracks": list(FAMILIES[name].tracks),
                    "computes": FAMILIES[name].computes,
                }
                for name in self.families
            },
            "rows": list(self.table.rows()),
            "ladder": list(self.table.ladder()),
            "leaks": [leak.as_row() for leak in self.leaks],
            "hulls": self.hulls and asdict(self.hulls),
        }


def audit(
    world: World,
    rules: Rules,
    tasks: Sequence[Task],
    families: Sequence[str] = tuple(FAMILIES),
    budget: Budget | None = None,
    jobs: int = 1,
    step: Callable[[], None] = lambda: None,
) -> Audit:
    """Return the audit of some tasks; `step` is called after each of them."""
    budget = budget or Budget()
    learned = learn(world, tasks) if can_learn() and any(FAMILIES[name].learns for name in families) else None
    read = [(world, task) for task in tasks] if any(FAMILIES[name].reads for name in families) else []
    table = AuditTable(families)
    given = ((task.as_row(), learned.guesses.get(task.id, {}) if learned else None) for task in tasks)
    work = Each(partial(_results, tuple(families), budget, world, rules, PublicTasks(read), learners(read)))
    slots: dict[str, list[int]] = {}
    with closing(Local(jobs).results(work, given)) as found:
        for task, (results, slots[task.id]) in zip(tasks, found, strict=True):
            table.add(task, results)
            step()
    return Audit(families, table, learned.leaks if learned else (), budget, Hulls.of(slots))


def family_results(
    world: World,
    rules: Rules,
    task: Task,
    families: Sequence[str],
    budget: Budget | None = None,
    known: Known | None = None,
) -> dict[str, FamilyResult]:
    """Return what each family reaches in a task.

    Families that no plan of the task's track can play are left out, and without guesses those that need them.
    """
    case, known = Case(world, rules, task, budget, known), known or Known()
    able = [name for name in families if task.mechanics.plan in FAMILIES[name].tracks]
    asked = [name for name in able if known.guesses is not None or not FAMILIES[name].learns]
    return {name: _result(case, name) for name in asked}


def _results(
    families: Sequence[str],
    budget: Budget,
    world: World,
    rules: Rules,
    public: PublicTasks,
    learned: Learners,
    given: _Given,
) -> tuple[dict[str, FamilyResult], list[int]]:
    """Return what each family reaches in a task, and of each fight the fewest slots with a piece inside the hull."""
    row, guesses = given
    task = Task.from_row(row)
    known = Known(guesses, public.beside(task), learned.rates(task))
    played = family_results(world, rules, task, families, budget, known)
    return played, slots_inside(world, rules, task)


def _result(case: Case, name: str) -> FamilyResult:
    try:
        judged = FAMILIES[name].play(case).judged()
    except Unplannable:
        return FamilyResult(False, 0.0)
    return FamilyResult(judged.outcome == "win", judged.score)


# -- the table ---------------------------------------------------------------------------------------------------------


class FamilyResult(NamedTuple):
    """The result of one family in one task."""

    won: bool
    score: float


@dataclass(slots=True)
class AuditCount:
    """The number of tasks in a group, and for each family the results that it has."""

    tasks: int = 0
    lengths: list[int | None] = field(default_factory=list)
    """The decisions of each task's certified plan; None for a task that is no course."""
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
        count.lengths.append(plan_decisions(task.certificate) if task.is_course and task.certificate else None)
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

    def ladder(self) -> Iterator[dict[str, Any]]:
        """Yield one row for each group of courses and each family: its wins by rung, and its horizon.

        A rung is named by its least number of decisions, and each is twice as long as the one before.
        """
        for group, count in self.groups():
            lengths = [length for length in count.lengths if length is not None]
            for name, results in count.results.items():
                if lengths and results:
                    won = [length and result.won for length, result in zip(count.lengths, results, strict=True)]
                    found = estimate_horizon(range(len(won)), count.lengths, map(bool, won))
                    figures = {"h50": found.h50.estimate, "verdict": found.verdict, "rungs": _rungs(count.lengths, won)}
                    yield {**group._asdict(), "family": name, **figures}


def _rungs(lengths: Sequence[int | None], won: Sequence[Any]) -> list[dict[str, int]]:
    rungs = [None if length is None else 1 << (length.bit_length() - 1) for length in lengths]
    return [
        {
            "least": least,
            "tasks": rungs.count(least),
            "wins": sum(bool(win) for rung, win in zip(rungs, won, strict=True) if rung == least),
        }
        for least in sorted({rung for rung in rungs if rung is not None})
    ]
