"""The agent a2 explores by its sub-agents, and plans in the told world with the differences that it states."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from herobench.agents.agent import Unfinished, build_agent
from herobench.conversation import Form, Message, Reply, Tool, ToolCall
from herobench.suite.contract import SuiteSetting
from herobench.suites.discover.attempt import BelievedBriefing, FoundAttempt, MysteryAttempt, MysteryBriefing
from herobench.suites.discover.game.columns import DiscoverStyle
from herobench.suites.discover.game.families import RULES_ALONE
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.discover.suite import Discover
from herobench.suites.rpg.agents.paper import A2
from herobench.suites.rpg.play.execution import as_answer
from tests.runs.trial import Trial
from tests.suites.discover.mysteries import some, with_family
from tests.suites.discover.test_no_leak import untried

MYSTERY = some(1, 40)[0]
TRUE = [change._asdict() for change in MYSTERY.changes]


class Team:
    """Answers each role: the analyst with findings, the experimenter with calls, the others with a plan."""

    def __init__(self, findings: Sequence[dict[str, Any]], replies: Sequence[Reply], code: str) -> None:
        self.asked: list[tuple[str, str]] = []
        self._findings, self._replies, self._code = list(findings), list(replies), code

    async def __call__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: Sequence[str] = (),
    ) -> Reply:
        assert role is not None
        self.asked += [(role, message.text) for message in messages]
        assert bool(tools) is (role == "experimenter")
        if role == "experimenter":
            return self._replies.pop(0) if self._replies else Reply("Done.")
        if form is None:
            return Reply(as_answer(self._code))
        subtask = {"do": "fight", "code": MYSTERY.task.target, "quantity": 1, "note": None}
        answers: dict[str, Any] = {
            "subtasks": {"subtasks": [subtask], "give_up": None},
            "judgement": {"accepted": True, "comments": None},
            "estimates": {"estimates": []},
            "decomposition": {"questions": [], "steps": ["Do all of it."]},
        }
        if form.name == "findings":
            return Reply(json.dumps(self._findings.pop(0) if len(self._findings) > 1 else self._findings[0]))
        return Reply(json.dumps(answers[form.name]))

    def questions(self, role: str) -> list[str]:
        return [text for asked, text in self.asked if asked == role]


def findings(*differences: dict[str, Any], enough: bool = True) -> dict[str, Any]:
    return {"differences": differences, "enough": enough, "experiment": None if enough else "Look around."}


def calls(*named: tuple[str, dict[str, Any]]) -> Reply:
    return Reply("", tuple(ToolCall(f"c{n}", name, json.dumps(given)) for n, (name, given) in enumerate(named)))


def play(
    team: Team, mystery: Mystery = MYSTERY, ends: bool = True, style: DiscoverStyle | None = None
) -> MysteryAttempt:
    attempt = FoundAttempt(mystery, style or DiscoverStyle())
    if ends:
        asyncio.run(A2().play(attempt, team))
    else:
        with pytest.raises(Unfinished):
            asyncio.run(A2().play(attempt, team))
    return attempt


@pytest.mark.parametrize("lane", ["found", "told"])
def test_players_win_behind_a2(lane: str, tmp_path: Path) -> None:
    for player in ("oracle", "experimenter"):
        suite = Discover(SuiteSetting(options={"lane": lane}), {each.id: each for each in some(2, 12)})
        (folder := tmp_path / player).mkdir()
        trial = Trial(folder, suite, suite.player(player), build_agent("a2"))
        trial.work()
        assert [row["won"] for row in trial.samples] == [True, True]
        assert [row["unfinished"] for row in trial.samples] == [None, None]
        trial.assert_whole()
        for row in trial.samples if lane == "found" else ():
            assert row["details"]["named"]
            assert bool(row["details"]["explored"]) is (player == "experimenter")


def test_what_is_tried_is_told_to_the_analyst_and_counted() -> None:
    x, y = MYSTERY.task.knowledge.places[0]
    team = Team(
        [findings(enough=False), findings(*TRUE)],
        [calls(("move", {"x": x, "y": y}), ("look", {})), Reply("Tried.")],
        MYSTERY.certificate.plan,
    )
    verdict = play(team).grade()
    assert (verdict.won, verdict.details["named"], verdict.details["explored"]) == (True, True, 1)
    first, second = team.questions("analyst")
    assert "Nothing yet." in first
    assert f'move {{"x": {x}, "y": {y}}} -> {{"status": 200' in second
    assert "Look around." in team.questions("experimenter")[0]


def test_differences_that_cannot_be_are_asked_again_and_left_out() -> None:
    wrong = [{"family": "kind", "subject": "nobody", "value": 3}, {"family": "zz", "subject": "", "value": "x"}]
    team = Team([findings(*TRUE, *TRUE, *wrong)], [], MYSTERY.certificate.plan)
    verdict = play(team).grade()
    assert verdict.won, "the differences that can be are believed"
    assert (verdict.details["stated_right"], verdict.details["named"]) == (len(TRUE), False)
    asked = team.questions("analyst")
    assert len(asked) == 3
    assert all(json.dumps(row) in asked[1] for row in (*TRUE, *wrong))
    assert "These differences cannot be" not in asked[0]


@pytest.mark.parametrize("disclosure", ["told", "hinted"])
def test_the_form_names_no_family_to_a_team_that_is_not_told_them(disclosure: str) -> None:
    own_words = {"family": "the weather", "subject": "", "value": "rain"}
    replies = [calls(("look", {})), Reply("Tried.")]
    team = Team([findings(enough=False), findings(own_words), findings(*TRUE)], replies, MYSTERY.certificate.plan)
    verdict = play(team, style=DiscoverStyle(disclosure=disclosure)).grade()
    assert (verdict.won, verdict.details["named"]) == (True, True)
    *before, last = team.questions("analyst")
    assert all(("| `dry` |" in text) is (disclosure == "told") for text in before)
    assert disclosure == "told" or not any("`dry`" in text for text in (*before, *team.questions("experimenter")))
    assert ("The exploration is over" in last) is (disclosure == "hinted")
    assert "| `dry` |" in last


def test_a_plan_is_tried_out_in_the_world_that_is_believed() -> None:
    """Never in the true one: the plan by what is told works as long as nothing is stated, and loses its fight then."""
    unexplored = MysteryBriefing(MYSTERY)
    for stated, works in (([], True), (TRUE, False)):
        briefing, wrong = unexplored.briefing_with(stated)
        assert not wrong
        assert briefing.try_out(MYSTERY.usual_plan).faultless is works
        assert briefing.try_out(MYSTERY.certificate.plan).faultless or not stated
    believes_nothing = Team([findings()], [], MYSTERY.usual_plan)
    verdict = play(believes_nothing).grade()
    assert (verdict.won, verdict.failure) == (False, "believed")


@pytest.mark.parametrize("family", sorted(RULES_ALONE))
def test_rules_that_are_believed_are_told_to_those_who_plan(family: str) -> None:
    mystery = with_family(family)
    changes = [change for change in mystery.changes if change.family == family]
    facts, usual = BelievedBriefing(mystery, changes).facts, BelievedBriefing(mystery, ()).facts
    for name in ("actions", "fights"):
        assert "# What differs" in facts[name]
        assert "# What differs" not in usual[name]


def test_who_calls_done_or_nothing_ends_the_exploration() -> None:
    for replies, asked in (([calls(("done", {}))], 2), ([], 3)):
        team = Team([findings(enough=False)], replies, "")
        verdict = play(team, ends=False).grade()
        assert verdict.failure == "no_plan"
        assert len(team.questions("analyst")) == asked
        assert "The exploration is over" in team.questions("analyst")[-1]
        assert "More can be tried" not in team.questions("analyst")[-1]


def test_nothing_that_was_not_tried_is_told_to_a_team() -> None:
    """The same questions in worlds that differ in what was not tried, whatever is believed and planned."""
    compared = 0
    for number, mystery in enumerate(some(4, 30)):
        place = mystery.task.knowledge.places[0]
        rivals = untried(mystery, [("move", place)])
        for rival in Random(number).sample(rivals, min(2, len(rivals))):
            other = Mystery("other", mystery.documents, mystery.task, tuple(rival), mystery.budget, "", (), 1, 0, 0)
            if len(rival) != len(mystery.changes):
                continue
            asked = []
            for each in (mystery, other):
                move = calls(("move", {"x": place[0], "y": place[1]}))
                team = Team([findings(enough=False), findings(*TRUE)], [move, Reply("")], mystery.certificate.plan)
                attempt = FoundAttempt(each, DiscoverStyle())
                try:
                    asyncio.run(A2().play(attempt, team))
                except Unfinished as end:
                    team.asked.append(("end", str(end)))
                asked.append(team.asked)
            assert asked[0] == asked[1]
            compared += 1
    assert compared >= 3
