"""The suite journey's part of a sample's page: the plan on its road, and what its misjudged decisions cost.

The page walks the plan again by the rules of the road, so it is given the road and what the attempt's events say, and
no state of the hero. The scripts that walk and draw belong to the page at which people play, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.analysis.reading.contract import Panel, page_files
from herobench.analysis.samples.samples import Sample
from herobench.data.options import options_in, read_options
from herobench.prompts.rpg.journey.telling import WORDS, opening
from herobench.suites.rpg.journey.columns import JourneyStyle
from herobench.suites.rpg.journey.plan import as_code
from herobench.suites.rpg.journey.task import JOURNEYS, Journey

_SUITE_PAGE, _OWN_PAGE = "herobench.suites.rpg.journey", "herobench.analysis.suites.rpg"
SCRIPT = page_files(_SUITE_PAGE, "files/walk.js", "files/region.js") + page_files(_OWN_PAGE, "journey.js")
"""The JavaScript of the panel, for the reading."""
STYLE = page_files(_SUITE_PAGE, "files/region.css") + page_files(_OWN_PAGE, "journey.css")
_SETTINGS = tuple(field.name for field in options_in(JourneyStyle))


@dataclass(frozen=True)
class JourneyPanel(Panel):
    """The panels of one run, with its journeys and the way in which they were asked."""

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
        if self.identity.get("prompts") not in (None, WORDS.digest()):
            return None
        settings = {name: self.identity[name] for name in _SETTINGS if name in self.identity}
        return opening(journey.road, read_options(JourneyStyle, settings).lane, journey.plan)

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return why a sample has no walk; nothing if it has one, since its events and its task tell it."""
        if sample["events"] is None:
            return {"no_replay": "This sample has no events."}
        journey = self.journeys.get(sample["task_id"])
        if journey is None:
            return {"no_replay": "The task of this sample is not among those that the report was given."}
        return {"no_replay": "The walks of a policy are not drawn."} if journey.road.has_chance else {}
