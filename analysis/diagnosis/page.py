"""Writes the page of diagnoses: one figure with the skills of all models, one table, and details by group and chain."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from herobench.analysis.diagnosis.diagnosis import Diagnosis
from herobench.analysis.report.page_text import page_on
from herobench.data.errors import UsageError


def write_page(path: Path, found: Sequence[Diagnosis], group: str, notes: Sequence[str]) -> None:
    """Write the page. Raise UsageError if the file cannot be written."""
    index = {"words": {}, "group": group, "models": [one.as_row() for one in found], "notes": list(notes)}
    try:
        path.write_text(page_on(index, _file("diagnosis.js"), _file("style.css")), "utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def _file(name: str) -> str:
    return files("herobench.analysis.diagnosis").joinpath("page", name).read_text("utf-8")
