"""Calls into suites of others: what they raise, and what they wrongly return, is told with the suite and the call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pytest

from herobench.data.errors import SandboxError, SuiteError, UsageError
from herobench.models.model_error import ErrorKind, ModelError
from herobench.suite import plugins
from herobench.suite.checked import CheckedSuite, open_suite, suite_class
from herobench.suite.contract import FreshSuite, Option, Suite, SuiteSetting, TaskInfo
from tests.runs.trial import Numbers, Player
from tests.sizes import for_each

CALLS: dict[str, Callable[[CheckedSuite], Any]] = {
    "tasks": lambda suite: suite.tasks(),
    "identity": lambda suite: suite.identity([]),
    "files": lambda suite: suite.files(),
    "prepare": lambda suite: suite.prepare(),
    "blank('t1')": lambda suite: suite.blank("t1"),
    "player('ace')": lambda suite: suite.player("ace"),
    "close": lambda suite: suite.close(),
}
PROPERTIES = ("dataset", "options", "players")


def raising(error: BaseException) -> Callable[..., Any]:
    def call(*_: Any) -> Any:
        raise error

    return call


def numbers_with(name: str, call: Callable[..., Any]) -> CheckedSuite:
    """The suite of numbers, with another call or property."""
    value = property(call) if name in PROPERTIES else call
    return CheckedSuite(type("Faulty", (Numbers,), {name: value})(3))


def told_by(make: Callable[[], CheckedSuite], call: str) -> str:
    """What is told of a call, or of a property when the suite is opened."""
    with pytest.raises(SuiteError) as caught:
        CALLS.get(call, str)(make())
    return str(caught.value)


def test_of_the_first_tasks_no_more_are_read() -> None:
    def tasks(self: Numbers) -> Iterator[TaskInfo]:
        yield from (TaskInfo(f"t{number}", None, {}) for number in range(2))
        raise AssertionError("a third task was read")

    suite = numbers_with("tasks", tasks)
    assert [task.id for task in suite.tasks(2)] == ["t0", "t1"]
    assert "a third task was read" in told_by(lambda: suite, "tasks")


def test_a_sound_suite_is_passed_through() -> None:
    player = Player()
    suite = numbers_with("player", lambda self, name: player)
    own = Numbers(3)
    assert suite.tasks() == list(own.tasks())
    assert (suite.name, suite.dataset, suite.options, suite.players) == ("numbers", "numbers-v1", {}, ())
    assert (suite.identity([]), suite.files(), suite.blank("t1")) == ({"turns": "1"}, {}, own.blank("t1"))
    assert suite.player("ace") is player
    assert suite.open("t1", 0).messages[0].text == "t1"
    suite.prepare()
    suite.close()


@for_each("error", [LookupError("gone"), OSError("gone"), SystemExit(0), ModelError(ErrorKind.SERVER, "gone")])
@for_each("call", [*CALLS, *PROPERTIES])
def test_a_call_that_raises_is_named(call: str, error: BaseException) -> None:
    suite = partial(numbers_with, call.partition("(")[0], raising(error))
    assert told_by(suite, call) == f"The suite numbers failed in {call}: {type(error).__name__}: {error}"


@for_each("error", [UsageError("Say so."), SandboxError("No worker starts."), KeyboardInterrupt()])
def test_an_error_that_explains_itself_keeps_its_words(error: BaseException) -> None:
    with pytest.raises(type(error), match=f"^{error}$"):
        numbers_with("prepare", raising(error)).prepare()


WRONG: dict[str, tuple[str, Any]] = {
    "TypeError: it is 5, not a text": ("dataset", 5),
    "TypeError: it is null, not a mapping": ("options", None),
    "TypeError: the value of rules is 5, not a text": ("options", {"rules": 5}),
    'TypeError: it is "ace", not a sequence of names': ("players", "ace"),
    "TypeError: a name is 5, not a text": ("players", [5]),
    "TypeError: the value of edition is 7, not a text": ("identity", {"edition": 7}),
    "TypeError: it is [], not a mapping": ("identity", []),
    'TypeError: the value of a.json is {"x": 1}, not a text': ("files", {"a.json": {"x": 1}}),
    "UnicodeEncodeError: 'utf-8' codec can't encode": ("files", {"a.json": "\ud83d"}),
    "TypeError: a task is of type str, not TaskInfo": ("tasks", ["t0"]),
    "TypeError: the id of a task is 0, not str": ("tasks", [TaskInfo(0, None, {})]),  # type: ignore[arg-type]
    "TypeError: Object of type set is not JSON serializable": ("tasks", [TaskInfo("t0", None, {"x": {1}})]),
    "ValueError: 2 tasks have the id 't1', so all but one of them would be lost": (
        "tasks",
        [TaskInfo(name, None, {"id": name}) for name in ("t0", "t1", "t1")],
    ),
    "TypeError: 'NoneType' object is not iterable": ("tasks", None),
    'TypeError: it is "t1", not a mapping': ("blank('t1')", "t1"),
    "ValueError: Out of range float values are not JSON compliant": ("blank('t1')", {"x": float("nan")}),
    "TypeError: it returned a str, which has no reply or no close": ("player('ace')", "ace"),
}


@for_each("told", WRONG)
def test_a_call_that_returns_what_the_contract_does_not_allow_is_named(told: str) -> None:
    call, returned = WRONG[told]
    suite = partial(numbers_with, call.partition("(")[0], lambda *_: returned)
    assert told_by(suite, call).startswith(f"The suite numbers failed in {call}: {told}")


def test_a_suite_that_is_derived_from_one_of_this_package_is_checked_as_others_are() -> None:
    def tasks(self: Suite) -> Iterator[TaskInfo]:
        yield TaskInfo("t0", None, {"x": {1}})

    suite = CheckedSuite(type("Derived", (suite_class("epoch"),), {"tasks": tasks})(SuiteSetting()))
    assert "Object of type set is not JSON serializable" in told_by(lambda: suite, "tasks")


@for_each("error", [LookupError("gone"), SystemExit(0)])
def test_a_suite_that_fails_to_make_twins_is_named(error: BaseException) -> None:
    with pytest.raises(SuiteError, match=r"^The suite numbers failed in fresh: "):
        numbers_with("fresh", raising(error)).fresh(7, ["t0"])


def test_twins_are_checked_like_any_suite() -> None:
    made = numbers_with("fresh", lambda self, seed, ids: FreshSuite(Numbers(len(ids)), ["One is harder."]))
    twins = made.fresh(7, ["t0", "t2"])
    assert (isinstance(twins.suite, CheckedSuite), twins.notes) == (True, ("One is harder.",))
    assert [task.id for task in twins.suite.tasks()] == ["t0", "t1"]
    wrong = numbers_with("fresh", lambda self, seed, ids: FreshSuite(Numbers(len(ids)), [5]))  # type: ignore[list-item]
    with pytest.raises(SuiteError, match="in fresh: TypeError: a note is 5, not a text"):
        wrong.fresh(7, ["t0"])


def test_a_failure_of_close_hides_no_earlier_error() -> None:
    suite = numbers_with("close", raising(LookupError("worn out")))
    with pytest.raises(UsageError, match="earlier"), closing(suite):
        raise UsageError("earlier")


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        (["rooms"], 'declares run_options ["rooms"], which is not a tuple of Options.'),
        ((Option("rooms", "a"), Option("rooms", "b")), "declares an option 'rooms': give it one name such as"),
        ((Option("--rooms", "a"),), "declares an option '--rooms': give it one name such as max-turns."),
    ],
)
def test_settings_that_are_declared_wrongly_are_a_fault_of_the_suite(
    declared: object, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "load", lambda group, name: type("Faulty", (Numbers,), {"run_options": declared}))
    with pytest.raises(SuiteError, match=re.escape(f"The suite numbers {told}")):
        open_suite("numbers", SuiteSetting())
