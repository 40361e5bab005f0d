"""Chooses the actions that a search for a shortest plan has to try in a state. All others only make it longer.

Three things are left out: actions that lead to nothing that is still needed, such as taking a key whose lock is open
already; moves into branches where nothing is left to do; and dropping a thing where nobody else comes, since the person
might as well keep it. Of the rest a persistent set is tried, if one is found: one action that has to come anyway, or
the actions of one person. So a level of 50 actions is proven in some hundred states, and not in millions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from herobench.pddl import Action, Atom
from herobench.pddl.persistent import PersistentSets
from herobench.pddl.simulation import bits
from herobench.suites.epoch.walks import walks


class Useful:
    """The useful actions on the way to one goal."""

    def __init__(self, actions: Sequence[Action], rules: Collection[str], atoms: Sequence[Atom], goal: int) -> None:
        """Prepare for some actions; `rules` has the names of those that follow by themselves."""
        self._actions, self._goal = actions, goal
        self._persistent = PersistentSets(actions, goal)
        self._who = [None if action.name in rules else action.args[0] for action in actions]
        """The person of each action; None for a rule."""
        self._walks = list(walks(actions, atoms))
        self._adders: dict[int, list[int]] = {}
        for number, action in enumerate(actions):
            if action.name != "move" and (action.name != "drop" or self._matters(action)):
                for bit in bits(action.add):
                    self._adders.setdefault(bit, []).append(number)
        deleted = 0
        for action in actions:
            deleted |= action.delete
        self._lasting = ~deleted
        """The facts that stay true for ever."""

    def __call__(self, state: int) -> Sequence[Action]:
        """Return the actions to try in a state: some shortest plan, if there is one, begins with one of them."""
        useful = self._useful(state)
        return [self._actions[number] for number in self._enough(useful, state)]

    def towards_goal(self, state: int) -> list[Action]:
        """Return the actions, rules among them, that add what is still needed."""
        return [self._actions[number] for number in self._useful(state)]

    def _enough(self, useful: Sequence[int], state: int) -> Sequence[int]:
        """Return one action if one is enough, else those of one person, else all that can be carried out."""
        now = [number for number in useful if self._is_choice(number, state)]
        if len(now) < 2:
            return now
        persistent = self._persistent.at(state, useful)
        # What is not a move is more often free of conflicts.
        for number in sorted(now, key=lambda number: self._actions[number].name == "move"):
            if persistent.holds([number]):
                return [number]
        by_person: dict[str | None, list[int]] = {}
        for number in now:
            by_person.setdefault(self._who[number], []).append(number)
        for person, choices in sorted(by_person.items(), key=lambda item: len(item[1])):
            own = [number for number in useful if self._who[number] == person]
            if len(choices) < len(now) and persistent.holds(own):
                return choices
        return now

    def _is_choice(self, number: int, state: int) -> bool:
        """Return whether an action is a person's, can be carried out, and changes something."""
        _, _, pre, add, delete = self._actions[number]
        return not pre & ~state and self._who[number] is not None and bool(add & ~state or delete)

    def _useful(self, state: int) -> list[int]:
        done = state & self._lasting
        wanted, seen = self._goal & ~done, 0
        useful: dict[int, None] = {}
        while True:
            while new := wanted & ~seen:
                seen |= new
                for bit in bits(new):
                    for number in self._adders.get(bit, ()):
                        useful[number] = None
                        wanted |= self._actions[number].pre & ~done
            moves = [number for walk in self._walks for number in walk.moves(state | wanted)]
            for number in moves:
                move = self._actions[number]
                wanted |= move.pre & ~done & ~move.delete  # that a place is left does not make it wanted
            if not wanted & ~seen:
                return [*useful, *moves]

    def _matters(self, drop: Action) -> bool:
        """Return whether another person comes to the place of a drop, or the goal is that the thing lies there."""
        place = drop.args[2]
        return bool(drop.add & self._goal) or sum(place in walk.places for walk in self._walks) > 1
