"""Find and load plugins: the entry points of installed packages, by group.

A plugin is loaded only when it is asked for, so a broken one does not disturb other commands. The error for a broken
plugin must name the package that it comes from. `type_fault` holds a value that a plugin gave against its declared
type, as deep as it goes: for what is looked at once, when it is loaded or tried out.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from herobench.data.errors import LONGEST_MISSPELT, HeroBenchError, UsageError, abbreviate, quoted
from herobench.suite.refusals import SuiteFault

MODELS = "herobench.models"
AGENTS = "herobench.agents"
SUITES = "herobench.suites"
READINGS = "herobench.readings"
COMMANDS = "herobench.commands"
CHECKUP = "herobench.checkup"
PAGES = "herobench.pages"
IMPORTS = "herobench.imports"
DEFAULTS = "herobench.defaults"
GROUPS = (SUITES, MODELS, AGENTS, READINGS, COMMANDS, CHECKUP, PAGES, IMPORTS)


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point. `broken` says why it does not load; None if it loads."""

    group: str
    name: str
    package: str
    broken: str | None


def names(group: str) -> list[str]:
    """Return the names of the plugins of a group."""
    return sorted({point.name for point in _points(group)})


def places(group: str) -> dict[str, str]:
    """Return where the plugins of a group are, as `module:name`, by their names."""
    return {point.name: point.value for point in sorted(_points(group), key=lambda point: point.name)}


def default_suites() -> list[str]:
    """Return the suites that may be meant where none is named, the usual one first: the group of defaults in order."""
    installed = names(SUITES)
    return [name for name in places(DEFAULTS).values() if name in installed] or installed[:1]


def default_suite() -> str:
    """Return the suite that is meant where nothing is named that belongs to another one."""
    return default_suites()[0]


def load(group: str, name: str) -> Any:
    """Load a plugin. Raises UsageError if there is none of this name, or it does not load."""
    return _load_point(_point(group, name))


def build(group: str, name: str, *arguments: Any, calls: Iterable[str] = (), kind: type = object) -> Any:
    """Load a plugin, call it, and return what it makes: a `kind` with these `calls`. Raises UsageError otherwise."""
    point = _point(group, name)
    make = _load_point(point)
    try:
        plugin = make(*arguments)
    except HeroBenchError:
        raise
    except (Exception, SystemExit) as error:
        raise UsageError(f"{_plugin_words(point)} cannot be made: {_why(error)}") from error
    if not isinstance(plugin, kind):
        base = f"{kind.__module__}.{kind.__name__}"
        raise UsageError(f"{_plugin_words(point)} makes a {type(plugin).__name__}, which is not derived from {base}.")
    if lacking := [call for call in calls if not callable(getattr(plugin, call, None))]:
        raise UsageError(f"{_plugin_words(point)} makes a {type(plugin).__name__}, which has no {lacking[0]}.")
    return plugin


def load_all() -> Iterator[Plugin]:
    """Yield all plugins, each after an attempt to load it."""
    for group in GROUPS:
        for point in sorted(_points(group), key=lambda point: point.name):
            try:
                point.load()
                fault = None
            except (Exception, SystemExit) as error:
                fault = _why(error)
            yield Plugin(group, point.name, _package(point), fault)


def _points(group: str) -> EntryPoints:
    """Return the entry points of a group. Reading the metadata of all packages takes milliseconds, so it is cached."""
    return _points_on(tuple((folder, _change_time(folder)) for folder in sys.path)).get(group, EntryPoints())


@lru_cache(maxsize=32)
def _points_on(path: tuple[tuple[str, int], ...]) -> Mapping[str, EntryPoints]:
    """Read the entry points of each group, for one path of modules and the times when its folders last changed.

    All of them are of another class in Python 3.11 than later. Each class has `select`.
    """
    every: Any = entry_points()
    return {group: every.select(group=group) for group in (*GROUPS, DEFAULTS)}


def _change_time(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 - a Path would take twice as long
    except OSError:
        return 0


def _point(group: str, name: str) -> EntryPoint:
    for point in _points(group):
        if point.name == name:
            return point
    others = names(group)
    near = get_close_matches(name[:LONGEST_MISSPELT], others, 1)
    advice = f"is {near[0]} meant?" if near else f"there are {', '.join(others)}."
    raise UsageError(SuiteFault.NO_PLUGIN, name=quoted(name), group=group, advice=advice)


def _load_point(point: EntryPoint) -> Any:
    try:
        return point.load()
    except (Exception, SystemExit) as error:  # the code of others: some modules call sys.exit when they are imported
        raise UsageError(f"{_plugin_words(point)} does not load: {_why(error)}") from error


def _plugin_words(point: EntryPoint) -> str:
    return f"{point.name!r} of the package {_package(point)}"


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "unknown"


def _why(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


# -- values of plugins, held against the types that are declared -------------------------------------------------------

_MODULE = re.compile(r"\b(?:[a-z_]+\.)+")
"""The module before the name of a type, as in `collections.abc.Mapping`."""


def type_fault(value: object, hint: Any, what: str) -> str | None:
    """Return what is wrong with a value of a declared type; None if it fits. Any sequence passes for a tuple."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any or (origin is Literal and value in parts):
        return None
    if origin in (Union, UnionType):
        whole = [part for part in parts if get_origin(part) or is_dataclass(part)]
        if whole and len(parts) == 2 and value is not None:  # the type of a value that may be None
            return type_fault(value, whole[0], what)
        return None if any(type_fault(value, part, what) is None for part in parts) else _other(value, hint, what)
    if isinstance(hint, type) and is_dataclass(hint) and isinstance(value, hint):
        hints = get_type_hints(hint)
        return _first(
            type_fault(getattr(value, each.name), hints[each.name], f"the {each.name} of {what}")
            for each in fields(hint)
        )
    if origin in (tuple, Sequence) and isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return _first(type_fault(entry, parts[0], f"entry {place} of {what}") for place, entry in enumerate(value))
    if origin is Mapping and isinstance(value, Mapping):
        names = (type_fault(name, parts[0], f"a name in {what}") for name in value)
        return _first(names) or _first(
            type_fault(entry, parts[1], f"{name!r} in {what}") for name, entry in value.items()
        )
    if origin in (Literal, tuple, Sequence, Mapping) or (isinstance(value, bool) and hint is not bool):
        return _other(value, hint, what)  # bool is a subclass of int
    kind = (int, float) if hint is float else origin or hint
    return None if isinstance(value, kind) else _other(value, hint, what)


def _first(faults: Iterable[str | None]) -> str | None:
    return next((fault for fault in faults if fault is not None), None)


def _other(value: object, hint: Any, what: str) -> str:
    """Say that a value is not of a type, in short: `str | None`, `tuple[ToolCall, ...]`."""
    words = hint.__name__ if type(hint) is type else _MODULE.sub("", str(hint))
    return f"{what} is {abbreviate(value)}, not {words}"
