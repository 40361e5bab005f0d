"""The check of a suite finds what departs from the contract, names the member, and says what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

import herobench
from herobench.conversation import Message, Reply, Tool
from herobench.data.columns import Column
from herobench.data.errors import Problem, UsageError
from herobench.data.options import Option
from herobench.data.rows import read_lines
from herobench.suite import plugins
from herobench.suite.contract import (
    Attempt,
    Distance,
    FreshSuite,
    Suite,
    SuiteSetting,
    TaskInfo,
    TurnLimit,
    Verdict,
)
from herobench.suite.generating import GenerateRequest, Made, TaskGenerator
from tests.program import herobench as command
from tests.sizes import for_each
from tests.tiny_suite import Echo, TinySuite


class Sound(TinySuite):
    """Tasks of two turns. The suite that the faulty ones derive from."""

    def __init__(self, setting: SuiteSetting) -> None:
        super().__init__(setting)
        self.name = "sound"
        self.setting = setting

    def tasks(self) -> Iterable[TaskInfo]:
        if self.setting.tasks is None:
            return super().tasks()
        return [TaskInfo(line.row["id"], None, line.row) for line in read_lines(self.setting.tasks, "{}")]

    def open(self, task_id: str, epoch: int) -> Attempt:
        return TwoTurns(task_id)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        return {"schema": 1, "said": None}


class TwoTurns(Attempt):
    """Repeats the first reply, and judges by the second."""

    def __init__(self, prompt: str) -> None:
        self._prompt, self._said = prompt, list[str]()

    @property
    def messages(self) -> Sequence[Message]:
        return [Message("user", self._prompt)]

    def step(self, reply: Reply) -> Sequence[Message] | None:
        self._said.append(reply.text)
        return [Message("user", f"You said {reply.text}.")] if len(self._said) == 1 else None

    def grade(self) -> Verdict:
        won = self._said[-1] == "x"
        return Verdict(
            won, 100.0 * won, failure=None if won else "other", details={"schema": 1, "said": self._said[-1]}
        )

    def distance(self) -> Distance | None:
        return Distance(2 - len(self._said), 2)

    def fork(self) -> Attempt | None:
        twin = type(self)(self._prompt)
        twin._said = [*self._said]
        return twin


def problems_of(
    monkeypatch: pytest.MonkeyPatch, members: Mapping[str, Any] | None = None, attempt: Mapping[str, Any] | None = None
) -> list[Problem]:
    """What the check finds of the sound suite with other members, or with other members of its attempts."""
    kind = type("Other", (TwoTurns,), dict(attempt or {}))
    opened = {"open": lambda self, task_id, epoch: kind(task_id)} if attempt else {}
    suite = type("Faulty", (Sound,), {**opened, **(members or {})})
    monkeypatch.setattr(plugins, "load", lambda group, name: suite)
    return herobench.check_suite("sound")


def returns(value: Any) -> Any:
    return lambda *_: value


def raises(*_: Any) -> Any:
    raise LookupError("gone")


def changing() -> Any:
    """A call that returns another text each time."""
    numbers = iter(range(10_000))
    return lambda *_: {"edition": str(next(numbers))}


class Drawing(TaskGenerator):
    """A generator whose tasks depend on more than the request."""

    numbers = iter(range(1_000))

    def make(self, request: GenerateRequest) -> Made:
        return Made(1, iter([{"id": f"made-{next(self.numbers)}"}]))


@dataclass(frozen=True)
class Rooms:
    """A setting."""

    rooms: Annotated[str | None, Option("Rooms.")] = None


class Misdeclared(TaskGenerator):
    options: Any = ("first", "second")


def test_a_sound_suite_has_no_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems_of(monkeypatch) == []


FAULTS: dict[str, tuple[str, Any]] = {
    "class": ("modes", "tools"),
    "lanes": ("lanes", ("bare", 5)),
    "longer": ("longer", None),
    "names_files": ("names_files", staticmethod(returns("yes"))),
    "as_reply": ("as_reply", staticmethod(returns(None))),
    "generator": ("generator", staticmethod(Drawing)),
    "generator ": ("generator", staticmethod(Misdeclared)),
    "certificates": ("certificates", staticmethod(returns([1]))),
    "Suite": ("dataset", 5),
    "tasks": ("tasks", returns([])),
    "tasks: row of t0": ("tasks", returns([TaskInfo("t0", None, {"x": {1}})])),
    "identity": ("identity", changing()),
    "identity ": ("identity", returns({"edition": 7})),
    "files": ("files", returns({"a.json": {}})),
    "ladder": ("ladder", returns(["long"])),
    "turns": ("turns", returns(TurnLimit(0, 0))),
    "turns of t0": ("turns", raises),
    "blank": ("blank", returns({"said": None})),
    "mistake_columns": ("mistake_columns", ("turns", "errors")),
    "grade: details": ("blank", returns({"schema": 1})),
    "prepare": ("prepare", raises),
    "player('echo')": ("player", returns("me")),
    "open": ("open", returns("an attempt")),
    "fresh": ("fresh", lambda self, seed, ids: FreshSuite(Sound(SuiteSetting()), ["none of them"])),
    "fresh ": ("fresh", returns(None)),
    "help": ("help", staticmethod(returns("guided"))),
    "explain_loss": ("explain_loss", staticmethod(returns("lost"))),
    "close": ("close", raises),
}


@for_each("member", FAULTS)
def test_a_member_that_departs_from_the_contract_is_named(monkeypatch: pytest.MonkeyPatch, member: str) -> None:
    name, value = FAULTS[member]
    problems = problems_of(monkeypatch, {name: value})
    assert member.strip() in {problem.path for problem in problems}, problems
    assert all(problem.file == "suite sound" and problem.expected for problem in problems)


def step_by_epoch() -> Any:
    """A step whose messages depend on how often the class was stepped."""
    numbers = iter(range(10_000))

    def step(self: Any, reply: Reply) -> Sequence[Message] | None:
        told = TwoTurns.step(self, reply)
        return None if told is None else [Message("user", f"This is step {next(numbers)}.")]

    return step


def verdict(**other: Any) -> Any:
    return returns(
        Verdict(**{"won": False, "score": 0.0, "failure": "other", "details": {"schema": 1, "said": ""}, **other})
    )


ATTEMPT_FAULTS: dict[str, tuple[str, Any]] = {
    "messages": ("messages", ["hello"]),
    "tools": ("tools", [Tool("look", "Look.", {"x": {1}})]),
    "conversation": ("conversation", "all of it"),
    "step": ("step", step_by_epoch()),
    "step ": ("step", returns([Message("tool", "seen", call_id="none")])),
    "distance": ("distance", returns(Distance(3, 2))),
    "distance ": ("distance", returns(5)),
    "fork": ("fork", lambda self: self),
    "fork ": ("fork", lambda self: type(self)("another")),
    "grade": ("grade", returns({"won": True})),
    "grade ": ("grade", verdict(won=True)),
    "grade  ": ("grade", verdict(score=-1.0)),
    "grade: events": ("grade", verdict(events={"turns": []})),
    "grade: details": ("grade", verdict(details={"schema": 1, "x": {1}})),
    "attempt at t0 of echo": ("grade", raises),
}


@for_each("member", ATTEMPT_FAULTS)
def test_an_attempt_that_departs_from_the_contract_is_named(monkeypatch: pytest.MonkeyPatch, member: str) -> None:
    name, value = ATTEMPT_FAULTS[member]
    problems = problems_of(monkeypatch, attempt={name: value})
    assert member.strip() in {problem.path for problem in problems}, problems


def test_a_problem_says_what_was_expected_and_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    (problem, *_) = problems_of(monkeypatch, {"lanes": ["bare", 5]})
    assert str(problem) == (
        "suite sound: lanes: expected a value of the type that the contract declares, "
        'found "entry 1 of it is 5, not str"'
    )


def test_a_player_that_takes_an_argument_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def player(self: Suite, name: str) -> Any:
        if name == "shortcut":
            raise UsageError("It takes an argument.")
        return Echo()

    assert problems_of(monkeypatch, {"players": ("echo", "shortcut"), "player": player}) == []


def test_options_of_a_suite_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Mapping[str, str]] = []

    class Chosen(Sound):
        run_options = (Rooms,)

        def __init__(self, setting: SuiteSetting) -> None:
            super().__init__(setting)
            asked.append(setting.options)

    monkeypatch.setattr(plugins, "load", lambda group, name: Chosen)
    assert herobench.check_suite("sound", {"rooms": "2"}) == []
    assert asked[0] == {"rooms": "2"}


# -- the command and the reading --------------------------------------------------------------------------------------


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "toy")


@pytest.mark.usefixtures("toy")
def test_the_suite_of_somebody_else_keeps_to_the_contract() -> None:
    done = command("suites", "--check", "treasure")
    assert (done.returncode, done.stdout) == (0, "The suite treasure keeps to the contract.\n")


@pytest.mark.usefixtures("toy")
@for_each(
    ("member", "value", "path"),
    [
        ("failures", ("wrong_door",), "reading: failures"),
        ("causes", {"blind": "b"}, "reading: causes"),
        ("length", "steps", "reading: length"),
        ("columns", (Column("schema", {"const": 1}, "."), Column("door", {"maximum": 0}, ".")), "grade: details.door"),
        ("remarks", lambda samples: samples["nothing"], "reading"),
    ],
)
def test_a_reading_that_does_not_fit_its_suite_is_named(member: str, value: Any, path: str) -> None:
    from herobench.analysis.reading.checked import load_reading

    reading = load_reading("treasure")
    before = getattr(reading, member)
    setattr(reading, member, value)
    try:
        assert path in {problem.path for problem in herobench.check_suite("treasure")}
    finally:
        setattr(reading, member, before)


def test_the_command_lists_the_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem("suite sums", "identity", "a mapping of texts", 5)
    monkeypatch.setattr("herobench.cli.kept.check_suite", lambda name: [problem])
    done = command("suites", "--check", "sums")
    assert (done.returncode, done.stderr) == (1, "suite sums: identity: expected a mapping of texts, found 5\n")
    told = json.loads(command("suites", "--check", "sums", "--json").stdout)
    assert told == [problem.as_row()]


def test_a_suite_that_is_not_installed_is_a_usage_error() -> None:
    done = command("suites", "--check", "nowhere")
    assert done.returncode == 2
    assert "There is no 'nowhere' among herobench.suites" in done.stderr
