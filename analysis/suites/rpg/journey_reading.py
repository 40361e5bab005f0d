"""The reading of the suite journey: columns, causes, figures of plans that are graded by their time, and its panel.

Runs in the lanes `plan`, `fights` and `steps` are never ranked together. What the horizons of the first two differ by
is what arithmetic costs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.contract import Found, GroupNames, Panel, Reading, page_files
from herobench.analysis.samples.samples import Sample
from herobench.data.columns import TEXT, Column, names, optional
from herobench.data.options import options_in, read_options
from herobench.prompts.rpg.journey.telling import opening, words_digest
from herobench.suites.rpg.journey.columns import DETAILS, ENDS, FAILURES
from herobench.suites.rpg.journey.options import FEEDBACK, LANES, JourneyStyle
from herobench.suites.rpg.journey.plan import as_code, luck_seeds, most_parts
from herobench.suites.rpg.journey.task import JOURNEYS, Journey
from herobench.suites.rpg.journey.walk import Draw, Refused, draw_luck, walk

if TYPE_CHECKING:
    import pandas as pd

_LISTS = {"sights": "sight_times", "reaches": "decision_reaches"}
"""Columns that are lists, and the facts that have them as text."""
_FACTS = tuple(name for name in names(DETAILS) if name not in {"schema", "told", *_LISTS})
_REFUSALS = {refusal.value: refusal.name.lower() for refusal in Refused}
_NUMBERS = "with spaces between them"
_SUITE_PAGE, _OWN_PAGE = "herobench.suites.rpg.journey", "herobench.analysis.suites.rpg"
SCRIPT = page_files(_SUITE_PAGE, "files/walk.js", "files/region.js") + page_files(_OWN_PAGE, "journey.js")
"""The JavaScript of the panel, for the reading."""
STYLE = page_files(_SUITE_PAGE, "files/region.css") + page_files(_OWN_PAGE, "journey.css")
_SETTINGS = tuple(field.name for field in options_in(JourneyStyle))


@dataclass(frozen=True)
class JourneyPanel(Panel):
    """The panels of one run: the plan of a sample on its road, and what its misjudged decisions cost.

    The page walks the plan again by the rules of the road, so it is given the road and what the attempt's events say,
    and no state of the hero. The scripts that walk and draw belong to the page at which people play, too.
    """

    journeys: Mapping[str, Journey]
    identity: Mapping[str, str]
    """The settings that run.json keeps because results depend on them, such as the digest of the words."""

    @classmethod
    def of_run(cls, folder: Path | None, manifest: Mapping[str, Any] | None) -> JourneyPanel:
        """Read the journeys that a run's folder keeps. A file of rows has none. Raise InputError for wrong ones."""
        if folder is None or manifest is None:
            return cls({}, {})
        tasks = folder / "tasks.jsonl"
        return cls(JOURNEYS.in_file(tasks) if tasks.exists() else {}, manifest["config"]["identity"])

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the prompt of a journey, its road, and without chance the plan of its certificate."""
        journey = self.journeys.get(task_id)
        if journey is None:
            return None
        return {
            "prompt": self._prompt(journey),
            "road": journey.road.as_row(),
            "certificate": None if journey.road.has_chance else as_code(journey.plan),
        }

    def _prompt(self, journey: Journey) -> str | None:
        """Return the prompt; None if the run had other words than this version."""
        settings = {name: self.identity[name] for name in _SETTINGS if name in self.identity}
        style = read_options(JourneyStyle, settings)
        if self.identity.get("prompts") not in (None, words_digest(style.mode)):
            return None
        parts = most_parts(journey.road) if style.mode == FEEDBACK else None
        return opening(journey.road, style.lane, journey.plan, parts)

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return why a sample has no walk, and of the kept walk of a policy the draw of each action. Of a plan nothing:
        its events and its task tell its walk."""
        if sample["events"] is None:
            return {"no_replay": "This sample has no events."}
        journey = self.journeys.get(sample["task_id"])
        if journey is None:
            return {"no_replay": "The task of this sample is not among those that the report was given."}
        return {"draws": _draws(journey, sample["events"])} if journey.road.has_chance else {}


def _draws(journey: Journey, events: Mapping[str, Any]) -> list[Draw]:
    """Return what was drawn for each action of the walk that the events of a policy keep."""
    luck = luck_seeds(journey.id)[events["walk"] - 1]
    steps = walk(journey.road, list(map(tuple, events["actions"])), luck).steps
    return [draw_luck(luck, step.before, step.call) for step in steps]


class JourneyReading(Reading):
    """The reading of the suite journey."""

    columns = DETAILS
    fact_columns = (
        Column(
            "lane", optional(TEXT), "What the prompt told: plan (numbers), fights (their costs) or steps (a best plan)."
        ),
        Column("kind", TEXT, "The dials but for the length, such as `maps, width 2, reach 2`."),
        Column(
            "sight_times", optional(TEXT), f"The times of the planners that see 1, 2, 3 and more regions, {_NUMBERS}."
        ),
        Column(
            "decision_reaches",
            optional(TEXT),
            f"The decisions that have the reach 1, 2, 3 and more, {_NUMBERS}; null without regrets.",
        ),
        Column("mistakes_by_reach", optional(TEXT), f"The reach of each mistake, {_NUMBERS}; null without regrets."),
        Column("thought", optional({"type": "number"}), "The tokens of the replies for each region of the road."),
    )
    task_key = ("id",)
    pairs_by_row = True
    group = "regions"
    length = "regions"
    ranked_by = "between_mistakes"
    easier = "--dataset base --difficulty 1"
    actions = "oracle_actions"
    groupings = ("sites", "width", "reach", "chance", "kind")
    settings = MappingProxyType({"lane": "lanes", "mode": "modes", "sites": "kinds of sites"})
    separates = ("lane", "mode")
    lane = "lane"
    lanes = LANES
    failures = FAILURES
    causes = MappingProxyType(
        {
            **{name: f"The action was refused: {reason}." for reason, name in _REFUSALS.items()},
            "no_plan": "The reply has no plan.",
            "rejected": "The plan holds more than calls of actions, or the policy what none may hold.",
            "failed": "The policy raised an error, or took too many steps.",
            "stopped": "The plan ends before the last gate.",
            "slower": "The plan arrives, and takes more than the least time.",
        }
    )
    words = MappingProxyType(
        {
            "between_mistakes": "decisions between mistakes",
            "hand": "all at hand",
            "lost": "not the best",
            "rejected": "more than calls",
            "stopped": "ends too early",
        }
    )
    listed = MappingProxyType({"time": "Time", "least": "Least", "mistakes": "Mistakes", "regret": "Regret"})

    script, style = SCRIPT, STYLE

    def group_names(self, groups: Collection[str]) -> GroupNames:
        """Return the lengths of roads without their unit, which stands above them."""
        return GroupNames("regions", {group: group.removesuffix(" regions") for group in groups})

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> JourneyPanel:
        """Return the panel that walks plans again, with the journeys of the run."""
        return JourneyPanel.of_run(folder, manifest)

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the suite's columns of the tidy table."""
        details, mistakes = sample["details"], (sample["events"] or {}).get("mistakes")
        tokens, regions = sample["output_tokens"], details.get("regions")
        return {
            **{name: details.get(name) for name in _FACTS},
            "lane": details.get("told"),
            "kind": _kind(details),
            **{fact: _numbers_text(details.get(name)) for name, fact in _LISTS.items()},
            "mistakes_by_reach": _numbers_text(None if mistakes is None else [each["reach"] for each in mistakes]),
            "thought": None if tokens is None or not regions else tokens / regions,
        }

    def cause(self, sample: Sample) -> Found | None:
        """Return how the plan ended, or that it takes too long; for a refusal its reason, and the thing in question."""
        details = sample["details"]
        ending = details.get("ended")
        if ending not in ENDS or sample["won"] is not False:
            return None
        line = details["end_line"]
        if ending == "arrived":
            return Found("slower")
        if ending != "refused":
            return Found(ending, line)
        call, _, reason = details["end_reason"].rpartition(": ")  # a value of the call may hold the same
        return Found(_REFUSALS.get(reason, ending), line, next(iter(call.split(" ")[1:]), None))

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return the figures of a run in words."""
        from herobench.analysis.suites.rpg.journey_figures import figure_words

        return figure_words(samples)

    def ranked_words(self, facts: Iterable[Mapping[str, Any]]) -> str:
        """Return the decisions between mistakes of a run in words."""
        from herobench.analysis.suites.rpg.journey_figures import between_words

        return between_words(facts)

    def tables(self, samples: pd.DataFrame) -> Mapping[str, Any]:
        """Return the figures of a run, also by the length of the road and by reach."""
        from herobench.analysis.suites.rpg.journey_figures import build_tables

        return build_tables(samples)


def _kind(details: Mapping[str, Any]) -> str:
    kind = f"{details.get('sites')}, width {details.get('width')}, reach {details.get('reach')}"
    return f"{kind}, chance" if details.get("chance") == "on" else kind


def _numbers_text(numbers: Any) -> str | None:
    return None if numbers is None else " ".join(map(str, numbers))
