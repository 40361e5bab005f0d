"""Readings of other packages: what they raise, and what they wrongly return, is told with the suite and the call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.reading.checked import fact_names, installed_readings, load_reading
from herobench.analysis.reading.contract import Found, GroupNames, Panel, Reading
from herobench.data.columns import SAMPLE, blank
from herobench.data.errors import SuiteError
from herobench.suite import plugins
from tests.golden import Golden
from tests.packages import install
from tests.program import herobench, write_jsonl
from tests.sizes import for_each

Json = dict[str, Any]


def sample(suite: str = "doors", **more: Any) -> Json:
    return {
        **blank(SAMPLE),
        "suite": suite,
        "task_id": "t0",
        "epoch": 0,
        "status": "ok",
        "model": "m",
        "won": False,
        "score": 0.0,
        "calls": 1,
        "retries": 0,
        "seconds": 1.0,
        "details": {"door": 1},
        **more,
    }


@pytest.fixture
def reading_with(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Reading]]:
    """The loaded reading of a suite `doors` whose class has other calls or values."""

    def load(**calls: Any) -> Reading:
        monkeypatch.setattr(plugins, "names", lambda group: ["doors"])
        monkeypatch.setattr(plugins, "build", lambda *_, **__: type("Faulty", (Reading,), calls)())
        load_reading.cache_clear()
        return load_reading("doors")

    yield load
    load_reading.cache_clear()


def told(error: pytest.ExceptionInfo[SuiteError]) -> str:
    return str(error.value)


# -- one call ---------------------------------------------------------------------------------------------------------

AT = " at t0, epoch 0"
WRONG: dict[str, tuple[str, Any]] = {
    f"check{AT}: TypeError: it is 5, not str or NoneType": ("check", 5),
    f"cause{AT}: AttributeError: 'str' object has no attribute 'cause'": ("cause", "blind"),
    f"cause{AT}: TypeError: it is": ("cause", Found("blind", "3")),  # type: ignore[arg-type]
    f"facts{AT}: TypeError: 'NoneType' object is not iterable": ("facts", None),
    f"facts{AT}: TypeError: the fact door is [1], not a text, a number, a flag or None": ("facts", {"door": [1]}),
    "tables: TypeError: 'int' object is not iterable": ("tables", 5),
    "tables: ValueError: Out of range float values are not JSON compliant": ("tables", {"x": float("nan")}),
    "profiles: TypeError: 'east' in 'strict' in it is 0.5, not Estimate": ("profiles", {"strict": {"east": 0.5}}),
    "panel: TypeError: it is null, not Panel": ("panel", None),
    "adopted of rows.jsonl:1: TypeError: it is true, not dict or NoneType": ("adopted", True),
    "export('rows'): TypeError: it is [], not str": ("export", []),
    'group_names: TypeError: it is "doors", not GroupNames': ("group_names", "doors"),
    "group_names: TypeError: the title of it is 5, not str": ("group_names", GroupNames(5)),  # type: ignore[arg-type]
}
CALLS: Mapping[str, Any] = {
    "check": lambda reading: reading.check(sample()),
    "cause": lambda reading: reading.cause(sample()),
    "facts": lambda reading: reading.facts(sample()),
    "tables": lambda reading: reading.tables(None),
    "profiles": lambda reading: reading.profiles(None),
    "panel": lambda reading: reading.panel(None, None),
    "adopted": lambda reading: reading.adopted({}, "rows.jsonl", "rows.jsonl:1"),
    "export": lambda reading: reading.export("rows", None),
    "group_names": lambda reading: reading.group_names(["a", "b"]),
}


@for_each("words", WRONG)
def test_a_call_that_returns_what_the_contract_does_not_allow_is_named(
    reading_with: Callable[..., Reading], words: str
) -> None:
    call, returned = WRONG[words]
    reading = reading_with(**{call: lambda *_: returned})
    with pytest.raises(SuiteError) as caught:
        CALLS[call](reading)
    assert told(caught).startswith(f"The reading of the suite doors failed in {words}")


@for_each("call", CALLS)
def test_a_call_that_raises_is_named(reading_with: Callable[..., Reading], call: str) -> None:
    def fail(*_: Any) -> Any:
        raise LookupError("gone")

    with pytest.raises(SuiteError, match=rf"suite doors failed in {call}.*: LookupError: gone"):
        CALLS[call](reading_with(**{call: fail}))


@pytest.mark.parametrize(("call", "returned"), [("setting", {"x": {1}}), ("task", 5), ("sample", None), ("label", 5)])
def test_a_panel_is_asked_within_the_boundary_as_well(
    reading_with: Callable[..., Reading], call: str, returned: Any
) -> None:
    faulty = type("FaultyPanel", (Panel,), {call: lambda *_: returned})
    panel = reading_with(panel=lambda *_: faulty()).panel(None, None)
    arguments = {"setting": (), "task": ("t0",), "sample": (sample(),), "label": ("rules", "paper")}[call]
    with pytest.raises(SuiteError, match=rf"The panel of the suite doors failed in {call}.*: TypeError: "):
        getattr(panel, call)(*arguments)


def test_facts_have_the_same_names_for_every_sample(reading_with: Callable[..., Reading]) -> None:
    reading = reading_with(facts=lambda self, sample: {"door": 1} if sample["task_id"] == "t1" else {"gate": 1})
    reading.facts(sample(task_id="t1"))
    with pytest.raises(SuiteError, match="its names are gate, and not door as for other attempts"):
        reading.facts(sample())


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"group": 5}, "group is 5, not str"),
        ({"groupings": "door"}, 'groupings is "door", not Sequence[str]'),
        ({"columns": ["door"]}, 'entry 0 of columns is "door", not Column'),
        ({"settings": {"rules": None}}, "'rules' in settings is null, not str"),
    ],
)
def test_a_reading_whose_values_are_of_other_types_is_not_made(
    reading_with: Callable[..., Reading], values: Json, words: str
) -> None:
    with pytest.raises(SuiteError) as caught:
        reading_with(**values)
    assert told(caught) == f"The reading of the suite doors is wrong: TypeError: {words}"


# -- an analysis ------------------------------------------------------------------------------------------------------

CODE = """
    from herobench.analysis.reading.contract import Found, Reading
    from herobench.data.columns import COUNT, Column, optional

    class Doors(Reading):
        columns = (
            Column("schema", {"const": 1}, "The format."),
            Column("door", COUNT, "The door."),
            Column("looked", optional(COUNT), "The door that was opened."),
        )
        groupings = ("door",)

        def facts(self, sample):
            return {"door": sample["details"]["door"]}

        def cause(self, sample):
            return None if sample["details"]["looked"] else Found("blind")

    class Raising(Doors):
        def cause(self, sample):
            return Found(sample["details"]["nothing"])

    class Misnamed(Doors):
        groupings = ("gate",)

    class Doubled(Doors):
        def facts(self, sample):
            return {"door": 1, "model": "mine"}

    def unmade():
        raise LookupError("no reading")
"""
POINTS = {
    "herobench.readings": {
        "doors-sound": "doors_reading:Doors",
        "doors-raising": "doors_reading:Raising",
        "doors-misnamed": "doors_reading:Misnamed",
        "doors-doubled": "doors_reading:Doubled",
        "doors-unmade": "doors_reading:unmade",
    }
}


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", "doors", CODE, POINTS, "doors_reading")
    monkeypatch.syspath_prepend(tmp_path / "site")


@for_each("details", [None, {}, {"door": 2}])
@for_each("form", ["table", "json", "csv", "html"])
def test_columns_of_details_that_are_missing_are_not_known(details: Json | None, form: str, tmp_path: Path) -> None:
    rows = write_jsonl(tmp_path / "rows.jsonl", [sample("doors-sound", details=details)])
    output = ["-o", tmp_path / "out.html"] if form == "html" else []
    done = herobench("analyze", rows, "--format", form, *output)
    assert done.returncode == 0, done.stderr
    assert fact_names("doors-sound") == ("door",)


@for_each("form", ["table", "html"])
@for_each("suite", ["doors-raising", "doors-misnamed", "doors-doubled"])
def test_an_analysis_names_the_reading_that_fails(suite: str, form: str, tmp_path: Path, golden: Golden) -> None:
    rows = write_jsonl(tmp_path / "rows.jsonl", [sample(suite)])
    output = ["-o", tmp_path / "out.html"] if form == "html" else []
    golden(herobench("analyze", rows, "--format", form, *output))
    assert not (tmp_path / "out.html").exists()


def test_a_reading_that_cannot_be_made_stops_nobody_who_does_not_use_it(tmp_path: Path, golden: Golden) -> None:
    installed_readings.cache_clear()
    try:
        other = write_jsonl(tmp_path / "other.jsonl", [sample("doors-sound")])
        assert herobench("analyze", other, "--by", "door").returncode == 0
        own = write_jsonl(tmp_path / "own.jsonl", [sample("doors-unmade")])
        golden(herobench("analyze", own))
    finally:
        installed_readings.cache_clear()
