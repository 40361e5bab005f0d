"""Compares the rows of tasks with those of the shipped dataset that a run names.

A name says nothing about rows: whoever sends the folder of a run may have made its tasks easier, and every digest in it
anew. A run of some tasks of a set has fewer rows and no other ones, so each row is compared by itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from typing import Any

from herobench.checked_suite import open_suite, settings_of_files
from herobench.errors import HeroBenchError, short_line
from herobench.suite import SuiteSetting

Digests = Mapping[str, str]
"""The digest of each task's row, by the id of the task."""
_Settings = tuple[tuple[str, str], ...]


def digest_of_row(row: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a row. It does not depend on the order of names."""
    return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()


def note_of_others(name: str, manifest: Mapping[str, Any], tasks: Digests, *, whole: bool = True) -> str | None:
    """Return a sentence if tasks of a run are not those of the shipped dataset that its run.json names.

    None if they are, if no shipped dataset has the name, and for private twins. Unless `whole`, the options of the run
    are not known, and its tasks may be of a part of the dataset that other options choose.
    """
    shipped = _shipped_of(manifest)
    if shipped is None:
        return None
    rows = {*shipped.values()} if whole else {*tasks.values()}
    others = [id for id, digest in tasks.items() if digest not in rows or shipped.get(id, digest) != digest]
    if not others:
        return None
    dataset = manifest["config"]["dataset"]
    return (
        f"{name} names the dataset {dataset}, but has other rows for {len(others)} of its {len(tasks)} tasks, such as "
        f"{short_line(min(others), 80)}: it is another dataset."
    )


def is_of_shipped(manifest: Mapping[str, Any]) -> bool:
    """Return whether a run.json names a shipped dataset, and no private twins of its tasks."""
    return _shipped_of(manifest) is not None


def _shipped_of(manifest: Mapping[str, Any]) -> Digests | None:
    """Return the digests of the shipped dataset that a run.json names; None if it names none, and for twins."""
    config = manifest["config"]
    dataset = config.get("dataset")
    if config.get("fresh") is not None or not isinstance(dataset, str):
        return None
    return _shipped(config["suite"], dataset, _options(manifest))


def _options(manifest: Mapping[str, Any]) -> _Settings:
    """Return the options of a run. The analysis reads any run.json, also one whose options are none."""
    conduct = manifest.get("conduct")
    options = conduct.get("options") if isinstance(conduct, dict) else None
    told = options.items() if isinstance(options, dict) else ()
    return tuple(sorted((name, text) for name, text in told if isinstance(text, str)))


@cache
def _shipped(suite: str, dataset: str, options: _Settings) -> Digests | None:
    """Return the digests of a shipped dataset's rows; None if there is none of this name.

    The options of a run choose among the tasks of some sets. A run may have any options, also wrong ones.
    """
    for settings in dict.fromkeys((options, ())):
        try:
            if settings_of_files(suite, {"dataset": dataset, **dict(settings)}):
                continue
            with closing(open_suite(suite, SuiteSetting(dataset, options=dict(settings)))) as opened:
                if opened.dataset == dataset:  # a name such as `base` means the newest version
                    return {task.id: digest_of_row(task.row) for task in opened.tasks()}
        except (HeroBenchError, OSError):
            continue
    return None
