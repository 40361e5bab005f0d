"""Estimates by delete relaxation: how far a goal is at least, and what every plan needs if actions delete nothing.

LM-cut is a lower bound on the number of actions to a goal, by disjoint action landmarks: sets of actions of which every
plan contains one. Each round finds a landmark as a cut in the graph that leads from the state to the goal by the most
expensive precondition of each action (hmax), counts one, and makes its actions free of charge. The values of hmax are
repaired after each round, not computed again. See Helmert and Domshlak, "Landmarks, Critical Paths and Abstractions:
What's the Difference Anyway?" (2009).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from herobench.pddl.limits import ORDINARY, SearchBudget
from herobench.pddl.task import GroundAction, bits


def relaxed_closure(actions: Iterable[GroundAction], state: int, budget: SearchBudget | None = None) -> int:
    """Return the mask of the atoms that actions can reach from a state if they delete nothing. Raises Spent."""
    for action in _carried_out(actions, state, budget or SearchBudget(ORDINARY)):
        state |= action.add
    return state


def _carried_out(actions: Iterable[GroundAction], state: int, budget: SearchBudget) -> list[GroundAction]:
    """Return the actions that can be carried out if they delete nothing, each after those that it needs."""
    waiting = list(actions)
    carried_out: list[GroundAction] = []
    before = -1
    while waiting and state != before:
        budget.test(len(waiting))
        before = state
        blocked = []
        for action in waiting:
            if action[2] & ~state:
                blocked.append(action)
            else:
                state |= action[3]
                carried_out.append(action)
        waiting = blocked
    return carried_out


def relaxed_landmarks(
    actions: Sequence[GroundAction], state: int, goal: int, budget: SearchBudget | None = None
) -> int | None:
    """Return the mask of the atoms that must be added to reach a goal if actions delete nothing; None if it cannot be.

    For each atom the function keeps the set of atoms that every way to it adds: the intersection over the actions that
    add it. The sets only shrink, so the greatest fixed point is found by repetition. It is exact for the relaxation.
    Raises Spent.
    """
    budget = budget or SearchBudget(ORDINARY)
    usable = _carried_out(actions, state, budget)
    reached = state
    for action in usable:
        reached |= action.add
    if goal & ~reached:
        return None
    labels = [-1] * reached.bit_length()
    for number in bits(state):
        labels[number] = 0
    masks = [(action.pre & ~state, action.add & ~state) for action in usable]
    ways = [(list(bits(pre)), add, list(bits(add))) for pre, add in masks if add]
    tests = sum(1 + len(pre) + len(new) for pre, _, new in ways)
    changed = True
    while changed:
        budget.test(tests)
        changed = False
        for pre, add, new in ways:
            label = add
            for number in pre:
                label |= labels[number]
            for number in new:
                old = labels[number]
                if old & label != old:
                    labels[number] = old & label
                    changed = True
    needed = 0
    for number in bits(goal):
        needed |= labels[number]
    return needed & ~state


class FastForward:
    """Estimates the distance to a goal by the length of a relaxed plan, as the planner FF does."""

    def __init__(self, actions: Sequence[GroundAction], goal: int, budget: SearchBudget) -> None:
        self._actions = actions
        self._goal = goal
        self._budget = budget

    def __call__(self, state: int) -> tuple[int, list[GroundAction]] | None:
        """Return the number of actions of a relaxed plan, and those that are applicable now; None if there is none.

        Raises Spent.
        """
        layers = self._layers(state)
        return None if layers is None else self._extract(state, *layers)

    def _layers(self, state: int) -> tuple[list[int], dict[int, GroundAction]] | None:
        """Return the new atoms of each layer, and for each new atom the first action that adds it."""
        waiting: Sequence[GroundAction] = self._actions
        reached, goal = state, self._goal
        layers: list[int] = []
        supporters: dict[int, GroundAction] = {}
        while goal & ~reached:
            self._budget.test(len(waiting))
            absent = ~reached
            blocked = []
            for action in waiting:
                if action[2] & absent:
                    blocked.append(action)
                elif new := action[3] & ~reached:
                    reached |= new
                    for number in bits(new):
                        supporters[number] = action
            if not reached & absent:
                return None
            layers.append(reached & absent)
            waiting = blocked
        return layers, supporters

    def _extract(
        self, state: int, layers: list[int], supporters: dict[int, GroundAction]
    ) -> tuple[int, list[GroundAction]]:
        """Choose for each needed atom its supporter, from the last layer to the first."""
        needed = self._goal & ~state
        selection: dict[GroundAction, None] = {}
        for layer in reversed(layers):
            for number in bits(needed & layer):
                action = supporters[number]
                if action not in selection:
                    selection[action] = None
                    needed |= action.pre & ~state
        return len(selection), [action for action in selection if not action.pre & ~state]


_FAR = 1 << 30
"""The distance of what cannot be reached."""


class LmCut:
    """LM-cut for one goal. Keeps the values of the states that it was asked for."""

    def __init__(self, actions: Sequence[GroundAction], goal: int, free: Collection[str] = ()) -> None:
        """Prepare the graph. `free` has the names of the schemas whose actions cost nothing."""
        self._actions = actions
        atoms = max((mask.bit_length() for action in actions for mask in action[2:4]), default=0)
        atoms = max(atoms, goal.bit_length())
        self._start, self._end = atoms, atoms + 1
        """Two atoms of our own: one that always holds, and one that an action for the goal adds."""
        self._size = atoms + 2
        self._relevant = (1 << atoms) - 1
        self._pre = [tuple(bits(action.pre)) or (self._start,) for action in actions]
        self._pre.append(tuple(bits(goal)) or (self._start,))
        self._add = [tuple(bits(action.add & ~action.pre)) for action in actions]
        self._add.append((self._end,))
        self._goal_action = len(actions)
        self._cost = [int(action.name not in free) for action in actions]
        self._cost.append(0)
        self._needs = [len(pre) for pre in self._pre]
        self._users: list[list[int]] = [[] for _ in range(self._size)]
        self._adders: list[list[int]] = [[] for _ in range(self._size)]
        for action, (pre, add) in enumerate(zip(self._pre, self._add, strict=True)):
            for atom in pre:
                self._users[atom].append(action)
            for atom in add:
                self._adders[atom].append(action)
        self._tests = len(self._pre) + sum(map(len, (*self._pre, *self._add))) // 4
        """The cost of a round."""
        self._known: dict[int, int | None] = {}

    def __call__(self, state: int, budget: SearchBudget | None = None) -> int | None:
        """Return a lower bound on the number of actions from a state; None if the goal cannot be reached.

        Raises Spent.
        """
        if state not in self._known:
            cuts = self._cuts(state, budget or SearchBudget(ORDINARY))
            self._known[state] = None if cuts is None else len(cuts)
        return self._known[state]

    def landmarks(self, state: int) -> list[list[GroundAction]] | None:
        """Return disjoint sets of actions. Every plan from a state contains at least one action of each."""
        cuts = self._cuts(state, SearchBudget(ORDINARY))
        return None if cuts is None else [[self._actions[action] for action in cut] for cut in cuts]

    def _cuts(self, state: int, budget: SearchBudget) -> list[list[int]] | None:
        budget.test(self._tests)
        distances = _Distances(self, state)
        if distances.of_atom[self._end] == _FAR:
            return None
        cuts = []
        while distances.of_atom[self._end]:
            budget.test(self._tests)
            cut = distances.cut()
            cuts.append(cut)
            distances.lower(cut)
        return cuts


class _Distances:
    """The values of hmax from one state while actions become free one after the other."""

    def __init__(self, graph: LmCut, state: int) -> None:
        self.graph = graph
        self.state = [*bits(state & graph._relevant), graph._start]
        self.of_atom = [_FAR] * graph._size
        self.of_action = [_FAR] * len(graph._pre)
        """The distance of an action's most distant precondition."""
        self.supporter = [-1] * len(graph._pre)
        """The most distant precondition of each action."""
        self.cost = list(graph._cost)
        self._explore()

    def _explore(self) -> None:
        """Set all distances. Every action costs one or nothing, so the atoms come in layers."""
        graph, of_atom, of_action, supporter, cost = self.graph, self.of_atom, self.of_action, self.supporter, self.cost
        users, add, needs = graph._users, graph._add, list(graph._needs)
        layer = list(self.state)
        for atom in layer:
            of_atom[atom] = 0
        distance = 0
        while layer:
            following: list[int] = []
            for atom in layer:  # grows while it is read
                if of_atom[atom] < distance:
                    continue  # an action without cost has brought it into the layer before
                for action in users[atom]:
                    needs[action] -= 1
                    if not needs[action]:
                        supporter[action] = atom
                        of_action[action] = distance
                        reached = following if cost[action] else layer
                        for new in add[action]:
                            if of_atom[new] > distance + cost[action]:
                                of_atom[new] = distance + cost[action]
                                reached.append(new)
            layer = following
            distance += 1
        of_atom[graph._end] = of_action[graph._goal_action]

    def cut(self) -> list[int]:
        """Return a cut: actions from what is reached without them to atoms from which the goal costs nothing."""
        zone = self._goal_zone()
        graph, supporter, of_action = self.graph, self.supporter, self.of_action
        users, add = graph._users, graph._add
        visited = [False] * graph._size
        stack = list(self.state)
        for atom in stack:
            visited[atom] = True
        cut = []
        while stack:
            atom = stack.pop()
            for action in users[atom]:
                if supporter[action] == atom and of_action[action] != _FAR:
                    new = add[action]
                    for other in new:
                        if zone[other]:
                            cut.append(action)
                            break
                    else:
                        for other in new:
                            if not visited[other]:
                                visited[other] = True
                                stack.append(other)
        return cut

    def _goal_zone(self) -> list[bool]:
        """Return, for each atom, whether free actions lead from it to the goal by their supporters."""
        graph, supporter, cost = self.graph, self.supporter, self.cost
        zone = [False] * graph._size
        zone[graph._end] = True
        stack = [graph._end]
        while stack:
            for action in graph._adders[stack.pop()]:
                if not cost[action]:
                    atom = supporter[action]
                    if atom >= 0 and not zone[atom]:
                        zone[atom] = True
                        stack.append(atom)
        return zone

    def lower(self, cut: list[int]) -> None:
        """Make actions free, and repair the distances that become smaller."""
        of_action, cost = self.of_action, self.cost
        queue: list[list[int]] = [[] for _ in range(self.of_atom[self.graph._end] + 2)]
        for action in cut:
            cost[action] = 0
            self._spread(action, of_action[action], queue)
        distance = 0
        while distance < len(queue):
            for atom in queue[distance]:  # grows while it is read
                if self.of_atom[atom] == distance:
                    self._relieve(atom, distance, queue)
            distance += 1

    def _spread(self, action: int, distance: int, queue: list[list[int]]) -> None:
        of_atom = self.of_atom
        for new in self.graph._add[action]:
            if of_atom[new] > distance:
                of_atom[new] = distance
                while len(queue) <= distance:
                    queue.append([])
                queue[distance].append(new)

    def _relieve(self, atom: int, distance: int, queue: list[list[int]]) -> None:
        """Repair the actions whose most distant precondition was an atom."""
        supporter, of_action, of_atom, pre = self.supporter, self.of_action, self.of_atom, self.graph._pre
        for action in self.graph._users[atom]:
            if supporter[action] == atom and of_action[action] > distance:
                farthest = max(pre[action], key=of_atom.__getitem__)
                supporter[action] = farthest
                if of_atom[farthest] < of_action[action]:
                    of_action[action] = of_atom[farthest]
                    self._spread(action, of_atom[farthest] + self.cost[action], queue)
