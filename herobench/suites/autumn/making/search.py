"""Breadth-first search over the states of a world: what can be seen after so many actions, and not after fewer.

All actions are tried but those that are proven to change nothing. An arrow that the program does not name is as good as
`noop`. Where the program does not name the variable `click`, it sees a click only by comparing it with cells: then a
click on a cell with which none was compared is as good as a click beside everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from herobench.suites.autumn.challenge import Grid, grid_of
from herobench.suites.autumn.language.state import count_values
from herobench.suites.autumn.language.world import World
from herobench.suites.autumn.making.state_key import named_keys, names_clicks, state_key, words_of

_MOST_HELD = 30_000_000
"""Values that the states of a search may hold together. Eight cells of a grid are as large as a value."""
_NOWHERE = "click -99999 -99999"


@dataclass(slots=True, eq=False)
class Node:
    """A state that was reached."""

    world: World | None
    """The world; None once it was expanded, to save memory."""
    grid: Grid
    depth: int
    parent: Node | None = None
    action: str = ""

    @property
    def plan(self) -> tuple[str, ...]:
        """The actions from the start to here."""
        actions = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return tuple(reversed(actions))


@dataclass(slots=True)
class Explored:
    """The states that a search met."""

    layers: list[list[Node]] = field(default_factory=list)
    """The states by the least number of actions that leads to them."""
    complete: int = 0
    """All states that so many actions or fewer can reach are in the layers."""
    exhausted: bool = False
    """Whether there are no other states at all."""
    steps: int = 0
    """The actions that were tried."""

    @property
    def states(self) -> int:
        """The number of states."""
        return sum(map(len, self.layers))

    @property
    def proven(self) -> int:
        """The length up to which the depth of a state is that of a shortest plan."""
        return self.complete + 1


def explored(world: World, steps: int, depth: int) -> Explored:
    """Search until so many actions were tried, or all states of a depth are known. Raises AutumnError."""
    start = Node(world.redrawn(), grid_of(world.grid), 0)
    found = Explored([[start]])
    seen = {state_key(world)}
    held = 0
    while found.complete < depth:
        following: list[Node] = []
        found.layers.append(following)
        for node in found.layers[found.complete]:
            if found.steps >= steps or held > _MOST_HELD:
                return found
            for action, after in _successors(node):
                found.steps += 1
                key = state_key(after)
                if key not in seen:
                    seen.add(key)
                    held += count_values(after.held, _MOST_HELD) + after.size**2 // 8
                    following.append(Node(after, grid_of(after.grid), node.depth + 1, node, action))
            node.world = None
        found.complete += 1
        if not following:
            found.exhausted = True
            found.layers.pop()
            break
    return found


def _successors(node: Node) -> Iterator[tuple[str, World]]:
    """Yield actions that may lead to different states, each with the world after it."""
    world = node.world
    assert world is not None
    program = world.program.source.program
    for action in ("noop", *named_keys(program)):
        after = world.redrawn()
        after.act(action)
        yield action, after
    if not names_clicks(program):
        return
    cells = _clicked_cells(world, by_cell="click" not in words_of(program))
    for x, y in cells:
        after = world.redrawn()
        after.act(f"click {x} {y}")
        yield f"click {x} {y}", after


def _clicked_cells(world: World, *, by_cell: bool) -> list[tuple[int, int]]:
    """Return cells of the grid of which clicks may differ."""
    size = world.size
    cells = [(x, y) for y in range(size) for x in range(size)]
    if not by_cell:
        return cells
    tested = world.redrawn().click_tested(_NOWHERE)
    beside = next((cell for cell in cells if cell not in tested), None)
    return [cell for cell in cells if cell in tested or cell == beside]
