"""Makes a prediction: a trajectory, a rectangle that is hidden in its last frames, and six choices.

The maker plays until the rectangle is hidden, and then goes on in many ways. It takes ways on which nothing outside the
rectangle looks different, and makes one of them the trajectory: the choices are the ends of six. So the six come about
alike, and only what the last actions do tells the right one. What the actions do is also hidden from those who count:
of many choices the maker takes those among which the right one has wanted ranks by many statistics, and a set deals
each rank out equally often.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from herobench.suites.autumn.episode.challenge import Grid, Mask, Prediction, freeze_grid, start_world
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, draws, restore
from herobench.suites.autumn.language.world import AutumnWorld
from herobench.suites.autumn.making.contents import ALONE, BY_ACTIONS, PAIRS, STATISTICS, Clues, Statistic, pair_table
from herobench.suites.autumn.making.recordings import MODES, Mode, Trajectory, continuations, record
from herobench.suites.autumn.making.support import Belief, Observer, Support, around

_RECORDINGS: Mapping[Mode, int] = {"order": 30, "pool": 12, "kinds": 12}
"""The recordings that are tried of each mode."""
_WAYS: Mapping[Mode, int] = {"order": 60, "pool": 120, "kinds": 120}
"""The ways in which a recording goes on."""
_PROMISE = ((4, 16), (6, 104))
"""How many different last frames there have to be, after so many ways more."""
_BASES = 24
"""The ways around which rectangles are laid."""
_ENOUGH = 14
"""The number of different contents with which a rectangle is large enough, if there are as many."""
_BOXES, _DRAWS, _FEW = 6, 24, 8
"""Of a program that draws random numbers, the rectangles of a recording that are tried, other draws of each, and the
number of different contents that is enough."""
_TRUTHS = 3
"""The possible right choices whose support is computed."""
_CHOICES = 6
_BY_COMING_ABOUT = 0.3
"""The weight of statistics that do not look at the actions, where other actions were done: by these, choices that come
about alike look alike."""
_SWAPS = 120
"""The exchanges of a wrong choice that are tried for each possible right one."""


@dataclass(frozen=True, slots=True)
class PredictionQuery:
    """The features that a prediction should have. A set deals them out, so that it is balanced."""

    position: int
    """The number of the right choice."""
    ranks: Mapping[str, int]
    """The rank of the right choice by each statistic, from 0 for the least number to 5."""


def draw_query(seed: int | str, number: int) -> PredictionQuery:
    """Return the wanted features of prediction `number`. Six in a row have each rank and each position once."""
    block, at = divmod(number, 6)

    def dealt(measure: str) -> int:
        order = list(range(6))
        Random(f"{seed}/{block}/{measure}").shuffle(order)  # noqa: S311  a draw, no secret
        return order[at]

    return PredictionQuery(dealt("position"), {name: dealt(name) for name in STATISTICS})


class PredictionDraft(NamedTuple):
    """A rectangle and ways to go on that cannot be told apart outside of it. Each has another content at its end."""

    recording: Trajectory
    """What is seen before."""
    mask: Mask
    ends: Mapping[Grid, Trajectory]
    """For each content a way. Its frame 0 is the last that is seen whole."""
    belief: Belief
    """The worlds that agree with what is seen before."""
    mode: Mode


def make_prediction(
    program: str, seed: int, query: PredictionQuery, random: Random
) -> tuple[Prediction, dict[str, Any]] | None:
    """Return a prediction and its certificate; None if no wrong choices are known to be wrong."""
    for mode in MODES:
        for _ in range(_RECORDINGS[mode]):
            for draft in _drafts(program, seed, mode, random):
                prediction = _choose(draft, program, seed, query, random)
                if prediction is not None:
                    return prediction
    return None


def _drafts(program: str, seed: int, mode: Mode, random: Random) -> Iterator[PredictionDraft]:
    """Yield drafts of a new recording."""
    has_chance = draws(restore(program, "", DEFAULT_LIMITS))
    world = start_world(program, seed)
    recording = record(world, random, random.randint(*((9, 16) if has_chance else (19, 36))))
    size, steps = len(recording.last), random.randint(*((3, 7) if has_chance else (5, 12)))
    ways = continuations(world, mode, random, steps, _WAYS[mode])
    ends: list[Trajectory] = []
    for least, count in _PROMISE:
        ends += [end for end in islice(ways, count) if all(len(frame) == size for frame in end.frames)]
        if len({end.last for end in ends}) < least:
            return
    belief: Belief | None = None
    bases = {_small_box(base, ends, _FEW if has_chance else _ENOUGH): base for base in ends[:_BASES]}
    for box in sorted(bases, key=_area)[: _BOXES if has_chance else 1]:
        base = bases[box]
        mask = Mask(box[0], box[1], box[2] - box[0], box[3] - box[1], len(recording.actions) + 1)
        if not has_chance or _is_settled(world, base, mask, random):
            alike = [end for end in ends if _is_within(_unlike_box(base, end), box)]
            random.shuffle(alike)
            contents = {mask.cut(end.last): end for end in alike}
            if len(contents) >= _CHOICES:
                belief = belief or Observer(program, seed, recording).before(mask.since)
                yield PredictionDraft(recording, mask, contents, belief, mode)


def _is_settled(world: AutumnWorld, end: Trajectory, mask: Mask, random: Random) -> bool:
    """Return whether a few other draws of random numbers show few other contents, if they show the same around."""
    contents = set()
    for _ in range(_DRAWS):
        other = world.redrawn(random.getrandbits(31))
        for action, frame in zip(end.actions, end.frames[1:], strict=True):
            other.act(action)
            if around(freeze_grid(other.grid), mask) != around(frame, mask):
                break
        else:
            contents.add(mask.cut(other.grid))
    return len(contents) <= _DRAWS // 8


def joined(recording: Trajectory, end: Trajectory) -> Trajectory:
    """Return a recording with what follows it."""
    return Trajectory((*recording.actions, *end.actions), (*recording.frames, *end.frames[1:]))


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


# -- the choices ---------------------------------------------------------------------------------------------------


class _Wish:
    """Says how far the ranks of a right choice are from those that are wanted."""

    def __init__(self, draft: PredictionDraft, background: str, ranks: Mapping[str, int]) -> None:
        self._draft, self._background, self._ranks = draft, background, ranks
        self.contents = list(draft.ends)
        self._pairs = {name: pair_table(name, self.contents) for name in PAIRS}
        self._alone = self._numbers(ALONE, self.contents[0])
        is_order = draft.mode == "order"
        self._weights = {name: 1.0 if is_order or name in BY_ACTIONS else _BY_COMING_ABOUT for name in ranks}

    def _numbers(self, statistics: Mapping[str, Statistic], truth: Grid) -> dict[str, list[float]]:
        """Return the numbers of all contents, if one of them is right."""
        clues = Clues(self._draft.mask, self._background, joined(self._draft.recording, self._draft.ends[truth]))
        return {
            name: [statistic(clues, content) for content in self.contents] for name, statistic in statistics.items()
        }

    def best(self, truth: int, wrong: Sequence[int], random: Random) -> tuple[float, list[int]]:
        """Return the cost of a right choice and the numbers of six contents, with it in front."""
        numbers = {**self._alone, **self._numbers(BY_ACTIONS, self.contents[truth])}
        wrong = random.sample(wrong, len(wrong))
        six, rest = [truth, *wrong[: _CHOICES - 1]], wrong[_CHOICES - 1 :]
        cost = self._cost(numbers, six)
        for _ in range(_SWAPS if rest else 0):
            at, other = random.randrange(1, _CHOICES), random.randrange(len(rest))
            new = [*six[:at], rest[other], *six[at + 1 :]]
            if (new_cost := self._cost(numbers, new)) <= cost:
                six[at], rest[other], cost = rest[other], six[at], new_cost
        return cost, six

    def _cost(self, numbers: Mapping[str, Sequence[float]], six: Sequence[int]) -> float:
        cost = 0.0
        for name, wanted in self._ranks.items():
            if name in self._pairs:
                table = self._pairs[name]
                values = [sum(table[one][other] for other in six) for one in six]
            else:
                values = [numbers[name][one] for one in six]
            off = abs(_rank(values) - wanted)
            cost += min(off, _CHOICES - off) * self._weights[name]  # on a circle, so that no rank costs less
        return cost


def _rank(values: Sequence[float]) -> float:
    """Return the rank of the first value; equal ones share theirs."""
    first, *others = values
    return sum(value < first for value in others) + sum(value == first for value in others) / 2


def _choose(
    draft: PredictionDraft, program: str, seed: int, query: PredictionQuery, random: Random
) -> tuple[Prediction, dict[str, Any]] | None:
    """Return the prediction of a draft with its certificate; None if wrong choices are not known to be wrong."""
    wish = _Wish(draft, start_world(program, seed).background, query.ranks)
    numbers = range(len(wish.contents))
    costs = [wish.best(truth, [other for other in numbers if other != truth], random)[0] for truth in numbers]
    for truth in sorted(numbers, key=lambda number: costs[number])[:_TRUTHS]:
        recording = joined(draft.recording, draft.ends[wish.contents[truth]])
        support = Observer(program, seed, recording).support(draft.mask, draft.belief)
        wrong = [other for other in numbers if wish.contents[other] not in support.contents]
        if support.how == "sampled" and len(support.contents) > 1:
            return None  # a sample of several contents may miss a possible one
        if len(wrong) >= _CHOICES - 1:
            _, six = wish.best(truth, wrong, random)
            return _finish(draft, recording, [wish.contents[number] for number in six], support, query, random)
    return None


def _finish(
    draft: PredictionDraft,
    recording: Trajectory,
    six: Sequence[Grid],
    support: Support,
    query: PredictionQuery,
    random: Random,
) -> tuple[Prediction, dict[str, Any]]:
    """Return the prediction of a recording and its certificate. The first of the six is right."""
    choices = random.sample(six[1:], _CHOICES - 1)
    choices.insert(query.position, six[0])
    since = draft.mask.since
    origins: list[dict[str, Any]] = [
        {"by": "actions", "from": since - 1, "actions": list(draft.ends[content].actions)} for content in choices
    ]
    origins[query.position] = {"by": "truth"}
    certificate = {"frames": digest(recording), "origins": origins, "support": support.as_row()}
    return Prediction(recording.actions, draft.mask, tuple(choices), query.position), certificate


def digest(recording: Trajectory) -> str:
    """Return the digest of all frames of a recording."""
    text = "\n".join(",".join(row) for frame in recording.frames for row in frame)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]
