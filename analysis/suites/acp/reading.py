"""The reading of the suite acp: which of its columns the tables show, and the panel of a question in the report.

The analysis and the report call it by its entry point. It reads stored samples only: it grades nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

from herobench.analysis.reading.contract import Panel, Probes, Reading, page_files
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.samples.samples import Sample
from herobench.analysis.statistics.rates import measure_success
from herobench.analysis.suites.acp.panel import QuestionPanel
from herobench.data.columns import TEXT, Column, optional
from herobench.suites.acp.columns import DETAILS
from herobench.suites.acp.questions.questions import TASKS
from herobench.suites.acp.questions.sound import Failure

if TYPE_CHECKING:
    import pandas as pd


GRADINGS = ("reference", "sound")


def accuracy(samples: pd.DataFrame, grading: str) -> Estimate:
    """Return the share of measured samples that a grading accepts. Undecided samples are left out."""
    decided = samples[samples.measured & samples[grading].notna()]
    return measure_success(list(decided.task_id), [float(score) for score in decided[grading]])


def rows_by(samples: pd.DataFrame, column: str) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each value of a column, with the accuracy under both gradings and the mean Jaccard index."""
    for value, part in samples.groupby(column, sort=True):
        known = part.jaccard.dropna()
        yield {
            column: str(value),
            **{grading: asdict(accuracy(part, grading)) for grading in GRADINGS},
            "jaccard": float(known.mean()) if len(known) else None,
        }


def accuracy_profiles(samples: pd.DataFrame) -> dict[str, dict[str, Estimate]]:
    """Return the accuracy at each kind of question that was asked, in the order of the paper, by grading.

    A grading that decides nothing is left out: no harness is published for questions about the hero's world.
    """
    kinds = {kind: part for kind in TASKS if len(part := samples[samples.kind == kind])}
    decided = [grading for grading in GRADINGS if samples[grading].notna().any()]
    return {
        f"{grading} grading": {kind: accuracy(part, grading) for kind, part in kinds.items()} for grading in decided
    }


_KEPT = (
    "domain", "rpg_task", "rpg_digest", "rpg_group", "split", "form", "shots", "thought",
    "label_right", "reference", "sound", "jaccard", "removed", "removable", "twin_of",
)  # fmt: skip
"""Columns of `details` that are facts as they are."""


class AcpReading(Reading):
    """The reading of the suite acp."""

    columns = DETAILS
    fact_columns = (Column("kind", optional(TEXT), "The kind of question, such as app."),)
    task_key = ("task", "split", "domain", "id")
    group = "kind"
    groupings = ("domain", "rpg_group", "split", "form", "shots", "thought", "label_right")
    settings = MappingProxyType({"form": "forms", "shots": "numbers of examples", "thought": "ways to think"})
    failures = get_args(Failure)
    words = MappingProxyType(
        {
            "format": "no answer of the right form",
            "invented_atom": "invented proposition",
            "false_none": "None, though there is an answer",
            "missed_none": "an answer, though None is right",
            "wrong_value": "right facts, wrong values",
            "static_atom": "static proposition",
            "not_offered": "none of what is offered",
            "no_plan": "not a plan",
            "no_landmark": "not a landmark",
        }
    )
    probes = Probes(
        suite="rpg",
        skill="kind",
        right="sound",
        task="rpg_task",
        digest="rpg_digest",
        group="rpg_group",
        chains=(("app", "prog", "val", "just"), ("reach", "areach", "land"), ("nexta",)),
        policy="nexta",
        chosen_right=("wrong_length",),
    )
    listed = MappingProxyType({"domain": "Domain", "reference": "Reference", "sound": "Sound"})

    def __init__(self) -> None:
        self.script = page_files("herobench.analysis.suites.acp", "state.js", "panel.js")
        self.style = page_files("herobench.analysis.suites.acp", "style.css")

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the suite's columns of the tidy table."""
        # the report has the id of a sample as its task
        return {"kind": sample["details"].get("task"), **{name: sample["details"].get(name) for name in _KEPT}}

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return the accuracy of a run under both gradings."""

        told = {f"{grading} accuracy": accuracy(samples, grading).share_text() for grading in GRADINGS}
        return {label: words for label, words in told.items() if words}

    def tables(self, samples: pd.DataFrame) -> Mapping[str, Any]:
        """Return the accuracy by task and by domain under both gradings."""

        return {f"by_{column}": list(rows_by(samples, column)) for column in ("kind", "domain")}

    def profiles(self, samples: pd.DataFrame) -> Mapping[str, Mapping[str, Estimate]]:
        """Return the accuracy by task, under each grading."""

        return accuracy_profiles(samples)

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> Panel:
        """Return the panel that shows questions and grades, with the questions of the run."""
        return QuestionPanel.of_run(folder, manifest) if folder and manifest else Panel()
