"""Rules by which somebody could choose who knows nothing of a world: each counts something of a choice of a prediction.

The audit takes the choice with the least or the greatest number. The maker takes six choices among which no rule that
compares them with the actions tells the right one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from herobench.suites.autumn.episode.challenge import Grid, Mask
from herobench.suites.autumn.language.world import KEYS, read_action
from herobench.suites.autumn.making.recordings import Trajectory

Cell = tuple[int, int]
_HEADINGS: Mapping[str, Cell] = dict(zip(KEYS, ((-1, 0), (1, 0), (0, -1), (0, 1)), strict=True))


@dataclass(frozen=True)
class Clues:
    """A player sees these parts of a prediction, and its choices."""

    mask: Mask
    background: str
    trajectory: Trajectory
    """The actions and frames. Only what is around the rectangle is looked at where it is hidden."""

    @property
    def actions(self) -> Sequence[str]:
        """The actions that were done while the rectangle was hidden."""
        return self.trajectory.actions[self.mask.since - 1 :]

    @property
    def earlier(self) -> Sequence[str]:
        """The actions that were done before."""
        return self.trajectory.actions[: self.mask.since - 1]

    @cached_property
    def seen(self) -> Sequence[Grid]:
        """The contents that the rectangle had while it could be seen."""
        return [self.mask.cut(frame) for frame in self.trajectory.frames[: self.mask.since]]

    @cached_property
    def clicks(self) -> Sequence[Cell]:
        """The clicked cells, counted from the corner of the rectangle."""
        commands = [read_action(action) for action in self.actions if action.startswith("click")]
        return [(command.x - self.mask.column, command.y - self.mask.row) for command in commands]

    @cached_property
    def heading(self) -> Cell:
        """The sum of the directions of the pressed keys."""
        steps = [_HEADINGS[action] for action in self.actions if action in _HEADINGS]
        return sum(x for x, _ in steps), sum(y for _, y in steps)

    @cached_property
    def moves(self) -> Mapping[tuple[str, str], tuple[float, float]]:
        """The mean step by which each kind of action moved the centre of each colour."""
        sums: dict[tuple[str, str], list[tuple[float, float]]] = {}
        centres = [_centres(content) for content in self.seen]
        for action, one, other in zip(self.earlier, centres, centres[1:], strict=False):
            for color in one.keys() & other.keys():
                step = other[color][0] - one[color][0], other[color][1] - one[color][1]
                sums.setdefault((kind_of(action), color), []).append(step)
        return {key: _centre(steps) for key, steps in sums.items()}

    @cached_property
    def usual(self) -> Mapping[Cell, Counter[str]]:
        """For each cell, the number of frames in which it had each colour."""
        return {
            (x, y): Counter(content[y][x] for content in self.seen)
            for y in range(self.mask.height)
            for x in range(self.mask.width)
        }


def kind_of(action: str) -> str:
    """Return the action, or `click`."""
    return action.split()[0]


def _centres(content: Grid) -> Mapping[str, tuple[float, float]]:
    """Return the centre of the cells of each colour."""
    cells: dict[str, list[Cell]] = {}
    for cell, color in _cells(content):
        cells.setdefault(color, []).append(cell)
    return {color: _centre(places) for color, places in cells.items()}


def distance(one: Grid, other: Grid) -> int:
    """Return the number of cells that differ."""
    return sum(a != b for mine, others in zip(one, other, strict=True) for a, b in zip(mine, others, strict=True))


def count_colors(content: Grid) -> Counter[str]:
    """Return how many cells have each colour."""
    return Counter(color for row in content for color in row)


def _cells(content: Grid) -> Iterator[tuple[Cell, str]]:
    return (((x, y), color) for y, row in enumerate(content) for x, color in enumerate(row))


def _changed(clues: Clues, content: Grid) -> list[Cell]:
    last = clues.seen[-1]
    return [(x, y) for (x, y), color in _cells(content) if color != last[y][x]]


def _drawn(clues: Clues, content: Grid) -> list[Cell]:
    return [cell for cell, color in _cells(content) if color != clues.background]


def _recolored(clues: Clues, content: Grid) -> int:
    """Return how far the numbers of cells of each colour are from those that were seen last."""
    before, after = count_colors(clues.seen[-1]), count_colors(content)
    return sum(abs(before[color] - after[color]) for color in {*before, *after})


def _usual(clues: Clues, content: Grid) -> float:
    """Return how likely a content is, if each cell has a colour as often as it had before."""
    return round(sum(log(clues.usual[cell][color] + 0.1) for cell, color in _cells(content)), 6)


def _clicked(clues: Clues, content: Grid) -> int:
    changed = set(_changed(clues, content))
    return sum(cell in changed for cell in clues.clicks)


def _nearness(clues: Clues, content: Grid) -> float:
    """Return how near the changed cells are to the nearest click, in the mean."""
    changed = _changed(clues, content)
    if not changed or not clues.clicks:
        return 0
    return -sum(min(abs(x - a) + abs(y - b) for a, b in clues.clicks) for x, y in changed) / len(changed)


def _centre(cells: Sequence[tuple[float, float]]) -> tuple[float, float]:
    count = max(1, len(cells))
    return sum(x for x, _ in cells) / count, sum(y for _, y in cells) / count


def _shift(clues: Clues, content: Grid) -> float:
    """Return how far the drawn cells moved into the direction of the keys."""
    (x, y), (a, b) = _centre(_drawn(clues, content)), _centre(_drawn(clues, clues.seen[-1]))
    return round(clues.heading[0] * (x - a) + clues.heading[1] * (y - b), 6)


def _shifted(clues: Clues, content: Grid) -> int:
    """Return how far a content is from the last one that was seen, with all drawn cells moved as the keys say."""
    dx, dy = clues.heading
    moved = {(x + dx, y + dy): clues.seen[-1][y][x] for x, y in _drawn(clues, clues.seen[-1])}
    return sum(color != moved.get(cell, clues.background) for cell, color in _cells(content))


def _parity(clues: Clues, content: Grid) -> int:
    """Return how many clicked cells have changed if they were clicked once, and have not if they were twice."""
    changed = set(_changed(clues, content))
    return sum((cell in changed) == (count % 2 == 1) for cell, count in Counter(clues.clicks).items())


def _last_key(clues: Clues, content: Grid) -> float:
    """Return how far the drawn cells lie in the direction of the last key."""
    x, y = _centre(_drawn(clues, content))
    dx, dy = next((_HEADINGS[action] for action in reversed(clues.actions) if action in _HEADINGS), (0, 0))
    return round(dx * x + dy * y, 6)


def _last_click(clues: Clues, content: Grid) -> int:
    """Return how near a changed cell is to the last click."""
    if not clues.clicks:
        return 0
    x, y = clues.clicks[-1]
    return -min((abs(x - a) + abs(y - b) for a, b in _changed(clues, content)), default=99)


def _motion(clues: Clues, content: Grid) -> float:
    """Return how near each colour is to where it would be if actions moved it as they did before, in the mean."""
    now, before = _centres(content), _centres(clues.seen[-1])
    far = 0.0
    for color in before.keys() & now.keys():
        moves = [clues.moves.get((kind_of(action), color), (0.0, 0.0)) for action in clues.actions]
        far += sum(abs(now[color][axis] - before[color][axis] - sum(move[axis] for move in moves)) for axis in range(2))
    return round(-far - 3 * len(before.keys() - now.keys()), 6)


Rule = Callable[[Clues, Grid], float]
ALONE: Mapping[str, Rule] = {
    "moved": lambda clues, content: distance(content, clues.seen[-1]),
    "from the start": lambda clues, content: distance(content, clues.seen[0]),
    "new": lambda clues, content: min(distance(content, other) for other in clues.seen),
    "recoloured": _recolored,
    "recoloured per cell": lambda clues, content: _recolored(clues, content) / max(1, len(_changed(clues, content))),
    "usual": _usual,
    "drawn": lambda clues, content: len(_drawn(clues, content)),
    "colours": lambda _, content: len(count_colors(content)),
    "column": lambda clues, content: round(_centre(_drawn(clues, content))[0], 6),
    "row": lambda clues, content: round(_centre(_drawn(clues, content))[1], 6),
}
"""These describe a choice alone, or compare it with the frames that the player saw."""
BY_ACTIONS: Mapping[str, Rule] = {
    "clicked": _clicked,
    "nearness": _nearness,
    "parity": _parity,
    "last click": _last_click,
    "shift": _shift,
    "shifted": _shifted,
    "last key": _last_key,
    "motion": _motion,
}
"""These compare a choice with the actions of the player. Only the actions say which choice is right."""
AMONG: Mapping[str, Callable[[Grid, Sequence[Grid]], float]] = {
    "place": lambda choice, choices: choices.index(choice),
    "spread": lambda choice, choices: sum(distance(choice, other) for other in choices),
    "nearest": lambda choice, choices: min(distance(choice, other) for other in choices if other != choice),
    "odd": lambda choice, choices: sum(count_colors(choice) != count_colors(other) for other in choices),
}
"""These compare a choice with the others."""
RULES = (*ALONE, *BY_ACTIONS, *AMONG)


def count_clues(clues: Clues, choices: Sequence[Grid]) -> list[list[float]]:
    """Return what each rule counts, choice by choice."""
    rows = [[rule(clues, choice) for choice in choices] for rule in (*ALONE.values(), *BY_ACTIONS.values())]
    return rows + [[rule(choice, choices) for choice in choices] for rule in AMONG.values()]
