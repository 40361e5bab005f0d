"""Turns what goes wrong in generated code into an AutumnError with its place.

Generated code has no checks of its own where Python fails by itself: a missing variable is a KeyError, a missing field
an AttributeError. The line numbers of generated code are offsets in the program.
"""

from __future__ import annotations

from types import TracebackType

from herobench.suites.autumn.language.autumn_error import AutumnError, Fault
from herobench.suites.autumn.language.build import FILE
from herobench.suites.autumn.language.source import Source
from herobench.suites.autumn.language.values import kind_of

FAILURES = (
    Fault,
    AttributeError,
    KeyError,
    TypeError,
    ValueError,
    NameError,
    OverflowError,
    RecursionError,
    MemoryError,
)
"""What generated code and natives can raise."""


def explained(error: BaseException, source: Source) -> AutumnError:
    """Return the error of a program for an exception in its code."""
    places = _offsets(error.__traceback__)
    at = places[-1]
    if isinstance(error, Fault):
        if error.at is not None:
            at = error.at
        elif len(places) == 1:
            at = error.near or 0
        elif error.of_caller and len(places) > 2:
            at = places[-2]
    return source.error(at, _message(error, source.text[at : at + 5]))


def _offsets(traceback: TracebackType | None) -> list[int]:
    """Return the offsets of the expressions that were evaluated, the innermost last, after one of the program."""
    found = [0]
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == FILE and traceback.tb_lineno:
            found.append(traceback.tb_lineno - 1)
        traceback = traceback.tb_next
    return found


def _message(error: BaseException, text: str) -> str:
    if isinstance(error, Fault):
        return error.message
    if isinstance(error, KeyError):
        return f"there {'was' if text == '(prev' else 'is'} no variable '{error.args[0]}'" + (
            " before this step" if text == "(prev" else ""
        )
    if isinstance(error, AttributeError):
        field = str(error.name or "").removeprefix("f_")
        return f"a {kind_of(getattr(error, 'obj', None))} has no field '{field}'"
    if isinstance(error, RecursionError):
        return "calls nest too deeply"
    if isinstance(error, MemoryError):
        return "the program needs too much memory"
    if "not callable" in str(error):
        return "expected a function to call"
    if "argument" in str(error):
        return "a function is called with the wrong number of arguments"
    return "a value has the wrong type"
