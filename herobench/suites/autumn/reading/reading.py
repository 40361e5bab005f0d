"""The reading of the suite autumn: its columns, means of scores and of exploration, and its part of a sample's page.

The analysis and the report call it by its entry point. It reads stored samples only: it judges nothing. A mean is over
environments, each with the same weight. They count as drawn from all possible ones, so intervals are over environments.
The baseline is the 80th percentile of the attempts at each challenge, as published for people.

The page has the replay of the grid, with the goal or the choices beside it. The sample keeps the frames, so no program
runs here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, pairwise
from math import ceil, inf
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

from herobench.analysis.reading.contract import Panel, Reading, page_files
from herobench.analysis.reading.interval import Estimate, by_task, mean_of_means
from herobench.analysis.samples.samples import Sample
from herobench.analysis.statistics.findings import measured_numbers
from herobench.data.columns import TEXT, Column, names, optional
from herobench.data.documents import schema_problems
from herobench.data.options import options_in
from herobench.suites.autumn.episode.challenge import (
    CATEGORIES,
    Challenge,
    Detection,
    Planning,
    Prediction,
    read_challenges,
)
from herobench.suites.autumn.episode.columns import DETAILS, FIGURES
from herobench.suites.autumn.episode.figures import Failure, effective_actions
from herobench.suites.autumn.episode.options import MODES, PAGE, ChallengeStyle, read_choice
from herobench.suites.autumn.episode.phase import HIDDEN, RESET, Grid, hide_free_cells
from herobench.suites.autumn.episode.picture import paint
from herobench.suites.autumn.prompts.telling import words_digest
from herobench.suites.autumn.suite import AutumnAttempt

if TYPE_CHECKING:
    import pandas as pd

ENVIRONMENT = "environment"
SCORE = "task_score"
SPLITS = ("family", "category", "chance", ENVIRONMENT)
REPLAY = "replay_lcs"
EXPLORATION = (
    "interaction_steps", "distinct_actions", "click_share", "arrow_share", "noop_share", "reset_share", "resets",
    REPLAY, "perplexity_auc", "perplexity_last", "perplexity_share_auc", "perplexity_share_last",
)  # fmt: skip
_RANGES: Mapping[str, tuple[float, float]] = {
    "reference_reward": (-1.0, 1.0),
    **dict.fromkeys(("interaction_steps", "distinct_actions", "resets"), (0.0, inf)),
}
"""The ranges of the figures whose range is not 0 to 1."""
_SHARE_OF_BASELINE = 0.8


def environment_mean(samples: pd.DataFrame, column: str = SCORE) -> Estimate:
    """Return the mean over environments of their means. Samples without a value are left out."""
    least, most = _RANGES.get(column, (0.0, 1.0))
    return mean_of_means(samples[ENVIRONMENT], measured_numbers(samples, column), least=least, most=most)


def by_category(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the mean score in each category that was played, in the order of the paper."""
    parts = {category: samples[samples.category == category] for category in CATEGORIES}
    return {category: environment_mean(part) for category, part in parts.items() if len(part)}


def mean_baseline(samples: pd.DataFrame) -> Estimate:
    """Return the mean of the 80th percentiles of the scores, one of each challenge."""
    scores = by_task(samples.task_id, measured_numbers(samples, SCORE))
    environments = dict(zip(samples.task_id, samples[ENVIRONMENT], strict=True))
    best = map(_percentile, scores.values())
    return mean_of_means((environments[task] for task in scores), best)


def _percentile(scores: list[float]) -> float:
    """Return the least score that 80 % of the scores do not exceed."""
    return sorted(scores)[ceil(_SHARE_OF_BASELINE * len(scores)) - 1]


def build_tables(samples: pd.DataFrame) -> dict[str, Any]:
    """Return all of it as plain data."""
    return {
        "scores": {f"by_{split}": list(_rows_by(samples, split)) for split in SPLITS}
        | {"all": asdict(environment_mean(samples))},
        "baseline": {"percentile": 80, **asdict(mean_baseline(samples))},
        "exploration": {name: asdict(environment_mean(samples, name)) for name in EXPLORATION},
    }


def _rows_by(samples: pd.DataFrame, split: str) -> Iterator[dict[str, Any]]:
    for value, part in samples.groupby(split, sort=True):
        rewards = environment_mean(part, "reference_reward")
        yield {split: str(value), **asdict(environment_mean(part)), "reference_reward": rewards.estimate}


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
        "most_resets": "limits of resets",
    }
)


def replay_lcs(events: Mapping[str, Any] | None) -> float | None:
    """Return how far a player repeats after a reset what it did before; None if no reset stands between actions.

    For each reset, the longest common subsequence of the actions since the reset before and of those up to the next
    one, over the length of the shorter of the two; then the mean over resets.
    """
    try:
        actions = effective_actions(events["phases"][0]["turns"]) if events else ()
    except (LookupError, TypeError):  # rows of other programs
        return None
    runs = [list(run) for is_reset, run in groupby(actions, lambda action: action == RESET) if not is_reset]
    shares = [_common(one, other) / min(len(one), len(other)) for one, other in pairwise(runs)]
    return fmean(shares) if shares else None


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for action in one:
        before = 0
        for place, another in enumerate(other, 1):
            before, row[place] = row[place], before + 1 if action == another else max(row[place], row[place - 1])
    return row[-1]


class AutumnReading(Reading):
    """The reading of the suite autumn."""

    columns = DETAILS
    fact_columns = (
        Column("chance", optional(TEXT), "Whether the world has chance: stochastic or deterministic."),
        Column(REPLAY, optional({"type": "number"}), "How far resets are followed by the actions before them: 0 to 1."),
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
        self.script = page_files("herobench.suites.autumn.reading", "panel.js")
        self.style = page_files("herobench.suites.autumn.reading", "style.css")

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the suite's columns of the tidy table."""
        details = sample["details"]
        chance = {True: "stochastic", False: "deterministic"}.get(details.get("stochastic"))
        settings = {name: details.get(name) for name in _SETTINGS}
        return {
            "family": details.get("family"),
            "environment": details.get("environment"),
            "category": details.get("category"),
            "chance": chance,
            # settings are compared as texts
            **{name: None if value is None else str(value) for name, value in settings.items()},
            **{name: details.get(name) for name in names(FIGURES)},
            REPLAY: replay_lcs(sample["events"]),
        }

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return the mean scores of a run, and how it explored."""
        scores: dict[str, str] = {}
        for split in ("family", "chance"):
            scores |= {str(value): environment_mean(part).text() for value, part in samples.groupby(split)}
        for label, column in (("resets", "resets"), ("replay LCS", REPLAY), ("(PP-1)/(K-1)", "perplexity_auc")):
            mean = environment_mean(samples, column).estimate
            scores[label] = "" if mean is None else f"{mean:.2f}"
        return {label: words for label, words in scores.items() if words}

    def tables(self, samples: pd.DataFrame) -> Mapping[str, Any]:
        """Return mean scores by family, category, chance and environment, the baseline, and the exploration."""
        return {"worlds": build_tables(samples)}

    def profiles(self, samples: pd.DataFrame) -> Mapping[str, Mapping[str, Estimate]]:
        """Return the mean score in each category."""
        return {"scores": by_category(samples)}

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> WorldPanel:
        """Return the panel that replays grids, with the challenges of the run; a file of rows has none."""
        return WorldPanel.of_run(folder, manifest) if folder and manifest else WorldPanel({}, {})


_TOLD = ("mode", *(field.name for field in options_in(ChallengeStyle)))


@dataclass(frozen=True)
class WorldPanel(Panel):
    """The panels of one run, with its challenges and the way in which they were told."""

    challenges: Mapping[str, Challenge]
    identity: Mapping[str, str]
    """The settings that run.json keeps because results depend on them, such as the digest of the world."""

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> WorldPanel:
        """Read the challenges that a run's folder keeps. Raise InputError if they cannot be read."""
        tasks = folder / "tasks.jsonl"
        return cls(read_challenges(tasks) if tasks.exists() else {}, manifest["config"]["identity"])

    @property
    def given(self) -> Mapping[str, str]:  # type: ignore[override]
        """The settings of the run."""
        return {name: self.identity[name] for name in _TOLD if name in self.identity}

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the opening of an episode, the grids of its test, and the programs."""
        challenge = self.challenges.get(task_id)
        if challenge is None:
            return None
        test = challenge.test
        return {
            "prompt": self._prompt(challenge),
            "title": challenge.title,
            "program": challenge.program,
            "changed": test.changed if isinstance(test, Detection) else None,
            "goal": _paint(hide_free_cells(test.goal, test.mask)) if isinstance(test, Planning) else None,
            "choices": [_paint(choice) for choice in test.choices] if isinstance(test, Prediction) else None,
        }

    def _prompt(self, challenge: Challenge) -> str | None:
        """Return the opening; None for a page, or if the run had other words than this version."""
        choice, style = read_choice({"mode": MODES[0], **self.given})
        if choice.mode == PAGE or self.identity.get("prompts") not in (None, words_digest(style)):
            return None
        opening = AutumnAttempt(challenge, choice.mode, style).messages
        return "\n\n".join(f"[{message.role}]\n{message.text}" for message in opening)

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return the colours of the frames, in the order in which the events name them; None without sound frames."""
        events = sample["events"]
        return {"paint": list(map(_color, events["colors"])) if events and _is_sound(events) else None}


def _is_sound(events: Mapping[str, Any]) -> bool:
    """Return whether each frame has as many cells as its size says."""
    if schema_problems(events, "autumn-events", "events"):
        return False
    sizes = [(phase["size"], phase["first"]) for phase in events["phases"]]
    turns = (turn for phase in events["phases"] for turn in phase["turns"] if "size" in turn)
    sizes += [(turn["size"], turn.get("changes", [0, ""])[-1]) for turn in turns]
    return all(size * size == len(str(frame)) for size, frame in sizes)


def _paint(grid: Grid) -> list[list[str]]:
    return [list(map(_color, row)) for row in grid]


def _color(name: object) -> str:
    """Return a colour for the page; empty for a hidden cell."""
    return "" if name == HIDDEN else f"#{paint(str(name))}"
