"""Finds the readings of suites, and checks every call into them: a reading is code of others, as a suite is.

A call that raises, or returns what the contract does not allow, raises SuiteError with the names of the suite, the call
and the attempt, so that no analysis ends in a traceback or in figures that mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property, partial
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.contract import Found, GroupNames, Panel, Reading
from herobench.analysis.reading.interval import Estimate
from herobench.data.columns import SAMPLE, blank
from herobench.data.errors import HeroBenchError, abbreviated
from herobench.data.rows import dump_row
from herobench.data.typecheck import declared, mapping
from herobench.suite import plugins
from herobench.suite.checked import suite_errors
from herobench.work.engine import Work

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.samples.samples import Sample


_PLAIN = frozenset({str, int, float, bool, NoneType})
"""The types of most facts. They are looked up first, because a large analysis has a hundred million facts."""


@cache
def load_reading(suite: str) -> CheckedReading:
    """Return the reading of a suite; a plain one if none is installed. Raise UsageError if it cannot be made."""
    installed = suite in plugins.names(plugins.READINGS)
    return CheckedReading(suite, plugins.build(plugins.READINGS, suite) if installed else Reading())


def first_cause(sample: Sample) -> str | None:
    """Return the name of the first cause of a loss, if the sample counts; None for a win, or if too little is known."""
    reading = load_reading(sample["suite"])
    lost = sample["won"] is False and reading.counts(sample)
    found = reading.cause(sample) if lost else None
    return str(found.cause) if found else None


@cache  # asked for every row that is not a sample, and looking packages up is slow
def installed_readings() -> Mapping[str, Reading]:
    """Return the readings that are installed and can be made, by the name of their suite."""
    found: dict[str, Reading] = {}
    for suite in plugins.names(plugins.READINGS):
        try:
            found[suite] = load_reading(suite)
        except HeroBenchError:  # whoever reads samples of this suite is told by `load_reading`
            continue
    return found


class CheckedReading(Reading):
    """A reading whose calls are checked: each returns what `_RETURNED` says, or raises SuiteError."""

    def __init__(self, suite: str, reading: Reading) -> None:
        self._suite = suite
        self._reading = reading
        self._where = f"The reading of the suite {suite}"
        with suite_errors(f"{self._where} is wrong"):
            declared(reading, Reading, "the reading")
            for name in Reading.__annotations__:
                setattr(self, name, getattr(reading, name))
        panel = {"panel": lambda panel, *_: CheckedPanel(suite, panel)}
        _guard(self, reading, self._where, {**_RETURNED, "mended_answers": self._answers, **panel})
        named = _checked(self._where, "facts", lambda sample: (self.fact_names, reading.facts(sample)), _named)
        setattr(self, "facts", named)  # noqa: B010 - as the calls of the table

    @cached_property
    def fact_names(self) -> tuple[str, ...]:
        """The names of the facts. A sample without values tells them, because all samples have the same."""
        details = blank(self.columns)
        nothing = {**blank(SAMPLE), "suite": self._suite, "status": "unmeasured", "details": details}
        with suite_errors(f"{self._where} failed in facts of an attempt without values"):
            return tuple(self._reading.facts(nothing))

    def _answers(self, answer: Callable[[Sample], Any], *_: object) -> Callable[[Sample], str | None]:
        """Return what makes an answer, checked as well."""
        return _checked(self._where, "mended_answers", answer, _optional(str))


class CheckedPanel(Panel):
    """A panel whose calls are checked. Whoever writes what `task` and `sample` return tells if JSON cannot say it."""

    def __init__(self, suite: str, panel: Panel) -> None:
        declared(panel, Panel, "it")
        self.given = dict(panel.given)
        self.shows_prompts = declared(panel.shows_prompts, bool, "it")
        _guard(self, panel, f"The panel of the suite {suite}", _OF_PANEL)


_Call = Callable[..., Any]
_Check = Callable[..., Any]
"""Returns what a call has returned, given that and the arguments of the call. Raises an exception if it is wrong."""


def _guard(guarded: object, made: object, where: str, checks: Mapping[str, _Check]) -> None:
    """Give an object the calls of one that a suite has made, checked."""
    for name, check in checks.items():
        setattr(guarded, name, _checked(where, name, partial(_call, made, name), check))


def _call(made: object, name: str, *given: Any) -> Any:
    return getattr(made, name)(*given)


def _checked(where: str, name: str, call: _Call, check: _Check) -> _Call:
    """Return a call into the code of a suite; its errors become SuiteError, in words that are made only then."""

    def checked(*given: Any) -> Any:
        try:
            return check(call(*given), *given)
        except BaseException:
            with suite_errors(f"{where} failed in {_told(name, given)}"):
                raise

    return checked


def _told(name: str, given: Sequence[Any]) -> str:
    """Return the words for a call."""
    match name, given:
        case "adopted", (_, _, place):
            return f"adopted of {place}"
        case (("task" | "export"), (what, *_)):
            return f"{name}({what!r})"
        case _, ({"task_id": task_id, "epoch": epoch},):
            return f"{name} at {task_id}, epoch {epoch}"
    return name


# -- what calls have to return ----------------------------------------------------------------------------------------


def _kind_check(kind: type) -> _Check:
    return lambda found, *_: declared(found, kind, "it")


def _optional(kind: type) -> _Check:
    return lambda found, *_: None if found is None else declared(found, kind, "it")


def _cause(found: Any, *_: object) -> Found | None:
    is_plain = (  # `declared` is ten times slower, and names the fault
        type(found) is Found
        and isinstance(found.cause, str)
        and type(found.line) in (int, NoneType)
        and isinstance(found.subject, str | None)
    )
    return found if found is None or is_plain else declared(found, Found, "it")


def _group_names(found: GroupNames, groups: Collection[str]) -> GroupNames:
    declared(found, GroupNames, "it")
    if len(set(map(found.short, groups))) < len(set(groups)):
        raise ValueError("it gives two groups one name")
    return found


def _losses(found: Mapping[str, Sequence[float | None]], samples: pd.DataFrame) -> Mapping[str, Any]:
    for kind, values in mapping(found).items():
        if len(values) != len(samples) or any(value not in (0, 1, None) for value in values):
            raise ValueError(f"it gives {kind} no 0, 1 or None for each of the {len(samples)} samples")
    return found


def _named(told: tuple[tuple[str, ...], Any], _: Sample) -> Mapping[str, Any]:
    """Return facts. They must have the names of the reading's facts."""
    names, facts = told[0], mapping(told[1])
    if tuple(facts) != names:
        raise ValueError(f"its names are {', '.join(facts)}, and not {', '.join(names)} as for other attempts")
    for name, value in facts.items():
        if type(value) not in _PLAIN and not isinstance(value, str | int | float):
            raise TypeError(f"the fact {name} is {abbreviated(value)}, not a text, a number, a flag or None")
    return facts


def _json(value: Any, *_: object) -> Mapping[str, Any]:
    """Return a mapping that JSON can say."""
    dump_row(dict(mapping(value)))
    return dict(value)


def _text_or_none(value: Any, *_: object) -> str | None:
    if not isinstance(value, str | None):
        raise TypeError(f"it is {abbreviated(value)}, not a text")
    return value


_RETURNED: Mapping[str, _Check] = MappingProxyType(
    {
        "adopted": lambda sample, *_: None if sample is None else dict(mapping(sample)),
        "check": _text_or_none,
        "counts": _kind_check(bool),
        "group_names": _group_names,
        "remarks": lambda told, _: {label: declared(words, str, "it") for label, words in mapping(told).items()},
        "losses": _losses,
        "cause": _cause,
        "tables": _json,
        "profiles": lambda found, _: {
            title: {name: declared(rate, Estimate, "a rate") for name, rate in mapping(rates).items()}
            for title, rates in mapping(found).items()
        },
        "opaque_rows": lambda rows, *_: {task_id: _json(row) for task_id, row in mapping(rows).items()},
        "repair_work": _optional(Work),
        "export": _kind_check(str),
    }
)
_OF_PANEL: Mapping[str, _Check] = MappingProxyType(
    {
        "label": lambda told, _, value: _text_or_none(told) or value,
        "setting": _json,
        "task": lambda told, _: None if told is None else mapping(told),
        "sample": lambda told, _: mapping(told),
    }
)
