"""Questions to suites of others: what they raise, and what they wrongly return, is told with the suite and the call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import make_dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from herobench.data.errors import SandboxError, SuiteError, UsageError
from herobench.data.options import Option
from herobench.models.model_error import ErrorKind, ModelError
from herobench.suite import plugins
from herobench.suite.checked import (
    close_suite,
    closing_suite,
    load_player,
    open_chosen,
    open_suite,
    read_blank,
    read_files,
    read_identity,
    read_tasks,
    refuse_untold,
)
from herobench.suite.contract import Suite, SuiteSetting, TaskInfo
from herobench.suite.refusals import SuiteFault
from tests.refusals import raises
from tests.runs.trial import Numbers, Player
from tests.sizes import for_each

CALLS: dict[str, Callable[[Suite], Any]] = {
    "tasks": read_tasks,
    "identity": lambda suite: read_identity(suite, []),
    "files": read_files,
    "blank('t1')": lambda suite: read_blank(suite, "t1"),
    "player('ace')": lambda suite: load_player(suite, "ace"),
    "close": close_suite,
}
PROPERTIES = ("dataset", "options", "players")


def raising(error: BaseException) -> Callable[..., Any]:
    def call(*_: Any) -> Any:
        raise error

    return call


def numbers_with(name: str, call: Callable[..., Any]) -> Suite:
    """The suite of numbers, with another call or property."""
    value = property(call) if name in PROPERTIES else call
    suite: Suite = type("Faulty", (Numbers,), {name: value})(3)
    return suite


def told_by(suite: Suite, call: str) -> str:
    """What is told of a call, or of a property when the suite is opened."""
    with pytest.raises(SuiteError) as caught:
        CALLS.get(call, refuse_untold)(suite)
    return str(caught.value)


def test_of_the_first_tasks_no_more_are_read() -> None:
    def tasks(self: Numbers) -> Iterator[TaskInfo]:
        yield from (TaskInfo(f"t{number}", None, {}) for number in range(2))
        raise AssertionError("a third task was read")

    suite = numbers_with("tasks", tasks)
    assert [task.id for task in read_tasks(suite, 2)] == ["t0", "t1"]
    assert "a third task was read" in told_by(suite, "tasks")


def test_what_a_sound_suite_says_is_handed_on() -> None:
    player = Player()
    suite = numbers_with("player", lambda self, name: player)
    assert refuse_untold(suite) is suite
    assert [task.id for task in read_tasks(suite)] == ["t0", "t1", "t2"]
    assert (read_identity(suite, []), read_files(suite)) == ({"turns": "1"}, {})
    assert read_blank(suite, "t1") == suite.blank("t1")
    assert load_player(suite, "ace") is player


@for_each("error", [LookupError("gone"), OSError("gone"), SystemExit(0), ModelError(ErrorKind.SERVER, "gone")])
@for_each("call", [*CALLS, *PROPERTIES])
def test_a_call_that_raises_is_named(call: str, error: BaseException) -> None:
    suite = numbers_with(call.partition("(")[0], raising(error))
    assert told_by(suite, call) == f"The suite numbers failed in {call}: {type(error).__name__}: {error}"


@for_each("error", [UsageError("Say so."), SandboxError("No worker starts."), KeyboardInterrupt()])
def test_an_error_that_explains_itself_keeps_its_words(error: BaseException) -> None:
    with pytest.raises(type(error), match=f"^{error}$"):
        read_files(numbers_with("files", raising(error)))


WRONG: dict[str, tuple[str, Any]] = {
    "TypeError: it is 5, not str": ("dataset", 5),
    "TypeError: it is null, not Mapping[str, str]": ("options", None),
    "TypeError: 'rules' in it is 5, not str": ("options", {"rules": 5}),
    'TypeError: it is "ace", not Sequence[str]': ("players", "ace"),
    "TypeError: entry 0 of it is 5, not str": ("players", [5]),
    "TypeError: 'edition' in it is 7, not str": ("identity", {"edition": 7}),
    "TypeError: it is [], not Mapping[str, str]": ("identity", []),
    "TypeError: 'a.json' in it is {\"x\": 1}, not str": ("files", {"a.json": {"x": 1}}),
    "UnicodeEncodeError: 'utf-8' codec can't encode": ("files", {"a.json": "\ud83d"}),
    'TypeError: a task is "t0", not a TaskInfo': ("tasks", ["t0"]),
    'TypeError: a task is "TaskInfo(id=0': ("tasks", [TaskInfo(0, None, {})]),  # type: ignore[arg-type]
    "ValueError: 2 tasks have the id 't1', so all but one of them would be lost": (
        "tasks",
        [TaskInfo(name, None, {"id": name}) for name in ("t0", "t1", "t1")],
    ),
    "TypeError: 'NoneType' object is not iterable": ("tasks", None),
    "ValueError: dictionary update sequence element": ("blank('t1')", "t1"),
    "TypeError: it returned a str, which has no reply or no close": ("player('ace')", "ace"),
}


@for_each("told", WRONG)
def test_a_call_that_returns_what_the_contract_does_not_allow_is_named(told: str) -> None:
    call, returned = WRONG[told]
    suite = numbers_with(call.partition("(")[0], lambda *_: returned)
    assert told_by(suite, call).startswith(f"The suite numbers failed in {call}: {told}")


def test_a_suite_that_says_wrongly_what_it_is_is_closed() -> None:
    closed: list[bool] = []
    suite = numbers_with("dataset", lambda *_: 5)
    suite.close = lambda: closed.append(True)  # type: ignore[method-assign]
    with suppress(SuiteError):
        refuse_untold(suite)
    assert closed == [True]


def test_a_failure_of_close_hides_no_earlier_error() -> None:
    suite = numbers_with("close", raising(LookupError("worn out")))
    with pytest.raises(UsageError, match="earlier"), closing_suite(suite):
        raise UsageError("earlier")


class Named(Numbers):
    """Reads files when it is told to."""

    def __init__(self, setting: SuiteSetting) -> None:
        super().__init__(3)
        if "reads" in setting.options:
            self.dataset = setting.tasks_name or self.dataset


def test_a_choice_of_tasks_that_a_suite_does_not_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "load", lambda group, name: Named)
    mine = Path("mine.jsonl")
    with raises(SuiteFault.NO_TASKS_FILES, "numbers"):
        open_chosen("numbers", SuiteSetting(tasks=mine))
    with raises(SuiteFault.NO_DATASET, "numbers-v1", "'base'"):
        open_chosen("numbers", SuiteSetting("base"))
    readable = [SuiteSetting(), SuiteSetting("numbers-v1"), SuiteSetting("numbers")]
    readable.append(SuiteSetting(tasks=mine, options={"reads": "1"}))
    assert [open_chosen("numbers", setting).dataset for setting in readable] == [*3 * ["numbers-v1"], "mine"]


def _table(name: str) -> type:
    """A table with one option of this name."""
    return make_dataclass("Table", [("rooms", Annotated[str | None, Option("Rooms.", name)], None)])


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        (["rooms"], 'declares run_options ["rooms"], which is not a tuple of dataclasses.'),
        ((_table("rooms"), _table("rooms")), "declares an option 'rooms': give it one name such as"),
        ((_table("--rooms"),), "declares an option '--rooms': give it one name such as max-turns."),
    ],
)
def test_settings_that_are_declared_wrongly_are_a_fault_of_the_suite(
    declared: object, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "load", lambda group, name: type("Faulty", (Numbers,), {"run_options": declared}))
    with pytest.raises(SuiteError, match=re.escape(f"The suite numbers {told}")):
        open_suite("numbers", SuiteSetting())
