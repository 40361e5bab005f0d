"""Makes a prediction: a trajectory, a rectangle that is hidden in its last frames, and six choices.

Its support is the set of contents that the rectangle can have, given everything that was seen. A program that draws no
random numbers has one future. For other programs, all worlds that agree with the frames seen so far are followed. If
there are too many outcomes, they are sampled: then all contents of the support are possible, but some may be missing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from herobench.suites.autumn.episode.challenge import Grid, Mask, Prediction, freeze_grid, start_world
from herobench.suites.autumn.language.chance import Chance
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, Program, draws, restore
from herobench.suites.autumn.language.world import AutumnWorld
from herobench.suites.autumn.making.detection import How, Outcomes, outcomes, step_function, truly_drawn
from herobench.suites.autumn.making.near_misses import (
    NearMiss,
    Trajectory,
    beside,
    exchange,
    other_frames,
    record,
)
from herobench.suites.autumn.making.search import state_key

_TRIES = 1000
_WEIGHT = 3
"""The weight of the similarity, by which near misses are told first."""


@dataclass(frozen=True, slots=True)
class PredictionQuery:
    """The features that a prediction should have. A set deals them out, so that it is balanced."""

    position: int
    """The number of the right choice."""
    spread: int
    """The rank of the right choice by its distance from the others, from 0 for the nearest to 5."""
    drawn: int
    """The rank of the right choice by the number of its cells that are not background."""
    moved: int
    """The rank of the right choice by its distance from the last content that the player saw."""
    still: bool
    """True if the right choice shows the last frame that the player saw."""


def draw_query(seed: int | str, number: int) -> PredictionQuery:
    """Return the wanted features of prediction `number`. Six in a row have each rank and each position once."""
    block, at = divmod(number, 6)
    orders = []
    for measure in ("position", "spread", "drawn", "moved", "still"):
        order = list(range(6))
        Random(f"{seed}/{block}/{measure}").shuffle(order)  # noqa: S311  a draw, no secret
        orders.append(order[at])
    return PredictionQuery(orders[0], orders[1], orders[2], orders[3], orders[4] == 0)


def choose_contents(
    truth: Grid, wrong: Sequence[Grid], last_seen: Grid, background: str, wish: PredictionQuery, random: Random
) -> list[Grid]:
    """Return five of the wrong contents. The last seen content is among the six choices whenever possible."""
    contents = [truth, *wrong]
    apart = [[distance(one, other) for other in contents] for one in contents]
    pixels = [sum(color != background for row in content for color in row) for content in contents]
    moved = [distance(content, last_seen) for content in contents]
    forced = [number for number, content in enumerate(contents) if number and content == last_seen]
    others = [number for number, content in enumerate(contents) if number and content != last_seen]
    best: tuple[float, list[int]] | None = None
    for _ in range(_TRIES):
        six = [0, *forced, *random.sample(others, 5 - len(forced))]
        spread = [sum(apart[one][other] for other in six) for one in six]
        cost = (
            _WEIGHT * abs(_rank(spread) - wish.spread)
            + abs(_rank([pixels[one] for one in six]) - wish.drawn)
            + abs(_rank([moved[one] for one in six]) - wish.moved)
        )
        if best is None or cost < best[0]:
            best = cost, six
    assert best is not None
    return [contents[number] for number in best[1][1:]]


def distance(one: Grid, other: Grid) -> int:
    """Return the number of cells that differ."""
    return sum(a != b for mine, others in zip(one, other, strict=True) for a, b in zip(mine, others, strict=True))


def _rank(values: Sequence[int]) -> float:
    """Return the rank of the first value; equal ones share theirs."""
    first, *others = values
    return sum(value < first for value in others) + sum(value == first for value in others) / 2


_PER_STEP = 400
"""The most outcomes that are followed in one step."""


@dataclass(frozen=True, slots=True)
class Support:
    """The possible contents of the rectangle in the last frame."""

    contents: frozenset[Grid]
    worlds: int
    """The number of different worlds that agree with what was seen."""
    how: How

    def as_row(self) -> dict[str, object]:
        """Return the sizes as plain data."""
        return {"how": self.how, "contents": len(self.contents), "worlds": self.worlds}


Belief = Outcomes
"""Worlds that agree with what was seen so far. The first one is the true one."""


class Observer:
    """Follows the worlds that agree with the frames of a recording."""

    def __init__(self, program: str, seed: int, recording: Trajectory) -> None:
        self.recording = recording
        self._program: Program = restore(program, "", DEFAULT_LIMITS)
        self._seed = seed
        self.draws = draws(self._program)

    def before(self, frame: int) -> Belief:
        """Return the worlds that agree with all frames before one."""
        belief = self._start()
        for step in range(frame - 1):
            belief = self._after(belief, step, None)
        return belief

    def support(self, mask: Mask, belief: Belief) -> Support:
        """Return the support of a rectangle. `belief` has the worlds before the rectangle was hidden."""
        truth = mask.cut(self.recording.last)
        if not self.draws:
            return Support(frozenset({truth}), 1, "deterministic")
        for step in range(mask.since - 1, len(self.recording.actions)):
            belief = self._after(belief, step, mask)
        contents = frozenset(mask.cut(world.grid) for world in belief.worlds)
        return Support(contents, len(belief.worlds), "enumerated" if belief.complete else "sampled")

    def _start(self) -> Belief:
        truth = self._program.start(self._seed, generator="even")
        if not self.draws:
            return Belief([truth], True)
        possible = outcomes(self._start_anew, _PER_STEP, truly_drawn(self._start_anew, self._seed), self._random(0))
        return self._agreeing(truth, [possible], 0, None)

    def _random(self, frame: int) -> Random:
        """Return the generator that samples the outcomes of a frame. A proof gets the same one for the same frame."""
        return Random(f"{self._seed}/{frame}")  # noqa: S311  a sample, no secret

    def _start_anew(self, chance: Chance) -> AutumnWorld:
        return self._program.start(chance, generator="even")

    def _after(self, belief: Belief, step: int, mask: Mask | None) -> Belief:
        """Return the worlds after an action that agree with the frame after it."""
        action = self.recording.actions[step]
        true = belief.worlds[0]
        draw = step_function(true, action)
        truth = draw(true.chance)
        if not self.draws:
            return Belief([truth], True)
        numbers = truly_drawn(draw, true.chance)
        each = max(1, _PER_STEP // len(belief.worlds))
        random = self._random(step + 1)
        results = [outcomes(step_function(world, action), each, numbers, random) for world in belief.worlds]
        after = self._agreeing(truth, results, step + 1, mask)
        return Belief(after.worlds, after.complete and belief.complete)

    def _agreeing(self, truth: AutumnWorld, results: Sequence[Outcomes], frame: int, mask: Mask | None) -> Belief:
        agrees = _seen_in(self.recording.frames[frame], mask)
        distinct = {state_key(truth, chance=False): truth}
        for outcome in results:
            for world in outcome.worlds:
                if agrees(world):
                    distinct.setdefault(state_key(world, chance=False), world)
        worlds = list(distinct.values())
        complete = all(outcome.complete for outcome in results) and len(worlds) <= _PER_STEP
        return Belief(worlds[:_PER_STEP], complete)


def _seen_in(frame: Grid, mask: Mask | None) -> Callable[[AutumnWorld], bool]:
    """Return a check whether a world shows a frame outside the rectangle."""
    surroundings = _around(frame, mask)
    return lambda world: _around(freeze_grid(world.grid), mask) == surroundings


def _around(frame: Grid, mask: Mask | None) -> Grid:
    """Return a frame without the cells of a rectangle."""
    if mask is None:
        return frame
    left, right = mask.column, mask.column + mask.width
    rows = range(mask.row, mask.row + mask.height)
    return tuple((*row[:left], *row[right:]) if y in rows else row for y, row in enumerate(frame))


# -- the prediction ----------------------------------------------------------------------------------------------------

_RECORDINGS = 6
_RECTANGLES = 30
_TRIED = 3
"""The number of promising, and of small, rectangles of a recording whose support is computed."""
_ENOUGH = 12
"""The number of wrong contents beyond which more do not make a draft better."""
_ALIKE = 24
"""Cells are exchanged until this many wrong contents have the colours of the truth."""
_HIDING = 8
"""With this many wrong contents that have the colours of the truth, colours reveal nothing, and similarity can be
balanced."""


class PredictionDraft(NamedTuple):
    """A rectangle with wrong contents to choose from."""

    recording: Trajectory
    mask: Mask
    support: Support
    wrong: Mapping[Grid, Mapping[str, Any]]
    """Maps each wrong content to its origin."""
    fits: bool
    """True if the last content equals the last seen one exactly when that is wanted."""

    @property
    def is_safe(self) -> bool:
        """True if wrong choices are known to be wrong: a sample of several contents may miss a possible one."""
        return self.support.how != "sampled" or len(self.support.contents) == 1

    @property
    def alike(self) -> list[Grid]:
        """The wrong contents with as many cells of each colour as the truth."""
        truth = _colors(self.mask.cut(self.recording.last))
        return [content for content in self.wrong if _colors(content) == truth]

    @property
    def worth(self) -> tuple[bool, bool, bool, bool, bool, int]:
        """The key that sorts drafts: the best has the greatest."""
        sampled, unique = self.support.how == "sampled", len(self.support.contents) == 1
        hidden = len(self.alike) >= _HIDING
        return self.is_safe, hidden, self.fits, not sampled, unique, min(_ENOUGH, len(self.wrong))


def make_prediction(
    program: str, seed: int, wish: PredictionQuery, random: Random
) -> tuple[Prediction, dict[str, Any]] | None:
    """Return a prediction and its certificate; None if no rectangle has five wrong contents."""
    best: PredictionDraft | None = None
    for number in range(_RECORDINGS):
        for draft in _drafts(program, seed, wish, random):
            if best is None or draft.worth > best.worth:
                best = draft
        if best is not None and best.worth >= (True, True, True, number < 1, True, 7):
            break  # if one recording needs sampling, the next ones do too
    return None if best is None else _finish(best, program, seed, wish, random)


def _drafts(program: str, seed: int, wish: PredictionQuery, random: Random) -> list[PredictionDraft]:
    """Return the drafts of one recording."""
    lengths = (14, 20) if draws(restore(program, "", DEFAULT_LIMITS)) else (24, 40)
    recording = record(start_world(program, seed), random, random.randint(*lengths))
    since = len(recording.actions) - random.randint(3, 6) + 1
    others = other_frames(program, seed, recording, since, random)
    masks = [_rectangle(recording, others, since, random) for _ in range(_RECTANGLES)]
    by_promise = sorted(masks, key=lambda mask: _promise(recording, mask, others, wish), reverse=True)
    observer = Observer(program, seed, recording)
    belief = observer.before(since)
    drafts: list[PredictionDraft] = []
    small = sorted(by_promise[_TRIED:], key=lambda mask: mask.width * mask.height)
    for few in (by_promise[:_TRIED], small[:_TRIED]):
        for mask in dict.fromkeys(few):
            support = observer.support(mask, belief)
            wrong = _wrong(recording, mask, others, support, random)
            if len(wrong) >= 5:
                drafts.append(
                    PredictionDraft(recording, mask, support, wrong, _is_still(recording, mask) == wish.still)
                )
        if any(draft.is_safe for draft in drafts):
            break  # smaller ones were tried only for safety: they hide little, so fewer contents are possible
    return drafts


def _rectangle(recording: Trajectory, others: Sequence[NearMiss], since: int, random: Random) -> Mask:
    """Return a rectangle with a cell that could differ in the last frame."""
    size = len(recording.last)
    frames = [*recording.frames[since - 1 :], *(other.grid for other in others)]
    active = [
        (x, y) for y in range(size) for x in range(size) if any(frame[y][x] != recording.last[y][x] for frame in frames)
    ]
    x, y = random.choice(active) if active else (random.randrange(size), random.randrange(size))
    most = max(min(2, size), -(-size * 3 // 5))
    width, height = random.randint(min(2, size), most), random.randint(min(2, size), most)
    left = min(max(0, x - random.randrange(width)), size - width)
    top = min(max(0, y - random.randrange(height)), size - height)
    return Mask(left, top, width, height, since)


def _promise(
    recording: Trajectory, mask: Mask, others: Sequence[NearMiss], wish: PredictionQuery
) -> tuple[bool, bool, int]:
    """Return the key that sorts rectangles: the most promising has the greatest."""
    truth = mask.cut(recording.last)
    contents = {mask.cut(other.grid) for other in others} - {truth}
    plain = len({color for row in truth for color in row}) == 1
    return _is_still(recording, mask) == wish.still, not plain, min(_ENOUGH, len(contents))


def _is_still(recording: Trajectory, mask: Mask) -> bool:
    return mask.cut(recording.last) == mask.cut(recording.frames[mask.since - 1])


def _wrong(
    recording: Trajectory, mask: Mask, others: Sequence[NearMiss], support: Support, random: Random
) -> dict[Grid, Mapping[str, Any]]:
    """Return impossible contents, each with its origin."""
    misses = [NearMiss(mask.cut(other.grid), other.origin) for other in others]
    origins: dict[Grid, Mapping[str, Any]] = {}
    for miss in misses:
        if miss.grid not in support.contents:
            origins.setdefault(miss.grid, miss.origin)
    colors = _colors(mask.cut(recording.last))
    alike = sum(_colors(content) == colors for content in origins)
    for miss in exchange(recording, mask, others, random):
        if alike < _ALIKE and miss.grid not in support.contents and miss.grid not in origins:
            origins[miss.grid] = miss.origin
            alike += 1
    for miss in beside(recording, mask):  # only if there are too few others, since these are easier to tell
        if len(origins) < 7 and miss.grid not in support.contents:
            origins.setdefault(miss.grid, miss.origin)
    return origins


def _finish(
    draft: PredictionDraft, program: str, seed: int, wish: PredictionQuery, random: Random
) -> tuple[Prediction, dict[str, Any]]:
    recording, mask = draft.recording, draft.mask
    truth, last_seen = mask.cut(recording.last), mask.cut(recording.frames[mask.since - 1])
    background = start_world(program, seed).background
    alike = draft.alike
    wrong = [*alike, *([last_seen] if last_seen in draft.wrong and last_seen not in alike else [])]
    six = choose_contents(truth, wrong if len(wrong) >= 5 else list(draft.wrong), last_seen, background, wish, random)
    random.shuffle(six)
    six.insert(wish.position, truth)
    origins = [dict(draft.wrong[content]) if content != truth else {"by": "truth"} for content in six]
    certificate = {"frames": digest(recording), "origins": origins, "support": draft.support.as_row()}
    return Prediction(recording.actions, mask, tuple(six), wish.position), certificate


def _colors(content: Grid) -> Counter[str]:
    return Counter(color for row in content for color in row)


def digest(recording: Trajectory) -> str:
    """Return the digest of all frames of a recording."""
    text = "\n".join(",".join(row) for frame in recording.frames for row in frame)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]
