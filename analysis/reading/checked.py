"""Finds the readings of suites. A reading may be code of others, so it is asked within one boundary, `_within`.

A call that raises, or returns another kind of value than the contract says, raises SuiteError with the names of the
suite, the call and the attempt, so that no analysis ends in a traceback. What is asked once for a run is looked at as
deep as it goes; what is asked for each sample only by its kind, since a large analysis asks a hundred million times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from herobench.analysis.reading.contract import Found, GroupNames, Panel, Reading
from herobench.analysis.reading.interval import Estimate
from herobench.data.columns import AMOUNT, SAMPLE, Column, blank, optional
from herobench.data.errors import HeroBenchError, abbreviate
from herobench.data.imported import SUITE
from herobench.data.rows import dump_row
from herobench.suite import plugins
from herobench.suite.checked import plugin_errors
from herobench.suite.plugins import type_fault
from herobench.work.engine import Work

if TYPE_CHECKING:
    from herobench.analysis.samples.samples import Sample

_Made = TypeVar("_Made", Reading, Panel)
_Check = Callable[[Any], Any]
_PLAIN = frozenset({str, int, float, bool, NoneType})
"""The types of facts."""


class ImportedReading(Reading):
    """The reading of attempts from logs of other tools, whose suite names the unit of lengths: `imported-minutes`."""

    columns = (Column("length", optional(AMOUNT), "The length of the task, in the unit that the suite names."),)

    def __init__(self, suite: str) -> None:
        if unit := suite.partition("-")[2].replace("-", " "):
            self.length, self.words, self.listed = "length", {"length": unit}, {"length": unit.capitalize()}

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the length of the task."""
        return {"length": sample["details"]["length"]}


@cache
def load_reading(suite: str) -> Reading:
    """Return the reading of a suite; a plain one if none is installed. Raise UsageError if it cannot be made."""
    is_installed = suite in plugins.names(plugins.READINGS)
    plain = ImportedReading(suite) if suite.partition("-")[0] == SUITE else Reading()
    suite_reading = plugins.build(plugins.READINGS, suite, kind=Reading) if is_installed else plain
    where, panel = f"The reading of the suite {suite}", f"The panel of the suite {suite}"
    made_of_calls = {
        "facts": _facts_check(),
        "panel": lambda value: _within_boundary(Panel(), _PANEL(value), panel, _OF_PANEL),
        "mended_answers": lambda answer: _within(where, "mended_answers", answer, _TEXT_OR_NONE),
    }
    return _within_boundary(Reading(), suite_reading, where, {**_RETURNED, **made_of_calls})


def fact_names(suite: str) -> tuple[str, ...]:
    """Return the names of a suite's facts. A sample without values tells them, because all samples have the same."""
    reading = load_reading(suite)
    details = blank(reading.columns)
    return tuple(reading.facts({**blank(SAMPLE), "suite": suite, "status": "unmeasured", "details": details}))


def first_cause(sample: Sample) -> str | None:
    """Return the name of the first cause of a loss, if the sample counts; None for a win, or if too little is known."""
    reading = load_reading(sample["suite"])
    is_lost = sample["won"] is False and reading.counts(sample)
    cause = reading.cause(sample) if is_lost else None
    return str(cause.cause) if cause else None


@cache  # asked for every row that is not a sample, and looking packages up is slow
def installed_readings() -> Mapping[str, Reading]:
    """Return the readings that are installed and can be made, by the name of their suite."""
    readings: dict[str, Reading] = {}
    for suite in plugins.names(plugins.READINGS):
        try:
            readings[suite] = load_reading(suite)
        except HeroBenchError:  # whoever reads samples of this suite is told by `load_reading`
            continue
    return readings


def _within_boundary(plain: _Made, extension: _Made, where: str, checks: Mapping[str, _Check]) -> _Made:
    """Give a plain reading or panel the values of one that a suite has made, and its calls within the boundary."""
    with plugin_errors(f"{where} is wrong"):
        for name, hint in get_type_hints(type(plain)).items():
            if fault := type_fault(getattr(extension, name), hint, name):
                raise TypeError(fault)
            setattr(plain, name, getattr(extension, name))
    for name, check in checks.items():
        setattr(plain, name, _within(where, name, getattr(extension, name), check))
    return plain


def _within(where: str, name: str, call: Callable[..., Any], check: _Check) -> Callable[..., Any]:
    """Return a call into the code of a suite; its errors become SuiteError, in words that are made only then."""

    def checked_call(*args: Any) -> Any:
        try:
            return check(call(*args))
        except BaseException:
            with plugin_errors(f"{where} failed in {_words(name, args)}"):
                raise

    return checked_call


def _words(name: str, args: Sequence[Any]) -> str:
    """Return the words for a call."""
    match name, args:
        case "adopted", (_, _, place):
            return f"adopted of {place}"
        case (("task" | "export"), (what, *_)):
            return f"{name}({what!r})"
        case _, ({"task_id": str(task_id), "epoch": epoch},):
            return f"{name} at {task_id}, epoch {epoch}"
    return name


# -- checks of what calls return, which hand it on --------------------------------------------------------------------


def _kind(*kinds: type) -> _Check:
    """Return the check of a value by its kind alone."""

    def check(value: Any) -> Any:
        if not isinstance(value, kinds):
            raise TypeError(f"it is {abbreviate(value)}, not {' or '.join(kind.__name__ for kind in kinds)}")
        return value

    return check


def _whole(hint: Any) -> _Check:
    """Return the check of a value with all that it holds."""

    def check(value: Any) -> Any:
        if fault := type_fault(value, hint, "it"):
            raise TypeError(fault)
        return value

    return check


def _facts_check() -> _Check:
    """Return the check of facts. They have the same names for each sample."""
    names: list[tuple[str, ...]] = []

    def check(facts: Mapping[str, Any]) -> Mapping[str, Any]:
        own_names = tuple(facts)
        if own_names not in names:
            if names:
                raise ValueError(
                    f"its names are {', '.join(own_names)}, and not {', '.join(names[0])} as for other attempts"
                )
            names.append(own_names)
        for name, value in facts.items():
            if type(value) not in _PLAIN and not isinstance(value, str | int | float):
                raise TypeError(f"the fact {name} is {abbreviate(value)}, not a text, a number, a flag or None")
        return facts

    return check


def _cause(finding: Found | None) -> Found | None:
    if finding is not None and not (isinstance(finding.cause, str) and type(finding.line) in (int, NoneType)):
        raise TypeError(f"it is {abbreviate(finding)}: the cause is a text, and its line a number")
    return finding


def _json(value: Mapping[str, Any]) -> dict[str, Any]:
    dump_row(row := dict(value))  # raises for what JSON cannot say
    return row


_MAPPING, _PANEL, _TEXT_OR_NONE = _kind(Mapping), _kind(Panel), _kind(str, NoneType)
_RETURNED: Mapping[str, _Check] = MappingProxyType(
    {
        "adopted": _kind(dict, NoneType),
        "check": _TEXT_OR_NONE,
        "counts": _kind(bool),
        "cause": _cause,
        "group_names": _whole(GroupNames),
        "ranked_words": _kind(str),
        "remarks": _whole(Mapping[str, str]),
        "tables": _json,
        "typeset": _kind(list, tuple),
        "profiles": _whole(Mapping[str, Mapping[str, Estimate]]),
        "opaque_rows": _whole(Mapping[str, Mapping[str, Any]]),
        "repair_work": _kind(Work, NoneType),
        "export": _kind(str),
    }
)
_OF_PANEL: Mapping[str, _Check] = MappingProxyType(
    {"label": _kind(str), "setting": _json, "task": _kind(Mapping, NoneType), "sample": _MAPPING}
)
