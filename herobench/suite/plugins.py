"""Find and load plugins: the entry points of installed packages, by group.

A plugin is loaded only when it is asked for, so a broken one does not disturb other commands. The error for a broken
plugin must name the package that it comes from.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path
from typing import Any

from herobench.data.errors import LONGEST_MISSPELT, HeroBenchError, UsageError, quoted
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
        return Path(folder).stat().st_mtime_ns
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
