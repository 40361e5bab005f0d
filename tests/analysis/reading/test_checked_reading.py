"""Readings of other packages: what they raise, and what they wrongly return, is told with the suite and the call."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.reading.checked import CheckedReading, installed_readings, load_reading
from herobench.analysis.reading.contract import Found, GroupNames, Panel, Reading
from herobench.data.columns import SAMPLE, blank
from herobench.data.errors import SuiteError
from tests.packages import install
from tests.program import herobench, refuses, write_jsonl
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


def reading_with(**calls: Any) -> CheckedReading:
    return CheckedReading("doors", type("Faulty", (Reading,), calls)())


def told(error: pytest.ExceptionInfo[SuiteError]) -> str:
    return str(error.value)


# -- one call ---------------------------------------------------------------------------------------------------------

AT = " at t0, epoch 0"
WRONG: dict[str, tuple[str, Any]] = {
    f"check{AT}: TypeError: it is 5, not a text": ("check", 5),
    f"cause{AT}: TypeError: it is of type str, not Found": ("cause", "blind"),
    f'cause{AT}: TypeError: the line of it is "3", not int | None': ("cause", Found("blind", "3")),  # type: ignore[arg-type]
    "facts of an attempt without values: TypeError: 'NoneType' object is not iterable": ("facts", None),
    f"facts{AT}: TypeError: the fact door is [1], not a text, a number, a flag or None": ("facts", {"door": [1]}),
    "tables: TypeError: it is [], not a mapping": ("tables", []),
    "tables: ValueError: Out of range float values are not JSON compliant": ("tables", {"x": float("nan")}),
    "profiles: TypeError: a rate is of type float, not Estimate": ("profiles", {"strict": {"east": 0.5}}),
    "panel: TypeError: it is of type NoneType, not Panel": ("panel", None),
    "adopted of rows.jsonl:1: TypeError: it is true, not a mapping": ("adopted", True),
    "export('rows'): TypeError: it is of type list, not str": ("export", []),
    "group_names: TypeError: it is of type str, not GroupNames": ("group_names", "doors"),
    "group_names: TypeError: the title of it is 5, not str": ("group_names", GroupNames(5)),  # type: ignore[arg-type]
    "group_names: ValueError: it gives two groups one name": ("group_names", GroupNames("door", {"a": "b"})),
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
def test_a_call_that_returns_what_the_contract_does_not_allow_is_named(words: str) -> None:
    call, returned = WRONG[words]
    reading = reading_with(**{call: lambda *_: returned})
    with pytest.raises(SuiteError) as caught:
        CALLS[call](reading)
    assert told(caught).startswith(f"The reading of the suite doors failed in {words}")


@for_each("call", CALLS)
def test_a_call_that_raises_is_named(call: str) -> None:
    def fail(*_: Any) -> Any:
        raise LookupError("gone")

    with pytest.raises(SuiteError, match=rf"suite doors failed in {call}.*: LookupError: gone"):
        CALLS[call](reading_with(**{call: fail}))


@pytest.mark.parametrize(("call", "returned"), [("setting", {"x": {1}}), ("task", 5), ("sample", None), ("label", 5)])
def test_a_panel_is_checked_as_well(call: str, returned: Any) -> None:
    faulty = type("FaultyPanel", (Panel,), {call: lambda *_: returned})
    panel = reading_with(panel=lambda *_: faulty()).panel(None, None)
    arguments = {"setting": (), "task": ("t0",), "sample": (sample(),), "label": ("rules", "paper")}[call]
    with pytest.raises(SuiteError, match=rf"The panel of the suite doors failed in {call}.*: TypeError: "):
        getattr(panel, call)(*arguments)


def test_facts_have_the_same_names_for_every_sample() -> None:
    reading = reading_with(facts=lambda self, sample: {"door": 1} if sample["task_id"] is None else {"gate": 1})
    with pytest.raises(SuiteError, match="its names are gate, and not door as for other attempts"):
        reading.facts(sample())


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"group": 5}, "the group of the reading is 5, not str"),
        ({"groupings": "door"}, 'the groupings of the reading is "door", not Sequence[str]'),
        ({"columns": ["door"]}, "entry 0 of the columns of the reading is of type str, not Column"),
        ({"settings": {"rules": None}}, "'rules' in the settings of the reading is null, not str"),
    ],
)
def test_a_reading_whose_values_are_of_other_types_is_not_made(values: Json, words: str) -> None:
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
    assert load_reading("doors-sound").fact_names == ("door",)


@for_each("form", ["table", "html"])
@for_each(
    ("suite", "words"),
    [
        ("doors-raising", "failed in cause at t0, epoch 0: KeyError: 'nothing'"),
        ("doors-misnamed", "names 'gate', which is not one of its facts."),
        ("doors-doubled", "has a fact 'model', which is a common column."),
    ],
)
def test_an_analysis_names_the_reading_that_fails(suite: str, words: str, form: str, tmp_path: Path) -> None:
    rows = write_jsonl(tmp_path / "rows.jsonl", [sample(suite)])
    output = ["-o", tmp_path / "out.html"] if form == "html" else []
    said = refuses(herobench("analyze", rows, "--format", form, *output))
    assert said == f"The reading of the suite {suite} {words}"
    assert not (tmp_path / "out.html").exists()


def test_a_reading_that_cannot_be_made_stops_nobody_who_does_not_use_it(tmp_path: Path) -> None:
    installed_readings.cache_clear()
    try:
        other = write_jsonl(tmp_path / "other.jsonl", [sample("doors-sound")])
        assert herobench("analyze", other, "--by", "door").returncode == 0
        own = write_jsonl(tmp_path / "own.jsonl", [sample("doors-unmade")])
        said = refuses(herobench("analyze", own))
        assert said == "'doors-unmade' of the package doors cannot be made: LookupError: no reading"
    finally:
        installed_readings.cache_clear()
