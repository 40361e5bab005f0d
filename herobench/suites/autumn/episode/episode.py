"""An episode: the interaction with a world, then the test on the challenge.

The test begins when the player goes to it, or when the steps of the interaction are used up. The whole episode has a
limit too; when it is reached before the test is over, the score is 0. An error of a program ends the episode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import ne
from typing import Any, Literal

from herobench.data.errors import UsageError
from herobench.suites.autumn.episode.challenge import Challenge, Detection, Planning, Prediction
from herobench.suites.autumn.episode.phase import Grid, Interaction, Phase, Refusal, Seen, Stack, TestPhase, TestResult
from herobench.suites.autumn.episode.picture import DrawnRows
from herobench.suites.autumn.episode.tests import DetectionTest, PlanningTest, PredictionTest
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.refusals import AutumnFault

_LONGEST = 100
"""The most characters that are kept of an action that is none."""


class Palette(dict[str, str]):
    """The character of each colour: that with code 48 + n for colour n. A new colour gets the next one."""

    def __missing__(self, color: str) -> str:
        character = self[color] = chr(48 + len(self))
        return character


class Film:
    """The phases of one episode."""

    def __init__(self) -> None:
        self._palette = Palette()
        self._rows = DrawnRows(self._palette)
        self.phases: list[dict[str, Any]] = []
        """The interaction, and the test once it has begun."""
        self._frame: list[str] = []
        """The rows of the last frame."""

    def begin(self, grid: Grid) -> None:
        """Begin a phase with its first frame."""
        self._frame = self._rows.of(grid)
        self.phases.append({"size": len(grid), "first": "".join(self._frame), "turns": []})

    def add(self, action: str, refusal: Refusal | None, grid: Grid) -> None:
        """Add an action, and the frame after it."""
        turn: dict[str, Any] = {"action": action[:_LONGEST]}
        if refusal:
            turn["refused"] = refusal
        frame = self._rows.of(grid)
        if len(frame) != len(self._frame):
            turn |= {"size": len(grid), "changes": [0, "".join(frame)]}
        elif frame != self._frame:
            turn["changes"] = list(_changes(self._frame, frame))
        self._frame = frame
        self.phases[-1]["turns"].append(turn)

    def as_row(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return {"schema": 1, "colors": list(self._palette), "phases": self.phases}


def _changes(before: list[str], after: list[str]) -> Iterator[int | str]:
    """Yield the number of the first cell of each run that changed, and what the run shows now."""
    # most steps change a few rows only, and to compare whole rows is fast
    same, text = bytes(len(after[0])), "".join(after)
    changed = [same if old == new else bytes(map(ne, old, new)) for old, new in zip(before, after, strict=True)]
    for run in _CHANGED.finditer(b"".join(changed)):
        begin, end = run.span()
        yield begin
        yield text[begin:end]


_CHANGED = re.compile(b"\x01+")


Ending = Literal["solved", "answered", "quit", "steps", "failed"]
"""How an episode ended: the goal was reached; a choice was made; the player quit the test; the steps were used up; the
program failed."""
STEPS, TOTAL = 300, 501
"""The limits of the published configuration: steps of the interaction, and actions of the whole episode."""


class Episode:
    """One challenge that is played."""

    def __init__(
        self,
        challenge: Challenge,
        steps: int = STEPS,
        total: int = TOTAL,
        stack: Stack = "off",
        resets: int | None = None,
    ) -> None:
        self.challenge = challenge
        self.total = total
        self.turns = 0
        """Actions so far, in both phases."""
        self.error: AutumnError | None = None
        """Why the program failed."""
        self.interaction = Interaction(challenge.start, steps, stack, resets)
        self.test: TestPhase | None = None
        """The test, once it has begun."""
        self.film = Film()
        self.film.begin(self.interaction.seen.grid)

    @property
    def phase(self) -> Phase:
        """The phase that takes the next action."""
        return self.test or self.interaction

    @property
    def offered(self) -> tuple[str, ...]:
        """The actions that are offered now."""
        return self.phase.offered

    @property
    def seen(self) -> Seen:
        """What the player sees now."""
        return self.phase.seen

    @property
    def result(self) -> TestResult | None:
        """How the test ended; None if it is not over."""
        return self.test.result if self.test else None

    @property
    def ending(self) -> Ending | None:
        """How the episode ended; None if it is not over."""
        if self.result:
            return self.result.ending
        if self.error:
            return "failed"
        return "steps" if self.turns >= self.total else None

    def act(self, action: str) -> Refusal | None:
        """Do one action. Return why nothing happened; None if it was done.

        Raises UsageError when the episode is over.
        """
        if self.ending:
            raise UsageError(AutumnFault.EPISODE_OVER, ending=self.ending)
        self.turns += 1
        refusal = None
        try:
            refusal = self.phase.act(action)
            self.film.add(action, refusal, self.seen.grid)
            if self.test is None and self.interaction.over:
                self.test = challenge_phase(self.challenge)
                self.film.begin(self.seen.grid)
        except AutumnError as error:
            self.error = error
        return refusal


def challenge_phase(challenge: Challenge) -> TestPhase:
    """Return the test of a challenge, at its start."""
    match challenge.test:
        case Prediction() as asked:
            return PredictionTest(asked, challenge.start())
        case Planning() as asked:
            return PlanningTest(asked, challenge.start())
        case Detection():
            return DetectionTest(challenge.start_changed())
