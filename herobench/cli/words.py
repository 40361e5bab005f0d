"""Reads words of a command line by themselves: settings, and what has to be known before the whole line is parsed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

from herobench.data.errors import HeroBenchError, UsageError


def read_settings(texts: Iterable[str], by_option: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Read settings from texts such as `rules=paper`, beside those that options of their own give.

    Raise UsageError when a setting is given twice.
    """
    settings = dict(by_option)
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise UsageError(f"A setting is NAME=VALUE, such as rules=paper, and not {text!r}.")
        if name in settings:
            twice = f"as {settings[name]!r} and as {value!r}"
            raise UsageError(f"The setting {name} is given twice, {twice}: leave one out.")
        settings[name] = value
    return settings


def value_in(words: Sequence[str], option: str) -> str | None:
    """Return the value of an option on a command line; of several the last, and None if there is none."""
    value = None
    for word, after in pairwise([*words, ""]):
        if word == option and after:
            value = after
        elif word.startswith(f"{option}="):
            value = word.partition("=")[2]
    return value


def suite_in(words: Sequence[str]) -> str | None:
    """Return the suite that a command line names, or that of the run whose folder it names; None without one.

    A folder to resume may have a run for each lane.
    """
    if suite := value_in(words, "--suite"):
        return suite
    resumed = value_in(words, "--resume")
    lanes = Path(resumed).glob("*/") if resumed else ()
    manifests = map(_manifest, [*map(Path, words), *([Path(resumed)] if resumed else ()), *lanes])
    return next((str(manifest["config"]["suite"]) for manifest in manifests if manifest), None)


def _manifest(folder: Path) -> Mapping[str, Any] | None:
    """Return the run.json of a folder; None if it cannot be read. The command itself reports the fault."""
    try:
        if not (folder / "run.json").is_file():
            return None
        from herobench.runs.folder import RunFolder

        return RunFolder(folder).read_manifest()
    except (HeroBenchError, OSError, ValueError):
        return None
