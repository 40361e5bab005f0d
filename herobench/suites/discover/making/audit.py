"""Counts the mysteries that shallow strategies win. Only `found` explores the true world.

`herobench audit discover-v4 --suite discover` prints it. Each strategy knows how tasks are made. `told` is an exact
search in the told world; `found` is the same search in the world that the experimenter infers. `likely` draws truths
from the prior and takes the plan that wins in most of them; `admissible` draws them from the prior restricted to what
the generator takes. `moves` visits each place and does nothing there. `one fight` fights one goal monster in the gear
worn at the start, and plans for the changes that explain the answer; `one fight, likely` takes the plan that wins in
most of the admissible truths that explain it. Each plan is tried as it is, and after gathering and refining far more
than it is told to need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from herobench.suite.validating import WinsTable
from herobench.suites.discover.game.families import Change
from herobench.suites.discover.game.mystery import (
    DATASET,
    MYSTERIES,
    Call,
    Exploration,
    Mystery,
    build_mystery,
    shipped_mysteries,
)
from herobench.suites.discover.making.explorers import (
    Experimenter,
    after_fight,
    after_moves,
    plan_for_belief,
    with_much_gathered,
)
from herobench.suites.discover.making.planner import plan, wins
from herobench.suites.discover.making.possible import Possible
from herobench.task_gen.rpg.oracle.steps import Do, read_steps
from herobench.work.engine import Each, Local

Truths = Sequence[frozenset[Change]]
Won = tuple[bool, Mapping[str, tuple[bool, bool]]]
"""Whether one thing differs in a mystery, and whether each strategy wins as it is, and with much gathered."""
_TRUTHS, _PLANS, _DRAWS = 60, 10, 2_000
"""The truths that are drawn of a task, the plans that are made for some of them, and the most draws."""


@dataclass(frozen=True)
class Reader:
    """Plans for a mystery as somebody who knows the told world, the task and the generator, but not the truth."""

    mystery: Mystery

    @cached_property
    def usual(self) -> Sequence[Do]:
        """The best plan for the told world."""
        return list(read_steps(self.mystery.usual_plan))

    @cached_property
    def _possible(self) -> Possible:
        rules = len(self.mystery.changes) - self.mystery.facts
        return Possible(self.mystery.told, self.mystery.task, rules, self.usual)

    def truths(self, is_restricted: bool) -> Truths:
        """Draw truths from the prior. Those that repeat count as often as they are drawn."""
        chance, drawn_sets = Random(self.mystery.id), list[frozenset[Change]]()  # noqa: S311 - the same for the same task
        for _ in range(_DRAWS):
            changes = frozenset(self._possible.draw(self.mystery.facts, chance))
            if not is_restricted or self._is_taken(changes):
                drawn_sets.append(changes)
            if len(drawn_sets) == _TRUTHS:
                break
        return drawn_sets

    def _is_taken(self, changes: frozenset[Change]) -> bool:
        """Return whether the generator may use a truth: fights allow it, and the plan for the told world loses."""
        truth = self.mystery.with_changes(changes)
        return self._possible.allows(changes) and not wins(truth, self.mystery.task, self.usual)

    def best_plan(self, truths: Truths) -> Sequence[Do]:
        """Return the plan that wins in most of some truths, of those that are best in one of them."""
        mystery = self.mystery
        plans = [best for changes in truths[:_PLANS] if (best := plan(mystery.with_changes(changes), mystery.task))]
        hedged = [with_much_gathered(mystery.told.world, steps) for steps in plans] if self._makes else plans

        def wins_in(steps: Sequence[Do]) -> int:
            return sum(wins(mystery.with_changes(changes), mystery.task, steps) for changes in truths)

        return max(hedged, key=wins_in, default=self.usual)

    @property
    def _makes(self) -> bool:
        return bool(self.mystery.told.world.resources)


def _explore(reader: Reader) -> Iterator[Sequence[Do]]:
    mystery = reader.mystery
    lab = Exploration(mystery.true, mystery.task)
    inquiry = Experimenter(mystery, lambda call: lab.play([call])[0]).run()
    yield plan_for_belief(mystery, inquiry.belief(len(mystery.changes)), reader.usual)


def _one_fight(reader: Reader) -> Iterator[Sequence[Do]]:
    target = next(goal.target for goal in reader.mystery.task.goals if goal.kind == "kill")
    yield plan_for_belief(reader.mystery, after_fight(reader.mystery, target), reader.usual)


def _one_fight_likely(reader: Reader) -> Iterator[Sequence[Do]]:
    mystery = reader.mystery
    target = next(goal.target for goal in mystery.task.goals if goal.kind == "kill")
    (place,) = mystery.told.world.places_of("monster", target)
    calls: list[Call] = [("move", place), ("fight", ())]
    answers = Exploration(mystery.true, mystery.task).play(calls)
    truths = reader.truths(is_restricted=True)
    yield reader.best_plan(
        [each for each in truths if Exploration(mystery.with_changes(each), mystery.task).play(calls) == answers]
    )


STRATEGIES: Mapping[str, Callable[[Reader], Iterable[Sequence[Do]]]] = {
    "told": lambda reader: [reader.usual],
    "found": _explore,
    "likely": lambda reader: [reader.best_plan(reader.truths(is_restricted=False))],
    "admissible": lambda reader: [reader.best_plan(reader.truths(is_restricted=True))],
    "moves": lambda reader: [plan_for_belief(reader.mystery, after_moves(reader.mystery), reader.usual)],
    "one fight": _one_fight,
    "one fight, likely": _one_fight_likely,
}
"""The strategies by name, each with the plan that it answers."""


def try_strategy(mystery: Mystery, strategy: str) -> tuple[bool, bool]:
    """Return whether the plan of a strategy wins as it is, and with much gathered."""
    (steps,) = STRATEGIES[strategy](Reader(mystery))
    much = with_much_gathered(mystery.told.world, steps)
    return wins(mystery.true, mystery.task, steps), wins(mystery.true, mystery.task, much)


def audit(tasks: Path, jobs: int) -> WinsTable:
    """Return the table for a shipped set or a tasks file."""
    every = shipped_mysteries() if str(tasks) == DATASET else MYSTERIES.in_file(tasks)
    work: Each[Mapping[str, Any], Won] = Each(_won_of_row, worth=2)
    return table(list(Local(jobs).results(work, (mystery.as_row() for mystery in every.values()))))


def _won_of_row(row: Mapping[str, Any]) -> Won:
    mystery = build_mystery(row)
    return len(mystery.changes) == 1, {name: try_strategy(mystery, name) for name in STRATEGIES}


def table(mysteries: Sequence[Won]) -> WinsTable:
    """Return the table of what was won."""
    figures = [f"wins of {len(mysteries)}", "of one change", "with much gathered"]
    rows = []
    for name in STRATEGIES:
        plain, much = (sum(wins_by_name[name][way] for _, wins_by_name in mysteries) for way in (0, 1))
        single = sum(wins_by_name[name][0] and is_single for is_single, wins_by_name in mysteries)
        rows.append([name, str(plain), str(single), str(much)])
    return WinsTable(["strategy"], figures, rows)
