"""The reading of the suite autumn: its columns and tables, and the panel that replays grids.

The analysis and the report call it by its entry point. It reads stored samples only: it judges nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

from herobench.analysis.reading.contract import Reading
from herobench.analysis.samples.samples import Sample
from herobench.analysis.suites.autumn.panel import WorldPanel
from herobench.data.columns import TEXT, Column, names, optional
from herobench.suites.autumn.episode.columns import DETAILS, FIGURES
from herobench.suites.autumn.episode.figures import Failure

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.interval import Estimate

_SETTINGS = MappingProxyType(
    {
        "mode": "modes",
        "observation": "forms of observations",
        "prompt": "prompts",
        "disclosure": "ways to tell the test",
        "window": "windows",
        "steps": "limits of the interaction",
        "total": "limits of the episode",
        "stack": "ways to stack frames",
        "span": "windows of the perplexity",
        "pace": "paces",
    }
)


class AutumnReading(Reading):
    """The reading of the suite autumn."""

    columns = DETAILS
    fact_columns = (
        Column("chance", optional(TEXT), "Whether the world has chance: stochastic or deterministic."),
        # settings are texts
        *(Column(column.name, optional(TEXT), column.about) for column in DETAILS if column.name in _SETTINGS),
    )
    task_key = ("id",)
    group = "family"
    groupings = ("environment", "category", "chance", "ending", "mode", "observation", "prompt")
    settings = _SETTINGS
    failures = get_args(Failure)
    words = MappingProxyType(
        {
            "wrong_choice": "another choice was right",
            "too_early": "a frame before the change",
            "no_change": "announced before there was a change",
            "gave_up": "quit the test",
            "program": "the program failed",
        }
    )
    profiled = "Mean score by category"
    listed = MappingProxyType({"environment": "Environment", "ending": "Ending", "interaction_steps": "Interaction"})

    def __init__(self) -> None:
        self.script = _file("panel.js")
        self.style = _file("style.css")

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the suite's columns of the tidy table."""
        details = sample["details"]
        chance = {True: "stochastic", False: "deterministic"}.get(details.get("stochastic"))
        told = {name: details.get(name) for name in _SETTINGS}
        return {
            "family": details.get("family"),
            "environment": details.get("environment"),
            "category": details.get("category"),
            "chance": chance,
            # settings are compared as texts
            **{name: None if value is None else str(value) for name, value in told.items()},
            **{name: details.get(name) for name in names(FIGURES)},
        }

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return the mean scores of a run, and how it explored."""
        from herobench.analysis.suites.autumn.figures import in_words, mean_of, number

        told: dict[str, str] = {}
        for split in ("family", "chance"):
            told |= {str(value): in_words(mean_of(part)) for value, part in samples.groupby(split)}
        told["resets"] = number(mean_of(samples, "resets"))
        told["(PP-1)/(K-1)"] = number(mean_of(samples, "perplexity_auc"))
        return {label: words for label, words in told.items() if words}

    def tables(self, samples: pd.DataFrame) -> Mapping[str, Any]:
        """Return mean scores by family, category, chance and environment, the baseline, and the exploration."""
        from herobench.analysis.suites.autumn.figures import tables_of

        return {"worlds": tables_of(samples)}

    def profiles(self, samples: pd.DataFrame) -> Mapping[str, Mapping[str, Estimate]]:
        """Return the mean score in each category."""
        from herobench.analysis.suites.autumn.figures import by_category

        return {"scores": by_category(samples)}

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> WorldPanel:
        """Return the panel that replays grids, with the challenges of the run; a file of rows has none."""
        return WorldPanel.of_run(folder, manifest) if folder and manifest else WorldPanel({}, {})


@cache
def _file(name: str) -> str:
    return files("herobench.analysis.suites.autumn").joinpath("page", name).read_text("utf-8")
