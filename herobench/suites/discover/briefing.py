"""What an agent that is made for the RPG may plan by: the told world with the differences that it states.

Plans are never tried out in the true world, except in the lane `told`, which tells all differences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from herobench.prompts.discover.telling import believed_rules, form_question
from herobench.sandbox import Sandbox
from herobench.suites.discover.game.families import Change
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.play.briefing import Briefing, PartResult, Unexplored


class BelievedBriefing(Briefing):
    """What is told of a task, in a world with some differences."""

    def __init__(self, mystery: Mystery, changes: Collection[Change]) -> None:
        super().__init__(Sandbox(*mystery.with_changes(changes)), mystery.task)
        self._changes = changes

    @cached_property
    def facts(self) -> Mapping[str, str]:
        """What prompts are filled with. Records are those of the believed world, and rules that differ are told."""
        facts, rules = super().facts, believed_rules(self._changes)
        return {**facts, **{name: f"{facts[name]}{rules}" for name in ("actions", "fights")}}

    def try_out(self, plan: str, before: Iterable[Action] = ()) -> PartResult:
        """Try a plan out in the believed world. Its process ends at once: nobody closes a briefing."""
        with self._sandbox:
            return super().try_out(plan, before)


class MysteryBriefing(Unexplored):
    """The briefing of a mystery before and while it is explored."""

    def __init__(self, mystery: Mystery) -> None:
        self._mystery = mystery

    @property
    def form(self) -> str:
        """The question in what the world differs."""
        return form_question()

    def believed(self, stated: Iterable[Mapping[str, Any]]) -> tuple[Briefing, Sequence[Mapping[str, Any]]]:
        """Return the briefing of the told world with stated differences, and those that cannot be, or not together."""
        possible = {change.plain: (change, site) for site in self._mystery.sites for change in site.rivals}
        taken, wrong, used = list[Change](), list[Mapping[str, Any]](), set[str]()
        for row in stated:
            change, site = possible.get(Change(row["family"], row["subject"], row["value"]).plain, (None, None))
            things = {*site.things} or {site.family} if site else set[str]()
            if change is None or things & used:
                wrong.append(row)
                continue
            taken.append(change)
            used |= things
        return BelievedBriefing(self._mystery, taken), wrong
