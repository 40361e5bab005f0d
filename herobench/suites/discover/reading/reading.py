"""The reading of the suite discover: its columns, groups and failures, and its part of a sample's page.

The analysis calls it by its entry point. Runs in the lanes `found` and `told` are never ranked together; what their
horizons differ by is what it costs that the secrets had to be found.

The page has what is hidden, the calls of each day with the worlds that they leave, and the plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.contract import Panel, Reading, page_files
from herobench.analysis.samples.samples import Sample
from herobench.data.columns import TEXT, Column, names
from herobench.suites.discover.game.columns import DETAILS, FAILURES, FIGURES, LANES
from herobench.suites.discover.game.mystery import MYSTERIES, Mystery
from herobench.suites.discover.prompts.telling import WORDS, opening, secret_sentences, told_plan

if TYPE_CHECKING:
    import pandas as pd

_FACTS = ("mode", "laws", "lands", "bits_hidden", "days", "expected_days", "twin_of")
_MEANS = MappingProxyType(
    {
        "bits": "bits learned",
        "excluded": "rival worlds ruled out, %",
        "days_used": "days used",
        "days_over": "days over the least expected",
        "told_nothing": "days that told nothing",
        "plan_chance": "chance of the plan by the answers, %",
    }
)


class DiscoverReading(Reading):
    """The reading of the suite discover."""

    columns = DETAILS
    fact_columns = (Column("lane", TEXT, "What the prompt told: found (nothing), or told (all that is hidden)."),)
    task_key = ("id",)
    group = "laws"
    length = "days"
    groupings = ("lands", "days")
    settings = MappingProxyType({"lane": "lanes"})
    separates = ("lane",)
    lane = "lane"
    lanes = LANES
    lane_work = "finding"
    failures = FAILURES
    words = MappingProxyType(
        {
            "no_plan": "no plan",
            "slip": "a plan that wins in no possible world",
            "refuted": "a plan that the answers rule out",
            "guess": "a guess among worlds that the answers leave",
        }
    )
    listed = MappingProxyType({"days_used": "Days", "bits": "Bits", "bits_left": "Bits left"})

    def __init__(self) -> None:
        # the marks of calls are those of the role-playing game
        self.script = page_files("herobench.analysis.suites.rpg", "step.js") + page_files(__package__ or "", "panel.js")
        self.style = page_files(__package__ or "", "style.css")

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> MysteryPanel:
        """Return the panel that shows explorations; a file of rows has no mysteries."""
        return MysteryPanel.of_run(folder, manifest) if folder and manifest else MysteryPanel({}, {})

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the suite's columns of the tidy table."""
        details = sample["details"]
        return {
            **{name: details.get(name) for name in (*_FACTS, *names(FIGURES))},
            "lane": details.get("told"),
        }

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return what the exploration told and took on average, and how many plans were sure."""
        values_by_label: dict[str, str] = {}
        for name, label in _MEANS.items():
            values = samples[name].dropna()
            if len(values):
                values_by_label[label] = f"{float(values.mean()):.1f} (mean of {len(values)})"
        return values_by_label


@dataclass(frozen=True)
class MysteryPanel(Panel):
    """The panels of one run, with its mysteries and the way in which they were asked."""

    mysteries: Mapping[str, Mystery]
    identity: Mapping[str, str]
    """The settings that run.json keeps because results depend on them."""

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> MysteryPanel:
        """Read the mysteries that a run's folder keeps. Raise InputError if they cannot be read."""
        tasks = folder / "tasks.jsonl"
        return cls(MYSTERIES.in_file(tasks) if tasks.exists() else {}, manifest["config"]["identity"])

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the opening of a mystery, what is hidden in it, and the plan of the certificate."""
        mystery = self.mysteries.get(task_id)
        if mystery is None:
            return None
        return {
            "prompt": self._prompt(mystery),
            "hidden": secret_sentences(mystery),
            "certificate": mystery.certificate.plan,
        }

    def _prompt(self, mystery: Mystery) -> str | None:
        """Return the opening; None if the run had other words than this version."""
        if self.identity.get("prompts") not in (None, WORDS.digest()):
            return None
        return told_plan(mystery) if self.identity.get("lane") == "told" else opening(mystery)

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return the possible worlds of the first land, or the reason why there is nothing to show."""
        mystery = self.mysteries.get(sample["task_id"])
        if sample["events"] is None:
            return {"no_replay": "This sample has no events."}
        if mystery is None:
            return {"no_replay": "The task of this sample is not among those that the report was given."}
        return {"worlds": mystery.laws[0].worlds}
