"""A challenge: a test about a world whose rules a player has learned, and everything that belongs to it.

A row stands by itself: it has the text of the program, so a world can be started from it without the shipped files.
Interaction and test start from the same seed, but for a detection: its test has a start of its own. Otherwise a player
who repeats its actions would see the first changed frame without a rule. The generator `even` draws all chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Literal

from herobench.data.documents import schema_problems, with_whole_numbers
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.rows import NamedRows
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, restore
from herobench.suites.autumn.language.world import AutumnWorld, read_action

Family = Literal["prediction", "planning", "detection"]
FAMILIES: tuple[Family, ...] = ("prediction", "planning", "detection")
Category = Literal["physical", "emergent", "multi-agent", "logic", "game", "tools"]
CATEGORIES: tuple[Category, ...] = ("physical", "emergent", "multi-agent", "logic", "game", "tools")
Grid = tuple[tuple[str, ...], ...]
"""Rows of colour names, from above."""


def start_world(program: str, seed: int, condition: str = "") -> AutumnWorld:
    """Return a new world of a program. Raises AutumnError."""
    return restore(program, condition, DEFAULT_LIMITS).start(seed, generator="even")


def freeze_grid(rows: Sequence[Sequence[str]]) -> Grid:
    """Return rows of colour names as a grid that cannot change."""
    return tuple(map(tuple, rows))


@dataclass(frozen=True, slots=True)
class WorldStart:
    """The start of a test: a seed, and the actions that the test does before the player acts."""

    seed: int
    actions: tuple[str, ...] = ()

    def world(self, program: str, condition: str = "") -> AutumnWorld:
        """Return a new world of a program after the actions. Raises AutumnError."""
        world = start_world(program, self.seed, condition)
        for action in self.actions:
            world.act(action)
        return world

    def as_row(self) -> dict[str, Any]:
        """Return the start as plain data."""
        return {"seed": self.seed, "actions": list(self.actions)}


@dataclass(frozen=True, slots=True)
class Mask:
    """A rectangle that is hidden in late frames."""

    column: int
    row: int
    width: int
    height: int
    since: int
    """The first frame in which it is hidden. In a row this is the property `from`."""

    def cut(self, grid: Sequence[Sequence[str]]) -> Grid:
        """Return what a frame shows in the rectangle."""
        rows = grid[self.row : self.row + self.height]
        return tuple(tuple(row[self.column : self.column + self.width]) for row in rows)

    def as_row(self) -> dict[str, int]:
        """Return the mask as plain data."""
        place = {"column": self.column, "row": self.row, "width": self.width, "height": self.height}
        return {**place, "from": self.since}


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is behind the mask in the last frame of a trajectory? Six choices, one of them right."""

    family: ClassVar[Family] = "prediction"
    actions: tuple[str, ...]
    """The trajectory: frame 0 is the start, and frame k follows action k - 1."""
    mask: Mask
    choices: tuple[Grid, ...]
    """What the rectangle may show in the last frame."""
    choice: int
    """The number of the right choice, from 0."""

    @classmethod
    def of(cls, challenge: Mapping[str, Any], answer: Mapping[str, Any]) -> Prediction:
        """Return it from a row that was checked."""
        mask_row = challenge["mask"]
        mask = Mask(mask_row["column"], mask_row["row"], mask_row["width"], mask_row["height"], mask_row["from"])
        return cls(tuple(challenge["actions"]), mask, tuple(map(freeze_grid, challenge["choices"])), answer["choice"])

    def as_rows(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what is asked and the answer as plain data."""
        choices = [[list(row) for row in choice] for choice in self.choices]
        question = {"actions": list(self.actions), "mask": self.mask.as_row(), "choices": choices}
        return question, {"choice": self.choice}


@dataclass(frozen=True, slots=True)
class Planning:
    """Make the grid look like the goal where the mask is 1."""

    family: ClassVar[Family] = "planning"
    goal: Grid
    mask: tuple[tuple[int, ...], ...]
    """Rows of 1 for a cell that must look as in the goal, and 0 for one that may look in any way."""
    actions: tuple[str, ...]
    """A plan that reaches the goal with its last action."""

    @classmethod
    def of(cls, challenge: Mapping[str, Any], answer: Mapping[str, Any]) -> Planning:
        """Return it from a row that was checked."""
        mask = tuple(tuple(row) for row in challenge["mask"])
        return cls(freeze_grid(challenge["goal"]), mask, tuple(answer["actions"]))

    def fits(self, grid: Sequence[Sequence[str]]) -> bool:
        """Return whether a frame looks like the goal where it matters. A frame of another size does not."""
        rows = zip(self.mask, self.goal, grid, strict=False)  # a program may change the size of its grid
        return len(grid) == len(self.goal) and all(
            not matters or one == other
            for mask, goal, row in rows
            for matters, one, other in zip(mask, goal, row, strict=True)
        )

    def with_background(self, background: str) -> Planning:
        """Return the same goal with one colour in the cells that do not matter: they would tell of the plan."""
        goal = tuple(
            tuple(color if matters else background for matters, color in zip(mask, row, strict=True))
            for mask, row in zip(self.mask, self.goal, strict=True)
        )
        return replace(self, goal=goal)

    def differing(self, grid: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
        """Return the cells that matter and differ from the goal, each as column and row."""
        size = range(len(self.goal))
        return [(x, y) for y in size for x in size if self.mask[y][x] and self.goal[y][x] != grid[y][x]]

    def as_rows(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what is asked and the answer as plain data."""
        question = {"goal": [list(row) for row in self.goal], "mask": [list(row) for row in self.mask]}
        return question, {"actions": list(self.actions)}


@dataclass(frozen=True, slots=True)
class Detection:
    """In which frame does the world first break its rules?"""

    family: ClassVar[Family] = "detection"
    changed: str
    """The program that runs in the test: the rules are others from some moment on."""
    condition: str
    """An expression about the changed program: true as soon as the change can be seen."""
    actions: tuple[str, ...]
    """Actions after which the change can be seen."""
    frame: int
    """The first changed frame when these actions are done. Frame 0 is what the player sees first in the test."""
    start: WorldStart | None = None
    """The start of the test; None if it starts as the interaction does, as in the published protocol."""

    @classmethod
    def of(cls, challenge: Mapping[str, Any], answer: Mapping[str, Any]) -> Detection:
        """Return it from a row that was checked."""
        start_row = challenge.get("start")
        start = None if start_row is None else WorldStart(start_row["seed"], tuple(start_row["actions"]))
        return cls(challenge["changed"], challenge["condition"], tuple(answer["actions"]), answer["frame"], start)

    def as_rows(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what is asked and the answer as plain data."""
        question: dict[str, Any] = {"changed": self.changed, "condition": self.condition}
        if self.start is not None:
            question["start"] = self.start.as_row()
        return question, {"actions": list(self.actions), "frame": self.frame}


Test = Prediction | Planning | Detection
_TESTS: dict[Family, type[Prediction] | type[Planning] | type[Detection]] = {
    "prediction": Prediction,
    "planning": Planning,
    "detection": Detection,
}


@dataclass(frozen=True, slots=True)
class Challenge:
    """One task of the suite."""

    id: str
    environment: str
    title: str
    category: Category
    stochastic: bool
    """Whether the program draws random numbers."""
    hints: tuple[str, ...]
    """General advice, for prompts with hints. It does not tell the rules."""
    program: str
    """The program that is explored."""
    seed: int
    test: Test
    certificate: Mapping[str, Any]
    """How the challenge was made, and its proof. `herobench validate --suite autumn` proves it again."""

    @classmethod
    def of(cls, row: Mapping[str, Any], place: str = "the challenge") -> Challenge:
        """Return the challenge of a row. Raise InputError with what is wrong with it."""
        row = with_whole_numbers(row)  # a schema takes 7.0 for a whole number, and a slice does not
        problems = schema_problems(row, "autumn-challenge", place) or list(_problems(row, place))
        if problems:
            raise InputError(problems)
        return build_challenge(row)

    @property
    def family(self) -> Family:
        """The kind of test."""
        return self.test.family

    def as_row(self) -> dict[str, Any]:
        """Return the challenge as a row of a tasks file."""
        question, answer = self.test.as_rows()
        return {
            "schema": 1,
            "id": self.id,
            "family": self.family,
            "environment": self.environment,
            "title": self.title,
            "category": self.category,
            "stochastic": self.stochastic,
            "hints": list(self.hints),
            "program": self.program,
            "seed": self.seed,
            "challenge": question,
            "answer": answer,
            "certificate": dict(self.certificate),
        }

    def start(self) -> AutumnWorld:
        """Return a new world of the program. Raises AutumnError."""
        return start_world(self.program, self.seed)

    @property
    def test_start(self) -> WorldStart:
        """The start of the test, which is that of the interaction if the test has none of its own."""
        start = self.test.start if isinstance(self.test, Detection) else None
        return start or WorldStart(self.seed)

    def start_changed(self) -> AutumnWorld:
        """Return a new world of the changed program, with its condition, where the test starts. Raises AutumnError."""
        assert isinstance(self.test, Detection), "only the challenges of one family have a changed program"
        return self.test_start.world(self.test.changed, self.test.condition)


def build_challenge(row: Mapping[str, Any]) -> Challenge:
    """Return the challenge of a row that is known to be right."""
    names = ("id", "environment", "title", "category", "stochastic", "program", "seed", "certificate")
    test = _TESTS[row["family"]].of(row["challenge"], row["answer"])
    return Challenge(**{name: row[name] for name in names}, hints=tuple(row["hints"]), test=test)


# -- what a schema cannot check ---------------------------------------------------------------------------------------


def _problems(row: Mapping[str, Any], place: str) -> Iterator[Problem]:
    """Yield the problems of a row that the schema accepts."""
    try:
        world = start_world(row["program"], row["seed"])
    except AutumnError as error:
        yield Problem(place, "$.program", f"a program that can be started ({error})")
        return
    question, answer = row["challenge"], row["answer"]
    match row["family"]:
        case "prediction":
            yield from _wrong_actions(question["actions"], place, "$.challenge.actions")
            yield from _problems_of_prediction(question, world.size, place)
        case "planning":
            yield from _wrong_actions(answer["actions"], place, "$.answer.actions")
            yield from _problems_of_planning(question, world.size, place)
        case _:
            yield from _wrong_actions(answer["actions"], place, "$.answer.actions")
            yield from _problems_of_detection(row, place)


def _wrong_actions(actions: Sequence[str], place: str, path: str) -> Iterator[Problem]:
    for number, text in enumerate(actions):
        try:
            read_action(text)
        except UsageError:
            yield Problem(place, f"{path}[{number}]", "an action such as 'left', 'noop' or 'click 3 4'", text)


def _problems_of_prediction(question: Mapping[str, Any], size: int, place: str) -> Iterator[Problem]:
    mask, last = question["mask"], len(question["actions"])
    if mask["column"] + mask["width"] > size or mask["row"] + mask["height"] > size:
        yield Problem(place, "$.challenge.mask", f"a rectangle within the grid of {size} x {size} cells", mask)
    if mask["from"] > last:
        yield Problem(place, "$.challenge.mask.from", f"a frame up to the last one, which is {last}", mask["from"])
    for number, choice in enumerate(question["choices"]):
        path = f"$.challenge.choices[{number}]"
        yield from _wrong_shape(choice, mask["width"], mask["height"], place, path)
        if choice in question["choices"][:number]:
            yield Problem(place, path, "a choice that differs from those before it")


def _problems_of_planning(question: Mapping[str, Any], size: int, place: str) -> Iterator[Problem]:
    yield from _wrong_shape(question["goal"], size, size, place, "$.challenge.goal")
    yield from _wrong_shape(question["mask"], size, size, place, "$.challenge.mask")
    if not any(map(any, question["mask"])):
        yield Problem(place, "$.challenge.mask", "a cell that matters: 1 somewhere")


def _wrong_shape(rows: Sequence[Sequence[Any]], width: int, height: int, place: str, path: str) -> Iterator[Problem]:
    if len(rows) != height or any(len(row) != width for row in rows):
        yield Problem(place, path, f"{height} rows of {width} cells")


def _problems_of_detection(row: Mapping[str, Any], place: str) -> Iterator[Problem]:
    question, answer = row["challenge"], row["answer"]
    start_row = question.get("start", {"seed": row["seed"], "actions": []})
    wrong = list(_wrong_actions(start_row["actions"], place, "$.challenge.start.actions"))
    yield from wrong
    start = WorldStart(start_row["seed"], () if wrong else tuple(start_row["actions"]))
    try:
        start.world(question["changed"])
    except AutumnError as error:
        yield Problem(place, "$.challenge.changed", f"a program that can be started ({error})")
        return
    try:
        start.world(question["changed"], question["condition"]).holds()
    except AutumnError as error:
        yield Problem(place, "$.challenge.condition", f"an expression about the changed program ({error})")
    if answer["frame"] > len(answer["actions"]):
        last = len(answer["actions"])
        yield Problem(place, "$.answer.frame", f"a frame up to the last one, which is {last}", answer["frame"])


CHALLENGES: NamedRows[Challenge] = NamedRows("autumn-challenge", Challenge.of, attrgetter("id"))


def read_challenges(path: Path) -> dict[str, Challenge]:
    """Return the challenges of a file, by id. Raise InputError with all of its problems."""
    return CHALLENGES.in_file(path)
