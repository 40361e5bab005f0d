"""Draws levels: as a graph of dependencies, grown until the proven length of a shortest solution is the one wanted.

A draft begins with a goal and grows by gadgets. After each, a search proves its length. What is missing to the wanted
length at last is added by corridors. A draft that grows too long, or whose proof would take too many states, is thrown
away. Every level is solvable, since gadgets never close what opens them, and since its solution is its certificate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from herobench.errors import UsageError
from herobench.pddl import Action, Limits
from herobench.suites.epoch.generate.clues import clues_for
from herobench.suites.epoch.generate.decoys import add_decoys
from herobench.suites.epoch.generate.draft import Draft, Spent
from herobench.suites.epoch.generate.fading import levers_last, unstable_for
from herobench.suites.epoch.generate.gadgets import harden
from herobench.suites.epoch.generate.goals import begin
from herobench.suites.epoch.generate.wanted import Wanted
from herobench.suites.epoch.generate.words import SENTENCES
from herobench.suites.epoch.level import Level, actions
from herobench.suites.epoch.proof import limits_of, milestones_on
from herobench.suites.epoch.prover import shortest_plan
from herobench.suites.epoch.world import world_of

_STATES = Limits(states=250)
"""The limit of a proof."""
_DRAFTS = 1000
_LONGEST_GADGET = 9
"""Most gadgets make a solution longer by less than this."""
_EASY, _EASY_CLOCKS = 12, 40
"""Up to this length, things may be as near to where they are needed as can be. Three levers need more anyway."""
_MOST_CORRIDORS = 5
"""The most corridors that are added, in short levels fewer. With three levers a quarter of the length may be corridors:
people who work side by side make proofs long, and corridors do not.
"""
_SENTENCES = 3
"""The most sentences beside the one on the goal."""
_ALWAYS = ("move", "take", "drop", "send")
"""Tools that every level has."""


def level(wanted: Wanted, number: int) -> Level:
    """Return the level of a number, from 1. It depends on what is wanted and on the number only."""
    name = f"{wanted.seed}-{number}"
    least, most = wanted.lengths
    length = _source(wanted, number, "length").randint(least, most)
    for attempt in range(_DRAFTS):
        chance = _source(wanted, number, attempt)
        try:
            if drawn := _Drawing(wanted, name, length, chance).level():
                return drawn
        except Spent:
            continue
    raise UsageError(
        f"No level of {length} actions for {wanted.people} people was found in {_DRAFTS} drafts: "
        "give another seed, fewer people, or other lengths."
    )


def levels(wanted: Wanted, numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a levels file."""
    for number in numbers:
        yield level(wanted, number).as_row()


def _source(wanted: Wanted, number: int, use: object) -> Random:
    options = (*wanted.lengths, wanted.people, wanted.decay, wanted.riddles, wanted.seed)
    return Random(f"{options} {number} {use}")  # noqa: S311 - the same level for the same number


class _Drawing:
    """One try at a level of some length."""

    def __init__(self, wanted: Wanted, name: str, length: int, chance: Random) -> None:
        self._wanted, self._name, self._length, self._chance = wanted, name, length, chance
        easy = _EASY_CLOCKS if wanted.decay else _EASY
        self._draft = Draft(chance, wanted.people, chance.random() * min(1, easy / length))

    def level(self) -> Level | None:
        """Return a level of just the length; None if the draft came to nothing."""
        begin(self._draft, clocks=self._wanted.decay)
        for _ in range(self._chance.randint(0, 0 if self._wanted.decay else self._length // _LONGEST_GADGET)):
            harden(self._draft)
        while True:
            plan = self._proven()
            if plan is None:
                return None
            if self._length - len(plan) <= self._most_corridors:
                return self._finished(plan)
            harden(self._draft)

    @property
    def _most_corridors(self) -> int:
        if self._wanted.decay:
            return 1 + self._length // 4
        return min(_MOST_CORRIDORS, 1 + self._length // 6)

    def _finished(self, plan: Sequence[Action]) -> Level | None:
        """Return the level, lengthened by what is missing; None if that does not give the length."""
        if len(plan) < self._length:
            self._lengthen(plan)
        add_decoys(self._draft)
        drawn = self._bare()
        found = shortest_plan(drawn, _STATES, self._length).plan
        if found is None or len(found) != self._length:
            return None
        return self._certified(drawn, found)

    def _lengthen(self, plan: Sequence[Action]) -> None:
        """Put corridors between places that the plan passes once."""
        walked = [frozenset(action.args[1:]) for action in plan if action.name == "move"]
        once = [edge for edge in self._draft.edges if walked.count(frozenset(edge)) == 1]
        if not once:
            raise Spent
        for _ in range(self._length - len(plan)):
            number = self._chance.randrange(len(once))
            start, end = once[number]
            once[number] = (self._draft.lengthen(start, end), end)

    def _proven(self) -> Sequence[Action] | None:
        """Return a shortest solution of the draft; None if it is too long or not proven."""
        return shortest_plan(self._bare(), _STATES, self._length).plan

    def _bare(self) -> Level:
        """Return the draft as a level that can be searched, without words and limits."""
        problem = self._draft.problem(f"epoch-{self._name}")
        return Level(self._name, self._name, "", "", (), problem, actions(), (), (), None, 1, 1, 1, ())

    def _certified(self, bare: Level, plan: Sequence[Action]) -> Level:
        """Return the level with its words and its certificate."""
        world, unstable = world_of(bare), None
        if self._wanted.decay:
            plan = levers_last(world, plan)
            unstable = unstable_for(plan, self._chance)
        clues = self._clues() if self._wanted.riddles else None
        used = {action.name for action in world.grounded.actions}
        max_steps, window = limits_of(len(plan))
        return replace(
            bare,
            title=self._draft.title,
            brief=self._brief(),
            clues=tuple(clues or ()),
            tools=tuple(tool for tool in bare.tools if tool in _ALWAYS or tool in used),
            milestones=milestones_on(world, plan),
            hidden=("fits",) if clues else (),
            unstable=unstable,
            max_steps=max_steps,
            stagnation_window=window,
            optimal=len(plan),
            reference_plan=tuple(map(str, plan)),
        )

    def _brief(self) -> str:
        """Return the sentence on the goal and some of the others."""
        goal, *others = self._draft.sentences
        told = sorted(self._chance.sample(range(len(others)), min(_SENTENCES, len(others))))
        last = [self._chance.choice(SENTENCES["fading"])] if self._wanted.decay else []
        return " ".join([goal, *(others[number] for number in told), *last])

    def _clues(self) -> list[str] | None:
        draft = self._draft
        keys = [thing for thing, kind in draft.objects.items() if kind == "key"]
        return clues_for(draft.key_of, keys, draft.epoch_of, self._chance)
