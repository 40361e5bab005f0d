"""Makes a prediction: a trajectory, a rectangle that is hidden in its last frames, and six choices."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from herobench.suites.autumn.episode.challenge import Grid, Mask, Prediction, started
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, draws, restored
from herobench.task_gen.autumn.near_misses import (
    NearMiss,
    OtherFrame,
    Trajectory,
    beside,
    exchanged,
    other_frames,
    recorded,
)
from herobench.task_gen.autumn.support import Observer, PredictionQuery, Support, chosen

_RECORDINGS = 6
_RECTANGLES = 30
_TRIED = 3
"""Rectangles of one recording whose support is worked out."""
_ENOUGH = 12
"""Wrong contents that leave a choice."""
_ALIKE = 24
"""Wrong contents with the colours of the truth, up to which cells are exchanged."""
_HIDING = 8
"""Wrong contents with the colours of the truth, with which colours tell nothing, and similarity can be balanced."""


class PredictionDraft(NamedTuple):
    """A rectangle with wrong contents to choose from."""

    recording: Trajectory
    mask: Mask
    support: Support
    wrong: Mapping[Grid, Mapping[str, Any]]
    """How each wrong content came about."""
    fits: bool
    """Whether the rectangle shows at last what it showed before, if this is wanted, or something else, if that is."""

    @property
    def is_safe(self) -> bool:
        """Whether wrong choices are known to be wrong: a sample of many contents may lack some."""
        return self.support.how != "sampled" or len(self.support.contents) == 1

    @property
    def alike(self) -> list[Grid]:
        """Wrong contents with as many cells of each colour as the truth."""
        truth = _colors(self.mask.cut(self.recording.last))
        return [content for content in self.wrong if _colors(content) == truth]

    @property
    def worth(self) -> tuple[bool, bool, bool, bool, bool, int]:
        """Sorts drafts: the best is the greatest."""
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
            break  # where outcomes are sampled in one recording, they are so in the next ones too
    return None if best is None else _finished(best, program, seed, wish, random)


def _drafts(program: str, seed: int, wish: PredictionQuery, random: Random) -> list[PredictionDraft]:
    """Return the drafts of one recording."""
    lengths = (14, 20) if draws(restored(program, "", DEFAULT_LIMITS)) else (24, 40)
    recording = recorded(started(program, seed), random, random.randint(*lengths))
    since = len(recording.actions) - random.randint(3, 6) + 1
    others = other_frames(program, seed, recording, since, random)
    masks = [_rectangle(recording, others, since, random) for _ in range(_RECTANGLES)]
    ranked = sorted(masks, key=lambda mask: _promise(recording, mask, others, wish), reverse=True)
    observer = Observer(program, seed, recording)
    belief = observer.before(since)
    drafts: list[PredictionDraft] = []
    small = sorted(ranked[_TRIED:], key=lambda mask: mask.width * mask.height)
    for few in (ranked[:_TRIED], small[:_TRIED]):
        for mask in dict.fromkeys(few):
            support = observer.support(mask, belief)
            wrong = _wrong(recording, mask, others, support, random)
            if len(wrong) >= 5:
                drafts.append(
                    PredictionDraft(recording, mask, support, wrong, _is_still(recording, mask) == wish.still)
                )
        if any(draft.is_safe for draft in drafts):
            break  # small rectangles hide little, so fewer contents are possible
    return drafts


def _rectangle(recording: Trajectory, others: Sequence[OtherFrame], since: int, random: Random) -> Mask:
    """Return a rectangle around a cell that could be another in the last frame."""
    size = len(recording.last)
    frames = [*recording.frames[since - 1 :], *(other.frame for other in others)]
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
    recording: Trajectory, mask: Mask, others: Sequence[OtherFrame], wish: PredictionQuery
) -> tuple[bool, bool, int]:
    """Sort rectangles: the greater, the better."""
    truth = mask.cut(recording.last)
    contents = {mask.cut(other.frame) for other in others} - {truth}
    plain = len({color for row in truth for color in row}) == 1
    return _is_still(recording, mask) == wish.still, not plain, min(_ENOUGH, len(contents))


def _is_still(recording: Trajectory, mask: Mask) -> bool:
    return mask.cut(recording.last) == mask.cut(recording.frames[mask.since - 1])


def _wrong(
    recording: Trajectory, mask: Mask, others: Sequence[OtherFrame], support: Support, random: Random
) -> dict[Grid, Mapping[str, Any]]:
    """Return the contents that are not possible, each with its origin."""
    misses = [NearMiss(mask.cut(other.frame), other.origin) for other in others]
    found: dict[Grid, Mapping[str, Any]] = {}
    for miss in misses:
        if miss.content not in support.contents:
            found.setdefault(miss.content, miss.origin)
    colors = _colors(mask.cut(recording.last))
    alike = sum(_colors(content) == colors for content in found)
    for miss in exchanged(recording, mask, others, random):
        if alike < _ALIKE and miss.content not in support.contents and miss.content not in found:
            found[miss.content] = miss.origin
            alike += 1
    for miss in beside(recording, mask):  # only where there are too few others: they are easier to tell
        if len(found) < 7 and miss.content not in support.contents:
            found.setdefault(miss.content, miss.origin)
    return found


def _finished(
    draft: PredictionDraft, program: str, seed: int, wish: PredictionQuery, random: Random
) -> tuple[Prediction, dict[str, Any]]:
    recording, mask = draft.recording, draft.mask
    truth, last_seen = mask.cut(recording.last), mask.cut(recording.frames[mask.since - 1])
    background = started(program, seed).background
    alike = draft.alike
    wrong = [*alike, *([last_seen] if last_seen in draft.wrong and last_seen not in alike else [])]
    six = chosen(truth, wrong if len(wrong) >= 5 else list(draft.wrong), last_seen, background, wish, random)
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
