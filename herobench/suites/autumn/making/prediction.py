"""Makes a prediction: a trajectory, a rectangle that is hidden in its last frames, and six choices.

The six choices are exchangeable. The maker plays until the rectangle is hidden, and then goes on in many ways on which
nothing outside of it looks different. It takes six of them with different ends, none of which is possible on the way to
another. Only then a lot says which of the six the player is shown, and its end is right. So a rule that looks at frames
and choices wins one in six, whatever it counts.

Only the actions tell which choice is right, and all six ways do the same ones: the player has to know what comes of
their order. A rule that compares a choice with the order, and does not know that, should win nothing either: the six
are taken so that the rules in `clues.py` win one in six in the mean over the six lots. In a world in which only other
actions have other ends there is no prediction: there the cell that was clicked would tell.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import numpy as np

from herobench.suites.autumn.episode.challenge import Grid, Mask, Prediction, freeze_grid, start_world
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, draws, restore
from herobench.suites.autumn.language.world import AutumnWorld
from herobench.suites.autumn.making.clues import BY_ACTIONS, Clues
from herobench.suites.autumn.making.recordings import LIKENESSES, Likeness, Trajectory, continuations, record
from herobench.suites.autumn.making.support import Belief, Observer, Support, around

_RECORDINGS: Mapping[Likeness, int] = {"end": 8, "order": 24}
"""The recordings that are tried of each likeness."""
_WAYS = ((4, 16), (6, 44))
"""Pairs: the least number of different last frames, after so many more ways. A recording with fewer is left."""
_BASES = 24
"""The ways around which rectangles are laid."""
_ENOUGH = 14
"""The number of different contents with which a rectangle is large enough, if there are as many."""
_BOXES, _DRAWS, _FEW = 3, 8, 8
"""Of a program that draws random numbers, the rectangles of a recording that are tried, other draws of each, and the
number of different contents that is enough."""
_CHOICES = 6
_MOST_SUPPORTS = 12
"""The ways of a draft on which it is worked out what is possible."""
_MOST_ALIKE = 24
"""The ways among which the six are searched."""
_SWAPS = 400
"""The exchanges of one of the six that are tried."""


class _Draft(NamedTuple):
    """A rectangle and ways to go on that cannot be told apart outside of it."""

    recording: Trajectory
    """What is seen before."""
    mask: Mask
    ways: Sequence[Trajectory]
    """Frame 0 of each is the last that is seen whole."""
    belief: Belief
    """The worlds that agree with what is seen before."""
    likeness: Likeness


def make_prediction(program: str, seed: int, random: Random) -> tuple[Prediction, dict[str, Any]] | None:
    """Return a prediction and its certificate; None if there are no six choices."""
    for likeness in LIKENESSES:
        for _ in range(_RECORDINGS[likeness]):
            for draft in _drafts(program, seed, likeness, random):
                chosen = _choose(draft, program, seed, random)
                if chosen is not None:
                    ways, supports = chosen
                    certificate = {
                        "likeness": likeness,
                        "ways": [list(way.actions) for way in ways],
                        "frames": digest([draft.recording, *ways]),
                        "supports": [support.as_row() for support in supports],
                    }
                    choices = tuple(draft.mask.cut(way.last) for way in ways)
                    test = Prediction(draft.recording.actions, draft.mask, choices, 0)
                    return draw_lot(program, seed, test, certificate, 0)
    return None


def draw_lot(
    program: str, seed: int, test: Prediction, certificate: Mapping[str, Any], lot: int
) -> tuple[Prediction, dict[str, Any]]:
    """Return a prediction with the choice that a lot makes right, and its certificate."""
    choice = drawn_choice(program, seed, test.choices, lot)
    actions = (*test.actions[: test.mask.since - 1], *certificate["ways"][choice])
    return Prediction(actions, test.mask, test.choices, choice), {**certificate, "lot": lot}


def drawn_choice(program: str, seed: int, choices: Sequence[Grid], lot: int) -> int:
    """Return the number of the choice that a lot makes right. It does not depend on anything else of the task."""
    text = repr((program, seed, lot, choices))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()) % len(choices)


def digest(trajectories: Sequence[Trajectory]) -> str:
    """Return the digest of all frames of trajectories."""
    text = "\n".join(",".join(row) for each in trajectories for frame in each.frames for row in frame)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


# -- ways that look alike around a rectangle --------------------------------------------------------------------------


def _drafts(program: str, seed: int, likeness: Likeness, random: Random) -> Iterator[_Draft]:
    """Yield drafts of a new recording."""
    has_chance = draws(restore(program, "", DEFAULT_LIMITS))
    world = start_world(program, seed)
    recording = record(world, random, random.randint(*((9, 16) if has_chance else (19, 36))))
    size, steps = len(recording.last), random.randint(*((4, 7) if has_chance else (6, 12)))
    ways = continuations(world, likeness, random, steps, sum(count for _, count in _WAYS))
    ends: list[Trajectory] = []
    for least, count in _WAYS:
        ends += [end for end in islice(ways, count) if all(len(frame) == size for frame in end.frames)]
        if len({end.last for end in ends}) < least:
            return
    belief: Belief | None = None
    bases = {_small_box(base, ends, _FEW if has_chance else _ENOUGH): base for base in ends[:_BASES]}
    for box in sorted(bases, key=_area)[: _BOXES if has_chance else 1]:
        mask = Mask(box[0], box[1], box[2] - box[0], box[3] - box[1], len(recording.actions) + 1)
        alike = _few_of_each([end for end in ends if _is_within(_unlike_box(bases[box], end), box)])
        if has_chance and len({end.last for end in alike}) >= _CHOICES:
            alike = [way for way in alike if _is_settled(world, way, mask, random)]
        if len({end.last for end in alike}) >= _CHOICES:
            belief = belief or Observer(program, seed, recording).before(mask.since)
            yield _Draft(recording, mask, alike, belief, likeness)


def _few_of_each(ways: Sequence[Trajectory]) -> list[Trajectory]:
    """Return ways to many different ends: first one to each end, then others."""
    first = {way.last: way for way in ways}
    others = [way for way in dict.fromkeys(ways) if first[way.last] is not way]
    return [*first.values(), *others][:_MOST_ALIKE]


def _is_settled(world: AutumnWorld, way: Trajectory, mask: Mask, random: Random) -> bool:
    """Return whether a few other draws of random numbers show no other content, if they show the same around."""
    return all(_shows_same(world.redrawn(random.getrandbits(31)), way, mask) for _ in range(_DRAWS))


def _shows_same(world: AutumnWorld, way: Trajectory, mask: Mask) -> bool:
    """Return whether a world shows the same at last on a way, or something else around the rectangle before."""
    for action, frame in zip(way.actions, way.frames[1:], strict=True):
        world.act(action)
        if around(freeze_grid(world.grid), mask) != around(frame, mask):
            return True
    return mask.cut(world.grid) == mask.cut(way.last)


def joined(recording: Trajectory, way: Trajectory) -> Trajectory:
    """Return a recording with what follows it."""
    return Trajectory((*recording.actions, *way.actions), (*recording.frames, *way.frames[1:]))


Box = tuple[int, int, int, int]
"""The first column and row, and those behind the last."""
_NOWHERE: Box = (10_000, 10_000, 0, 0)


def _unlike_box(one: Trajectory, other: Trajectory) -> Box:
    """Return the rectangle around all cells that differ in a frame."""
    box = _NOWHERE
    for frame, another in zip(one.frames, other.frames, strict=True):
        for y, (row, another_row) in enumerate(zip(frame, another, strict=True)):
            if row != another_row:
                pairs = zip(row, another_row, strict=True)
                columns = [x for x, (color, other_color) in enumerate(pairs) if color != other_color]
                box = _around(box, (columns[0], y, columns[-1] + 1, y + 1))
    return box


def _around(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _is_within(one: Box, other: Box) -> bool:
    return _around(one, other) == other


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _small_box(base: Trajectory, ends: Sequence[Trajectory], enough: int) -> Box:
    """Return a small rectangle in which ways like one have enough different contents, or all."""
    boxes = [_unlike_box(base, end) for end in ends]
    box = _NOWHERE
    while True:
        contents = {end.last for end, own in zip(ends, boxes, strict=True) if _is_within(own, box)}
        beyond = [_around(box, own) for own in boxes if not _is_within(own, box)]
        if not beyond or len(contents) >= enough:
            return box
        box = min(beyond, key=_area)


# -- six of the ways --------------------------------------------------------------------------------------------------


def _choose(draft: _Draft, program: str, seed: int, random: Random) -> tuple[list[Trajectory], list[Support]] | None:
    """Return six ways in an order by chance, each with what is possible on it; None if there are no six."""
    background = start_world(program, seed).background
    ways = draft.ways
    table = _clue_table(draft, background)
    supports: dict[int, Support] = {}
    numbers = list(range(len(ways)))
    while len(supports) < _MOST_SUPPORTS and (six := balanced_six(table, [way.last for way in ways], numbers, random)):
        contents = [draft.mask.cut(ways[number].last) for number in six]
        for number in six:
            if number not in supports:
                observer = Observer(program, seed, joined(draft.recording, ways[number]))
                supports[number] = observer.support(draft.mask, draft.belief)
            if not _excludes(supports[number], contents):
                numbers.remove(number)
                break
        else:
            random.shuffle(six)
            return [ways[number] for number in six], [supports[number] for number in six]
    return None


def _excludes(support: Support, contents: Sequence[Grid]) -> bool:
    """Return whether one of the contents is known to be the only possible one of them."""
    if support.how == "sampled" and len(support.contents) > 1:
        return False  # a sample of several contents may miss a possible one
    return len(support.contents.intersection(contents)) == 1


def _clue_table(draft: _Draft, background: str) -> np.ndarray:
    """Return what each rule by actions counts, by the way that is shown and the way whose end is looked at."""
    ways, contents = draft.ways, [draft.mask.cut(way.last) for way in draft.ways]
    distinct = list(dict.fromkeys(contents))
    columns = [distinct.index(content) for content in contents]
    table = np.empty((len(BY_ACTIONS), len(ways), len(distinct)))
    for row, way in enumerate(ways):
        clues = Clues(draft.mask, background, joined(draft.recording, way))
        table[:, row] = [[rule(clues, content) for content in distinct] for rule in BY_ACTIONS.values()]
    return table[:, :, columns]


def balanced_six(table: np.ndarray, ends: Sequence[Grid], numbers: Sequence[int], random: Random) -> list[int] | None:
    """Return six ways with different ends among which no rule tells the right one more often than chance does."""
    six = list({ends[number]: number for number in random.sample(numbers, len(numbers))}.values())[:_CHOICES]
    if len(six) < _CHOICES:
        return None
    cost = _imbalance(table, six)
    for _ in range(_SWAPS):
        at, other = random.randrange(_CHOICES), random.choice(numbers)
        new = [*six[:at], other, *six[at + 1 :]]
        if len({ends[number] for number in new}) == _CHOICES and (new_cost := _imbalance(table, new)) <= cost:
            six, cost = new, new_cost
    return six


def _imbalance(table: np.ndarray, six: Sequence[int]) -> float:
    """Return how far rules are from chance over the six lots: by the rank that they give to the right choice, and by
    the wins of the choice with the least number and of that with the greatest."""
    values = table[np.ix_(range(len(table)), six, six)]
    own = np.einsum("rii->ri", values)[:, :, None]
    below, equal = (values < own).sum(2), (values == own).sum(2)
    ranks = below + (equal - 1) / 2
    least = ((below == 0) / equal).sum(1)
    greatest = ((below + equal == _CHOICES) / equal).sum(1)
    off = np.abs(ranks.mean(1) - (_CHOICES - 1) / 2)
    return float((off + np.abs(least - 1) + np.abs(greatest - 1)).sum())
