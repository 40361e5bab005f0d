"""Decides whether a search may try only some of the actions of a state, and still find a shortest plan.

Suppose that every plan from a state contains an action of some set, and that nothing which can be carried out before
the first of them conflicts with it. Then this first action can as well be carried out at once: the plan stays valid and
as long as it was. So it is enough to try the actions of the set. Such sets are called persistent; see Godefroid,
"Partial-Order Methods for the Verification of Concurrent Systems" (1996). What can be carried out before is found by
delete relaxation, which only makes the test stricter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from herobench.pddl.simulation import GroundAction, bits

_NOT_AT_ALL = 1 << 30
"""What an action lacks that is left out."""


class PersistentSets:
    """Tests sets of actions on the way to one goal. Actions are named by their numbers."""

    def __init__(self, actions: Sequence[GroundAction], goal: int) -> None:
        self.actions, self.goal = actions, goal
        most = max((mask.bit_length() for action in actions for mask in action[2:4]), default=0)
        self.users: list[list[int]] = [[] for _ in range(most)]
        """For each atom the actions that need it."""
        for number, action in enumerate(actions):
            for bit in bits(action.pre):
                self.users[bit].append(number)

    def at(self, state: int, useful: Collection[int]) -> PersistentHere:
        """Return the test for one state. The useful actions have to contain a shortest plan from there."""
        return PersistentHere(self, state, useful)


class PersistentHere:
    """Tests sets of actions in one state."""

    def __init__(self, sets: PersistentSets, state: int, useful: Collection[int]) -> None:
        self._sets, self._state = sets, state
        absent = ~state
        self._lacks = [_NOT_AT_ALL] * len(sets.actions)
        """How many atoms each useful action lacks."""
        for number in useful:
            self._lacks[number] = (sets.actions[number][2] & absent).bit_count()
        self._ready = [number for number in useful if not self._lacks[number]]

    def holds(self, chosen: Collection[int]) -> bool:
        """Return whether some shortest plan begins with one of the chosen actions, if there is a plan."""
        actions, users, goal = self._sets.actions, self._sets.users, self._sets.goal
        added = deleted = 0
        for number in chosen:
            if not self._lacks[number]:
                added |= actions[number].add
                deleted |= actions[number].delete
        lacks = self._lacks.copy()
        for number in chosen:
            lacks[number] = _NOT_AT_ALL
        waiting = [number for number in self._ready if lacks[number] != _NOT_AT_ALL]
        reached = self._state
        for number in waiting:  # grows while it is read
            _, _, pre, add, delete = actions[number]
            if pre & deleted or delete & added:
                return False
            if new := add & ~reached:
                reached |= new
                if not goal & ~reached:
                    return False
                for bit in bits(new):
                    for user in users[bit]:
                        lacks[user] -= 1
                        if not lacks[user]:
                            waiting.append(user)
        return not any(self._lacks[number] and not actions[number].pre & ~reached for number in chosen)
