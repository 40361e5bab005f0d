"""The reading of the suite discover: its columns, groups and failures. The two lanes set what finding costs.

The analysis calls it by its entry point. Runs in the lanes `found` and `told` are never ranked together; what their
horizons differ by is what it costs that the differences had to be found.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.contract import Reading, page_files
from herobench.analysis.suites.discover.panel import MysteryPanel
from herobench.analysis.suites.rpg.reading import SCRIPTS
from herobench.data.columns import COUNT, TEXT, Column, names, optional
from herobench.suites.discover.game.columns import DETAILS, FAILURES, FIGURES
from herobench.suites.discover.game.options import LANES

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from herobench.analysis.samples.samples import Sample

_FACTS = (
    "mode", "told", "disclosure", "goal", "changes", "facts", "decisions", "oracle_actions", "goals", "twin_of",
)  # fmt: skip
_PLANS, _PACKAGE = "herobench.analysis.suites.rpg", "herobench.analysis.suites.discover"
"""The packages with the page's files: plans are shown as in the role-playing game."""
_MEANS = MappingProxyType(
    {
        "decisive": "actions to the first decisive one",
        "told_nothing": "actions that told nothing",
        "resets": "resets",
    }
)


class DiscoverReading(Reading):
    """The reading of the suite discover."""

    columns = DETAILS
    fact_columns = (
        Column("families", TEXT, "The families of what differs, with commas between them."),
        Column("changed", COUNT, "How many things differ."),
        Column(
            "stated_share", optional({"type": "number"}), "The share of the differences that the form states rightly."
        ),
    )
    task_key = ("id",)
    group = "changed"
    length = "decisions"
    actions = "oracle_actions"
    groupings = ("families", "facts", "disclosure", "goal")
    settings = MappingProxyType(
        {"told": "lanes", "disclosure": "ways to tell what may differ", "goal": "times to tell the goal"}
    )
    separates = ("told",)
    told = "told"
    lanes = LANES
    failures = FAILURES
    words = MappingProxyType(
        {
            "no_plan": "no plan",
            "believed": "right if all were as told",
            "plan": "a plan that wins in neither world",
            "changed": "things that differ",
        }
    )
    listed = MappingProxyType(
        {"changes": "Differ", "explored": "Actions", "resets": "Resets", "stated_right": "Stated"}
    )

    def __init__(self) -> None:
        self.script = page_files(_PLANS, *SCRIPTS) + page_files(_PACKAGE, "panel.js")
        self.style = page_files(_PLANS, "style.css") + page_files(_PACKAGE, "style.css")

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> MysteryPanel:
        """Return the panel that shows explorations and replays plans; a file of rows has no mysteries."""
        return MysteryPanel.of_run(folder, manifest) if folder and manifest else MysteryPanel({}, {})

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the suite's columns of the tidy table."""
        details = sample["details"]
        stated, changes = details.get("stated_right"), details.get("changes")
        return {
            **{name: details.get(name) for name in (*_FACTS, *names(FIGURES))},
            "changed": changes,
            "families": ", ".join(details.get("families") or ()),
            "stated_share": None if stated is None or not changes else stated / changes,
        }

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return what the exploration cost on average, and how many differences the forms state rightly."""
        found: dict[str, str] = {}
        for name, label in _MEANS.items():
            values = samples[name].dropna()
            if len(values):
                found[label] = f"{float(values.mean()):.1f} (mean of {len(values)})"
        if len(shares := samples["stated_share"].dropna()):
            found["differences stated rightly"] = f"{100 * float(shares.mean()):.1f} %"
        return found
