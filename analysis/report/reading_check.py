"""Tries the reading of a suite out on samples of attempts, and says where it departs from the contract.

`herobench suites --check NAME` and `herobench.check_suite` call it after `herobench.suite.check`, which played the
attempts. They are analyzed and reported as a file of samples is. The calls go through the boundary of `load_reading`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.report.write import report_runs, write_report
from herobench.analysis.samples.frame import frame_of, select_counted
from herobench.analysis.samples.sources import read_sources
from herobench.data.columns import SAMPLE, blank, record
from herobench.data.documents import schema_problems
from herobench.data.rows import write_rows
from herobench.suite.check import Findings

_COMMON = {"schema": 2, "status": "ok", "model": "check", "calls": 1, "retries": 0, "seconds": 0.0}


def look_at_reading(findings: Findings, suite: str, attempts: Sequence[Mapping[str, Any]]) -> None:
    """Note where the reading of a suite departs from the contract. `attempts` have what samples have of attempts."""
    rows = [{**blank(SAMPLE), **_COMMON, **attempt, "epoch": epoch} for epoch, attempt in enumerate(attempts)]
    with tempfile.TemporaryDirectory() as folder, findings.guard("reading", "a reading of all samples"):
        file = Path(folder, "samples.jsonl")
        write_rows(file, rows)
        reading = load_reading(suite)
        _look_at_details(findings, reading, attempts)
        samples = frame_of([file])
        _look_at_names(findings, reading, samples)
        for ask in (reading.remarks, reading.tables, reading.profiles):
            ask(select_counted(samples))
        write_report(Path(folder, "page.html"), report_runs(read_sources([file], twice=True)))


def _look_at_details(findings: Findings, reading: Reading, attempts: Sequence[Mapping[str, Any]]) -> None:
    """Hold the details of attempts against the columns that are declared; the analysis looks at their types alone."""
    schema = json.dumps(record(reading.columns))
    for attempt in attempts if reading.columns else ():
        for problem in schema_problems(attempt["details"], schema, "details"):
            findings.add(f"grade: details{problem.path[1:]}", problem.expected, problem.found)


def _look_at_names(findings: Findings, reading: Reading, samples: Any) -> None:
    """Compare what is declared with what occurs."""
    names_by_column = {"cause": reading.causes, "failure": reading.failures}
    for column, names in names_by_column.items():
        for name in samples[column].dropna().unique() if names else ():
            if name not in names:
                findings.add(f"reading: {column}s", f"all that occur, such as {', '.join([*names][:3])}", name)
    settings = {"length": reading.length, "actions": reading.actions, "naming": reading.naming, "lane": reading.lane}
    for member, fact in settings.items():
        if fact is not None and fact not in samples:
            findings.add(f"reading: {member}", "the name of a fact", fact)
