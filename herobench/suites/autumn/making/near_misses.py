"""Records random play, and finds wrong choices of a prediction: frames that could be mistaken for the last one.

Actions that change the view are preferred. Each near miss stores how it was made, so that it can be proven again from
the row of the challenge alone: an earlier frame, other actions while the rectangle was
hidden, a program with one rule turned off, exchanged cells of the truth, or the cells beside the rectangle.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from random import Random
from typing import Any

from herobench.suites.autumn.episode.challenge import Grid, Mask, freeze_grid, start_world
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.parser import ProgramForm, ProgramText
from herobench.suites.autumn.language.world import KEYS, AutumnWorld

_TRIES = 4
"""The most actions that are drawn for a step. The first one that changes something is done."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A trajectory: frame 0 is the start, and frame k follows action k - 1."""

    actions: tuple[str, ...]
    frames: tuple[Grid, ...]

    @property
    def last(self) -> Grid:
        """The last frame."""
        return self.frames[-1]


def replay(world: AutumnWorld, actions: Iterable[str]) -> Trajectory:
    """Do actions in a world, and return the trajectory. Raise AutumnError if the program fails."""
    so_far, frames = list[str](), [freeze_grid(world.grid)]
    for action in actions:
        world.act(action)
        so_far.append(action)
        frames.append(freeze_grid(world.grid))
    return Trajectory(tuple(so_far), tuple(frames))


def record(world: AutumnWorld, random: Random, steps: int) -> Trajectory:
    """Play a world for some steps, and return the trajectory. Raise AutumnError if the program fails."""
    return replay(world, (sensible_action(world, random) for _ in range(steps)))


def sensible_action(world: AutumnWorld, random: Random) -> str:
    """Return a random action that changes the next frame, or a drawn `noop`; after a few tries, the last one."""
    after_waiting = _after(world, "noop")
    action = "noop"
    for _ in range(_TRIES):
        action = likely_action(world, random)
        if action == "noop" or _after(world, action) != after_waiting:
            return action
    return action


def likely_action(world: AutumnWorld, random: Random) -> str:
    """Return a random action. Clicks on drawn cells are more likely than clicks beside them."""
    kind = random.choice(("noop", "click", "click", *KEYS))
    if kind != "click":
        return kind
    grid, background = world.grid, world.background
    pixels = [(x, y) for y, row in enumerate(grid) for x, color in enumerate(row) if color != background]
    if pixels and random.random() < 0.6:
        x, y = random.choice(pixels)
        return f"click {x} {y}"
    return f"click {random.randrange(world.size)} {random.randrange(world.size)}"


def _after(world: AutumnWorld, action: str) -> list[list[str]]:
    next_world = world.redrawn()
    next_world.act(action)
    return next_world.grid


_TOKEN = re.compile(r';[^\n]*|"(?:[^"\\\n]|\\.)*"|[^\s()";]+')
_PAIRS = (
    ("moveLeft", "moveRight"),
    ("moveUp", "moveDown"),
    ("moveLeftNoCollision", "moveRightNoCollision"),
    ("moveUpNoCollision", "moveDownNoCollision"),
    ("moveLeftPos", "moveRightPos"),
    ("moveUpPos", "moveDownPos"),
    ("left", "right"),
    ("up", "down"),
    ("nextSolid", "nextLiquid"),
    ("adjacentObjs", "adjacentObjsDiag"),
    ("<", "<="),
    (">", ">="),
    ("==", "!="),
    ("+", "-"),
    ("&", "|"),
    ("true", "false"),
)
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_NUMBER = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True)
class RuleEdit:
    """A replacement of the text at one place of a program."""

    at: int
    old: str
    new: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> RuleEdit:
        """Return the edit of a row."""
        return cls(row["at"], row["old"], row["new"])

    def apply(self, program: str) -> str | None:
        """Return the program with the edit; None if the place does not have the old text."""
        end = self.at + len(self.old)
        return program[: self.at] + self.new + program[end:] if program[self.at : end] == self.old else None

    def as_row(self) -> dict[str, Any]:
        """Return the edit as plain data."""
        return asdict(self)


def rule_edits(program: str) -> Iterator[RuleEdit]:
    """Yield all edits of a program: words become their counterparts, numbers their neighbours, handlers are removed."""
    form = ProgramText(program).read_program()
    for match in _TOKEN.finditer(program, form.at, form.end):
        word, at = match[0], match.start()
        if word in _OTHER:
            yield RuleEdit(at, word, _OTHER[word])
        elif _NUMBER.fullmatch(word):
            yield from (RuleEdit(at, word, str(int(word) + step)) for step in (1, -1))
    for item in form.items:
        if isinstance(item, ProgramForm) and item.head == "on":
            yield RuleEdit(item.at, program[item.at : item.end], "true")


_OTHER_ENDS = 10
_EDITS = 14
_FRAMES = 14
_EXCHANGES = 60


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A frame that could be mistaken for the last one, or a wrong content of the rectangle; with its origin."""

    grid: Grid
    origin: Mapping[str, Any]


def other_frames(program: str, seed: int, recording: Trajectory, since: int, random: Random) -> list[NearMiss]:
    """Return frames that could be mistaken for the last one. `since` is the first frame with a hidden rectangle."""
    size = len(recording.last)
    near_misses = [*_with_edits(program, seed, recording, random), *_with_ends(program, seed, recording, since, random)]
    numbers = random.sample(range(len(recording.actions)), min(_FRAMES, len(recording.actions)))
    for number in sorted({*numbers, *range(since - 1, len(recording.actions))}, reverse=True):
        near_misses.append(NearMiss(recording.frames[number], {"by": "frame", "frame": number}))
    return [other for other in near_misses if len(other.grid) == size and other.grid != recording.last]


def _with_edits(program: str, seed: int, recording: Trajectory, random: Random) -> Iterator[NearMiss]:
    edits = list(rule_edits(program))
    for edit in random.sample(edits, min(_EDITS, len(edits))):
        frame = frame_with(program, seed, recording, {"by": "rule", **edit.as_row()})
        if frame is not None:
            yield NearMiss(frame, {"by": "rule", **edit.as_row()})


def _with_ends(program: str, seed: int, recording: Trajectory, since: int, random: Random) -> Iterator[NearMiss]:
    """Yield last frames after other actions while the rectangle is hidden."""
    world = start_world(program, seed)
    replay(world, recording.actions[: since - 1])
    for number in range(_OTHER_ENDS):
        end = list(recording.actions[since - 1 :])
        if number % 2:
            end[random.randrange(len(end))] = likely_action(world, random)
        else:
            end = [likely_action(world, random) for _ in end]
        origin = {"by": "actions", "from": since - 1, "actions": end}
        frame = frame_with(program, seed, recording, origin)
        if frame is not None:
            yield NearMiss(frame, origin)


def beside(recording: Trajectory, mask: Mask) -> Iterator[NearMiss]:
    """Yield the contents of rectangles that lie one or two cells beside the hidden one in the last frame."""
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (2, 0), (0, 2), (-2, 0), (0, -2)):
        origin = {"by": "beside", "dx": dx, "dy": dy}
        content = origin_content(origin, "", 0, recording, mask)
        if content is not None:
            yield NearMiss(content, origin)


def exchange(recording: Trajectory, mask: Mask, others: Sequence[NearMiss], random: Random) -> Iterator[NearMiss]:
    """Yield the truth with some changeable cells exchanged, so that the number of cells of each colour stays.

    Two in three share some exchanged pairs. Otherwise the truth would be the choice most like all others.
    """
    frames = [mask.cut(frame) for frame in (*recording.frames, *(other.grid for other in others))]
    truth = mask.cut(recording.last)
    active = [
        (x, y) for y in range(mask.height) for x in range(mask.width) if len({frame[y][x] for frame in frames}) > 1
    ]
    pairs = [(one, two) for one, two in combinations(active, 2) if truth[one[1]][one[0]] != truth[two[1]][two[0]]]
    common = random.sample(pairs, min(len(pairs), 2))
    for number in range(min(_EXCHANGES, 10 * len(pairs))):
        swaps = [*(common if number % 3 else ()), *random.sample(pairs, min(len(pairs), random.randint(1, 2)))]
        origin = {"by": "exchanged", "cells": [[*one, *two] for one, two in swaps]}
        content = origin_content(origin, "", 0, recording, mask)
        if content is not None:
            yield NearMiss(content, origin)


def _with_cells_exchanged(content: Grid, cells: Sequence[Sequence[int]]) -> Grid | None:
    """Exchange pairs of cells of a content, one pair after another; return None if a cell lies outside."""
    rows = [list(row) for row in content]
    for x, y, other_x, other_y in cells:
        if max(y, other_y) >= len(rows) or max(x, other_x) >= len(rows[0]):
            return None
        rows[y][x], rows[other_y][other_x] = rows[other_y][other_x], rows[y][x]
    return freeze_grid(rows)


def origin_content(
    origin: Mapping[str, Any], program: str, seed: int, recording: Trajectory, mask: Mask
) -> Grid | None:
    """Return the content of the rectangle that an origin describes; None if it has none."""
    if origin["by"] == "beside":
        size = len(recording.last)
        column, row = mask.column + origin["dx"], mask.row + origin["dy"]
        if not (0 <= column <= size - mask.width and 0 <= row <= size - mask.height):
            return None
        return Mask(column, row, mask.width, mask.height, mask.since).cut(recording.last)
    if origin["by"] == "exchanged":
        return _with_cells_exchanged(mask.cut(recording.last), origin["cells"])
    frame = frame_with(program, seed, recording, origin)
    return None if frame is None else mask.cut(frame)


def frame_with(program: str, seed: int, recording: Trajectory, origin: Mapping[str, Any]) -> Grid | None:
    """Return the frame that an origin describes; None if it has none."""
    actions = recording.actions
    if origin["by"] == "frame":
        number = origin["frame"]
        return recording.frames[number] if 0 <= number < len(recording.frames) else None
    if origin["by"] == "actions":
        actions = (*actions[: origin["from"]], *origin["actions"])
    else:
        new_program = RuleEdit.of(origin).apply(program)
        if new_program is None:
            return None
        program = new_program
    try:
        return replay(start_world(program, seed), actions).last
    except AutumnError:
        return None
