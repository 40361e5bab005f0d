"""The chronicle of a game: its turns played again, with the deeds that made each fact true.

The page knows no rules. It gets what each turn changed, and for each deed the earlier turns that made true what it
needed. Each played turn is compared with the stored one; the chronicle ends at the first difference.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from herobench.pddl import Atom
from herobench.pddl.task import bits
from herobench.suites.epoch.game.game import EpochGame, Feedback, SentCall, read_turn
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import level_world, parse_atom

EPOCHS = ("past", "present", "future")
_HOMES = ("at", "stands", "stays", "hung-in-tree", "inside")
"""The predicates that tie their first object to the epoch of their second one."""


class Lanes:
    """The lanes of one level."""

    def __init__(self, level: Level) -> None:
        self._world = level_world(level)

    def of(self, atom: Atom) -> str | None:
        """Return the epoch of a fact: the epoch of its first object that has one; None if no object has one."""
        # a place says it best, then whoever or whatever has a home
        candidates = [*map(_named_after, atom.args), *map(self._homes.get, atom.args)]
        return next(filter(None, candidates), None)

    def of_action(self, action: Atom) -> str | None:
        """Return the epoch in which an action is done: that of the person who does it."""
        return self._homes.get(action.args[0]) if action.args else None

    def table(self) -> dict[str, str]:
        """Return the epoch of each fact that can change and that has one."""
        pairs = ((str(atom), self.of(atom)) for atom in self._world.grounded.atoms)
        return {fact: epoch for fact, epoch in pairs if epoch}

    @cached_property
    def _homes(self) -> Mapping[str, str]:
        """The epoch of each object that is in one only."""
        homes: dict[str, set[str]] = {}
        facts = [*map(parse_atom, self._world.facts(self._world.initial)), *self._world.static]
        tying = [atom for atom in facts if atom.name in _HOMES and len(atom.args) > 1]
        for _ in range(2):  # a thing inside a lock is where the lock stands
            for atom in tying:
                home, own = atom.args[1], homes.setdefault(atom.args[0], set())
                epoch = _named_after(home)
                own |= {epoch} if epoch else homes.get(home, set())
        return {name: next(iter(epochs)) for name, epochs in homes.items() if len(epochs) == 1}


def _named_after(name: str) -> str | None:
    epoch = name.rpartition("-")[2]
    return epoch if epoch in EPOCHS else None


_LONGEST = 300
"""The most characters that are shown of what a model sent where an action was expected."""
_BROKEN = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The errors that turns of another form lead to."""


class Chronicle(NamedTuple):
    """The turns of a game; `differs_at` is the first turn, from 0, that did not come out as stored."""

    turns: list[dict[str, Any]]
    differs_at: int | None


def replay_turns(level: Level, turns: Sequence[Mapping[str, Any]]) -> Chronicle:
    """Play stored turns again."""
    game, lanes = level.start(), Lanes(level)
    book: list[dict[str, Any]] = []
    origins: dict[str, int] = {}
    for number, turn_row in enumerate(turns):
        try:
            turn, feedback_row = turn_row["turn"], turn_row["feedback"]
            action = _action(game, turn)
            facts = _needed_facts(game, action)
            feedback = None if game.stop else game.turn(turn)
        except _BROKEN:
            return Chronicle(book, number)
        if feedback is None or feedback != feedback_row:
            return Chronicle(book, number)
        built_on = [[fact, origins[fact]] for fact in facts if fact in origins]
        lane = action and lanes.of_action(action)
        book.append({"said": _call_text(turn, action), "lane": lane, "built_on": built_on, **feedback})
        _note(origins, feedback, number + 1)
    return Chronicle(book, None)


def _action(game: EpochGame, turn: Mapping[str, Any]) -> Atom | None:
    """Return the action that a turn names; None if it names none of the level."""
    call = read_turn(turn)
    if not isinstance(call, SentCall) or call.name not in game.level.tools:
        return None
    arguments = call.read()
    return None if arguments is None else game.world.find_action(call.name, arguments)


def _needed_facts(game: EpochGame, action: Atom | None) -> list[str]:
    """Return the facts that an action needs and that can change."""
    ground_action = action and game.world.grounded.find(*action)
    return [str(game.world.grounded.atoms[bit]) for bit in bits(ground_action.pre)] if ground_action else []


def _note(origins: dict[str, int], feedback: Feedback, turn: int) -> None:
    """Keep which turn made each fact true."""
    for fact in [*feedback.get("deleted", ()), *(decayed["fact"] for decayed in feedback.get("decayed", ()))]:
        origins.pop(fact, None)
    for fact in [*feedback.get("added", ()), *(caused["added"] for caused in feedback.get("caused", ()))]:
        origins[fact] = turn


def _call_text(turn: Mapping[str, Any], action: Atom | None) -> str:
    """Return what the model sent, on one line; for an action its name and values."""
    if action is not None:
        return " ".join((action.name, *action.args))
    call = read_turn(turn)
    if isinstance(call, SentCall):
        arguments = (
            call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
        )
        return f"{call.name}({arguments})"[:_LONGEST]
    unsaid = "no reply" if call else "nothing"
    words = turn.get("text") or (call if isinstance(call, str) else unsaid)
    return str(words)[:_LONGEST]
