"""The lengths of published tasks, and the horizons of published runs: `python -m tests.conformance.published_lengths`.

Lengths are in decisions, or in actions with `--actions`.

Ways to win are counted in three scopes. `told` has the places that the prompt tells, and what it says is for sale.
`unsold` has all places. `all` has all that the published game allows: the exchange gives any item, free.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from statistics import median
from typing import Literal, NamedTuple

from herobench.analysis.statistics.horizon import Horizon, count_trials, horizon_in
from herobench.suites.rpg.game.decisions import decisions, plan_decisions
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import has_won
from herobench.suites.rpg.game.task import Certificate, Ground, Task
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.planner import length, oracle_plan
from herobench.task_gen.rpg.oracle.steps import as_code
from tests.builders import shared_rows
from tests.conformance.least_actions import TooLong, WinActions
from tests.conformance.least_program import Answer, WinProgram
from tests.conformance.published import RUNS, tasks, world
from tests.conformance.short_plans import NoPlan, ShortPlan

Scope = Literal["told", "unsold", "all"]
Unit = Literal["decisions", "actions"]
LONGEST = 16
"""The decisions up to which lengths are looked for where not only told places count."""


GROUND: dict[Scope, Ground] = {"told": "told", "unsold": "world", "all": "world"}


class Length(NamedTuple):
    """The least length of a task that is proven, and that of a plan that won in the game, if one was found."""

    bound: int
    plan: int | None

    @property
    def proven(self) -> bool:
        return self.bound == self.plan


@cache
def proven_length(name: str, edition: str, scope: Scope) -> Length:
    """Return the decisions of a base task under an edition of the rules."""
    task, rules = _asked(name, edition, scope)
    try:
        bound, used = _least(task, rules, scope)
    except ValueError:
        return Length(LONGEST + 1, None)
    try:
        events = ShortPlan(world(), rules, task, used).play().events
    except NoPlan:
        return Length(bound, None)
    won = has_won(task, rules, events)
    return Length(bound, decisions((event.action.name, event.action.args) for event in events) if won else None)


def _asked(name: str, edition: str, scope: Scope) -> tuple[Task, Rules]:
    """Return a base task with the ways of a scope, and its rules."""
    task = tasks("tasks.json")[name]
    mechanics = replace(task.mechanics, exchange="world" if scope == "all" else "told", ground=GROUND[scope])
    task = replace(task, mechanics=mechanics)
    return task, task.rules(load_rules(edition))


@cache
def proven_actions(name: str, edition: str) -> Length:
    """Return the actions of a base task with told places under an edition of the rules.

    A plan with more actions than the oracle's is not looked for.
    """
    task, rules = _asked(name, edition, "told")
    most = plan_lengths("tasks.json")[name]["actions"]
    assert most, "the oracle has a plan"
    program = WinActions(world(), rules, task, most)
    try:
        bound, used = program.least()
    except TooLong:
        return Length(program.bound, None)
    try:
        events = ShortPlan(world(), rules, task, used, program.numbers).play().events
    except NoPlan:
        return Length(bound, None)
    return Length(bound, len(events) if has_won(task, rules, events) else None)


def _least(task: Task, rules: Rules, scope: Scope) -> Answer:
    """Return the bound of a task. A program of short plans is solved fast, so these are looked for first."""
    if scope == "told":
        return WinProgram(world(), rules, task).least()
    for most in range(1, LONGEST + 1):
        with suppress(ValueError):
            return WinProgram(world(), rules, task, most).least()
    raise ValueError("there is no short plan")


@cache
def plan_lengths(source: str) -> dict[str, dict[str, int | None]]:
    """Return the length of the oracle's plan for each task of a file, by unit."""
    rules, found = load_rules(), {}
    for task in tasks(source).values():
        steps = oracle_plan(world(), task.rules(rules), task)
        proof = Certificate(as_code(steps), length(steps), 0, 1, 1, {})
        found[task.id] = {"actions": proof.actions, "decisions": plan_decisions(proof)}
    return found


def horizon(run: str, lengths: Mapping[str, int | None]) -> Horizon:
    """Return the horizon of a published run over the tasks of these lengths."""
    rows = [row for row in shared_rows(RUNS[run]) if row["task"] in lengths]
    won = [float(row["result"] == "win") for row in rows]
    return horizon_in(count_trials([row["task"] for row in rows], [lengths[row["task"]] for row in rows], won))


def proven_lengths(edition: str, scope: Scope, every: int = 1, unit: Unit = "decisions") -> dict[str, int | None]:
    """Return the lengths of the base tasks, or of every so many of them; None where a length is not proven."""
    names = list(tasks("tasks.json"))[::every]
    if unit == "actions":
        found = {name: proven_actions(name, edition) for name in names}
    else:
        found = {name: proven_length(name, edition, scope) for name in names}
    return {name: told.plan if told.proven else None for name, told in found.items()}


def main() -> None:
    """Print the lengths in a scope, and the horizons of the base runs: by the oracle's plans, and by these lengths."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("scope", nargs="?", choices=GROUND, default="told")
    parser.add_argument("every", nargs="?", type=int, default=1, help="take every so many tasks")
    parser.add_argument("--actions", action="store_true", help="count actions, in told places")
    asked = parser.parse_args()
    unit: Unit = "actions" if asked.actions else "decisions"
    editions = {
        edition: proven_lengths(edition, asked.scope, asked.every, unit) for edition in ("paper-early", "paper-late")
    }
    for edition, lengths in editions.items():
        known = [each for each in lengths.values() if each]
        print(f"{edition}: {len(known)} of {len(lengths)} proven, {min(known)} to {max(known)}, median {median(known)}")
    names = editions["paper-early"].keys()
    planned = {name: told[unit] for name, told in plan_lengths("tasks.json").items() if name in names}
    for run, about in RUNS.items():
        if about["tasks"] == "tasks.json" and about["edition"] in editions:
            for told in (horizon(run, planned), horizon(run, editions[about["edition"]])):
                ends = [end and round(end) for end in (told.h50.estimate, told.h50.low, told.h50.high)]
                print(f"{run}: {told.verdict} {ends}, AUC {told.auc and round(told.auc, 2)}")


if __name__ == "__main__":
    main()
