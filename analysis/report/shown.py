"""Makes what the report's page shows of one attempt: its line in the index, and the block that its own page draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from herobench.analysis.reading import Found, Panel
from herobench.analysis.samples import Sample, group_of

COLUMNS = (
    "run", "task", "epoch", "status", "group", "outcome", "score", "progress", "failure", "cause", "error", "tokens",
    "cost", "given",
)  # fmt: skip
"""The columns of the index; `given` is the number of the block with the sample's task, or null."""
_OUTCOMES = {True: "win", False: "lose", None: "unmeasured"}


def line_of(sample: Sample, run: int, cause: str | None, given: int | None) -> list[Any]:
    """Return the values of the columns."""
    error = sample["error"]
    return [
        run,
        sample["task_id"],
        sample["epoch"],
        sample["status"],
        group_of(sample),
        _OUTCOMES[sample["won"]],
        sample["score"],
        sample["progress"],
        sample["failure"],
        cause,
        error["kind"] if error else None,
        sample["output_tokens"],
        sample["cost"],
        given,
    ]


def block_of(sample: Sample, found: Found | None, panel: Panel, talk: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what the page of an attempt needs beside its task; `talk` is the conversation, where it is shown."""
    return {
        "row": sample,
        "found": asdict(found) if found else None,
        "panel": dict(panel.sample(sample)),
        "talk": talk,
    }
