"""Makes slim rows of a run: what a leaderboard needs of each attempt, and the replay of one of them.

Figures are computed from full samples here, because a slim row has no events from which they could be computed later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from herobench.analysis.checked_reading import reading_of
from herobench.analysis.facts import checked
from herobench.analysis.reading import Reading
from herobench.analysis.report.shown import block_of
from herobench.analysis.samples import Sample, is_measured
from herobench.analysis.sources import Source
from herobench.analysis.variants import tasks_of
from herobench.checked_suite import suite_errors
from herobench.rows import dump_row

SCHEMA = 1
_Attempt = tuple[str, int]


def slim_rows(source: Source) -> Iterator[dict[str, Any]]:
    """Yield the slim row of each sample; that of the attempt to replay has its replay."""
    shown = _attempt_to_replay(source)
    digests = tasks_of(source).digests
    for sample in checked(source):
        row = {**_slim(source, sample), "task": digests.get(sample["task_id"])}
        if (sample["task_id"], sample["epoch"]) == shown:
            row["replay"] = _replay(source, sample)
        yield row


def replay_of(source: Source) -> Mapping[str, Any] | None:
    """Return the replay of the run's longest win, or of the attempt that got farthest without one. None for a file."""
    shown = _attempt_to_replay(source)
    found = (sample for sample in source.samples() if (sample["task_id"], sample["epoch"]) == shown)
    return next((_replay(source, sample) for sample in found), None)


def _slim(source: Source, sample: Sample) -> dict[str, Any]:
    reading, asked = reading_of(sample["suite"]), source.asked
    facts = reading.facts(sample)
    kept = ("task_id", "group", "epoch", "status", "won", "score", "progress", "failure", "output_tokens", "cost")
    return {
        "schema": SCHEMA,
        "suite": sample["suite"],
        "model": sample["model"] or "",
        "agent": source.agent,
        "dataset": asked.dataset if asked else None,
        "fresh": asked.fresh if asked else None,
        "twin_of": facts.get("twin_of"),
        "counted": reading.counts(sample),
        "length": _length(reading, facts),
        "terms": {name: None if (told := facts[name]) is None else str(told) for name in reading.settings},
        **{name: sample[name] for name in kept},
        "replay": None,
    }


def _length(reading: Reading, facts: Mapping[str, Any]) -> float | None:
    return facts[reading.length] if reading.length else None


def _attempt_to_replay(source: Source) -> _Attempt | None:
    """Return the attempt that is replayed: a rule chooses it, so that nobody can pick a flattering one."""
    if source.folder is None:  # a file of rows has no tasks, and without them nothing is replayed
        return None
    best: tuple[tuple[bool, float, float], _Attempt] | None = None
    for sample in source.samples():
        if not is_measured(sample):
            continue
        reading = reading_of(sample["suite"])
        length = _length(reading, reading.facts(sample)) or 0.0
        worth = (bool(sample["won"]), length if sample["won"] else 0.0, sample["progress"] or 0.0)
        if best is None or worth > best[0]:
            best = worth, (sample["task_id"], sample["epoch"])
    return best[1] if best else None


def _replay(source: Source, sample: Sample) -> dict[str, Any]:
    reading = reading_of(sample["suite"])
    panel = reading.panel(source.folder, source.manifest)
    given = panel.task(sample["task_id"])
    told = block_of(sample, reading.cause(sample), panel, None)
    found = {"setting": dict(panel.setting()), "given": given and dict(given), "told": told}
    at = f"{sample['task_id']}, epoch {sample['epoch']}"
    with suite_errors(f"The panel of the suite {sample['suite']} failed in the replay of {at}"):
        dump_row(found)
    return found
