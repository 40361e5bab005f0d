"""Plans in parts: one game goes on over all parts, and the model is told what came of each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from herobench.conversation import Message, Reply
from herobench.suite.contract import Verdict
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play import attempts
from herobench.suites.rpg.play.attempts import FeedbackAttempt, PlanAttempt
from herobench.suites.rpg.play.execution import as_answer, attempt_plan
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import hero_row
from tests.plays import ARMED, STRONG, WINNING, as_plan, drake_task
from tests.sizes import for_each

STEPS = [step.strip() for step in WINNING.split(";")]
UNHURT = {"leveling": False, "drop_scale": None}
NO_PLAN = "I have no plan."


class Played:
    """An attempt that was given some parts: as plays, as code, or as None for a reply without any."""

    def __init__(self, sandbox: Sandbox, task: Task, *parts: str | None) -> None:
        self.attempt = FeedbackAttempt(sandbox, task)
        self.replies = [Reply(NO_PLAN if part is None else as_answer(coded(part))) for part in parts]
        self.told: list[str | None] = []
        for reply in self.replies:
            self.told.append(message_text(self.attempt.step(reply)))

    @property
    def verdict(self) -> Verdict:
        return self.attempt.grade()

    @property
    def over(self) -> list[bool]:
        return [told is None for told in self.told]

    @property
    def last(self) -> str:
        assert self.told[-1] is not None
        return self.told[-1]

    def hero(self, part: int = -1) -> dict[str, Any]:
        """The hero as he was told after a part."""
        (record,) = (line for line in str(self.told[part]).splitlines() if line.startswith("{"))
        found: dict[str, Any] = json.loads(record)
        return found


def coded(part: str) -> str:
    """A part as code: a play is translated, code is left as it is."""
    return part if "(" in part else as_plan(part)


def message_text(told: Sequence[Message] | None) -> str | None:
    if told is None:
        return None
    (message,) = told
    assert message.role == "user"
    return message.text


def strong(tiny: World, **changes: Any) -> Task:
    return drake_task(tiny, hero=hero_row(stats=STRONG), **changes)


def mechanics(**changes: Any) -> dict[str, Any]:
    return {**UNHURT, **changes}


def same(one: Verdict, other: Verdict) -> None:
    """Both verdicts are the same, but for the lines and the mode."""
    for name in ("won", "score", "progress", "failure"):
        assert getattr(one, name) == getattr(other, name), name
    assert {**one.details, "mode": ""} == {**other.details, "mode": ""}


# -- a game that goes on -----------------------------------------------------------------------------------------------


def test_a_game_goes_on_over_parts_with_place_bag_and_experience(sandbox: Sandbox, tiny: World) -> None:
    young = {name: {"level": 5, "xp": 0, "next_level_xp": 150} for name in ("digging", "smithing", "brewing")}
    task = drake_task(tiny, hero=hero_row(worn={"blade": "twig"}, skills=young), mechanics=mechanics(leveling=True))
    first, second = "; ".join(STEPS[:5]), "; ".join(STEPS[5:8])
    played = Played(sandbox, task, first, second)
    whole = Played(sandbox, task, f"{first}; {second}")
    assert played.hero() == whole.hero()
    assert (played.hero(0)["x"], played.hero(0)["y"]) == (1, 0)
    assert played.hero()["inventory"] != played.hero(0)["inventory"]
    assert played.hero()["digging_xp"] > played.hero(0)["digging_xp"]


@for_each("size", [1, 2, 7, len(STEPS)])
def test_the_score_is_that_of_the_same_actions_in_one_plan(sandbox: Sandbox, tiny: World, size: int) -> None:
    parts = ["; ".join(STEPS[start : start + size]) for start in range(0, len(STEPS), size)]
    played = Played(sandbox, drake_task(tiny), *parts)
    assert played.over == [False] * (len(parts) - 1) + [True]
    plain = PlanAttempt(sandbox, drake_task(tiny), 0)
    plain.step(Reply(as_answer(as_plan(WINNING))))
    assert played.verdict.won
    assert played.verdict.details["mode"] == "feedback"
    same(played.verdict, plain.grade())
    assert played.attempt.grade() == played.verdict


def test_variables_do_not_go_on(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny), "x = 1\nmove('Hero', 1, 0)", "move('Hero', x, 1)")
    assert "The part ended early, at line 1: " in played.last
    assert "'x'" in played.last


def test_lines_of_events_point_into_the_joined_plan(sandbox: Sandbox, tiny: World) -> None:
    parts = [
        "move 1 0; fight",
        None,
        "# look\n\nmove('Hero', 1, 1)\ngather('Hero', 3)",
        "def(",
        "move 2 1; craft bar 9",
    ]
    played = Played(sandbox, drake_task(tiny), *parts)
    plan = str(attempt_plan("feedback", played.replies, load_rules())).split("\n")
    events: Any = played.verdict.events
    named = [event["action"] for event in events["actions"]]
    assert [plan[event["line"] - 1].partition("(")[0] for event in events["actions"]] == named
    assert named == ["move", "fight", "move", "gather", "move", "craft"]
    assert plan[events["actions"][3]["line"] - 1] == "gather('Hero', 3)"


# -- what is told ------------------------------------------------------------------------------------------------------


def test_the_opening_tells_goal_hero_knowledge_and_limits(sandbox: Sandbox, tiny: World) -> None:
    (opening,) = FeedbackAttempt(sandbox, drake_task(tiny)).messages
    for words in ("part by part", "Frost Drake", "up to 1,000 parts", "10,000 actions", '"blade_slot": "twig"'):
        assert words in opening.text
    assert "$" not in opening.text
    assert "give up" not in opening.text


def test_refusals_are_told_by_line_with_their_reason(sandbox: Sandbox, tiny: World) -> None:
    played = Played(
        sandbox, drake_task(tiny), "move 9 9; fight; fight; move 2 1; craft bar 2; equip blade club; buy x 1"
    )
    assert "The part ran to its end and attempted 7 actions." in played.last
    assert '- line 1, `move("Hero", 9, 9)`: 404, ' in played.last
    assert '- line 2, `fight("Hero")`: ' in played.last
    assert '- line 3, `fight("Hero")`: ' in played.last
    assert '- line 5, `craft("Hero", "bar", 2)`: ' in played.last
    assert "Craft failed: 8 ore needed, 0 there" in played.last
    assert "line 4" not in played.last, "it was not refused"


def test_equal_refusals_of_a_loop_share_a_line_and_many_are_cut(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny), "for _ in range(50):\n    fight('Hero')")
    assert played.last.count("\n- line") == 1
    assert "(50 times)" in played.last
    played = Played(sandbox, drake_task(tiny), "for x in range(50):\n    move('Hero', x, 77)")
    assert played.last.count("\n- line") == 20
    assert "- and 30 more" in played.last


def test_lost_fights_are_told_with_the_health_that_was_left(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny), "move 2 0; fight")
    assert "Refused" not in played.last
    assert "- line 2, `fight`: the fight against Frost Drake was lost; health 0, the monster's " in played.last
    assert (played.hero()["x"], played.hero()["y"]) == (0, 0)


def test_parts_and_actions_that_are_left_are_told(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny), "move 1 0; fight", "fight")
    assert "You may write 999 more parts, and attempt 9,998 more actions." in str(played.told[0])
    assert "You may write 998 more parts, and attempt 9,997 more actions." in str(played.told[1])


@for_each(
    ("part", "told"),
    [
        (None, "The part was not run: the answer has no plan in it."),
        (
            "move('Hero', 1, 0)\nfight('Hero'",
            "The part was rejected at line 2, and nothing of it was run: syntax error",
        ),
        ("move('Hero', 1, 0)\nimport os", "The part was rejected at line 2, and nothing of it was run: "),
    ],
)
def test_a_rejected_part_does_nothing_and_the_game_goes_on(
    sandbox: Sandbox, tiny: World, part: str | None, told: str
) -> None:
    played = Played(sandbox, drake_task(tiny), part, WINNING)
    assert told in str(played.told[0])
    assert (played.hero(0)["x"], played.hero(0)["y"]) == (0, 0)
    assert played.verdict.won
    assert played.verdict.details["ended"] == "finished"


def test_what_a_part_did_before_it_raised_an_error_stays_done(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny), f"{as_plan(ARMED)}nonsense", "move 2 0; fight")
    assert f"The part ended early, at line {len(STEPS) - 1}: " in str(played.told[0])
    assert "Until then it had attempted 20 actions." in str(played.told[0]) or "attempted" in str(played.told[0])
    assert played.verdict.won


# -- the end -----------------------------------------------------------------------------------------------------------


def test_it_ends_at_the_goal_and_keeps_what_came_after_it_in_the_part(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, strong(tiny), "move 1 0", "move 2 0; fight; move 0 0")
    assert (played.over, played.verdict.won) == ([False, True], True)
    assert (played.verdict.details["actions"], played.verdict.unfinished) == (4, None)


def test_it_ends_at_a_final_defeat(sandbox: Sandbox, tiny: World) -> None:
    task = drake_task(tiny, mechanics=mechanics(defeat="final"))
    played = Played(sandbox, task, "move 1 0; fight", "# now\nmove('Hero', 2, 0)\nfight('Hero')\nmove('Hero', 0, 0)")
    assert played.over == [False, True]
    details = played.verdict.details
    assert (details["ended"], details["end_kind"], details["end_line"]) == ("defeated", "fight", 7)
    assert details["actions"] == 4


def test_it_ends_over_the_budget_of_the_task(sandbox: Sandbox, tiny: World) -> None:
    task = drake_task(tiny, mechanics=mechanics(budget=3))
    played = Played(sandbox, task, "move 1 0; fight", "fight", "fight; fight")
    assert played.over == [False, False, True]
    assert (played.verdict.details["ended"], played.verdict.details["actions"]) == ("over_budget", 3)


def test_it_ends_at_the_limit_of_actions_over_all_parts(tiny: World) -> None:
    with Sandbox(tiny, load_rules(), Limits(actions=5)) as small:
        played = Played(small, drake_task(tiny), "move 1 0; fight; fight", "fight; fight; fight")
        assert played.over == [False, True]
        assert played.verdict.details["actions"] == 5
        assert "attempt 2 more actions" in str(played.told[0])
        assert played.verdict.unfinished == "the limit of 5 actions is reached"


def test_it_ends_after_the_most_parts(sandbox: Sandbox, tiny: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MOST_PARTS", 4)
    played = Played(sandbox, drake_task(tiny), *["move 1 0; move 0 0"] * 4)
    assert played.over == [False] * 3 + [True]
    assert played.verdict.details["ended"] == "finished"
    assert played.verdict.unfinished == "the limit of 4 parts is reached"


def test_it_ends_after_three_idle_parts_in_a_row(sandbox: Sandbox, tiny: World) -> None:
    idle = [None, "pass()", "x = 1 + (1)"]
    played = Played(sandbox, drake_task(tiny), *idle[:2], "move 1 0", *idle)
    assert played.over == [False] * 5 + [True]
    assert (played.verdict.details["ended"], played.verdict.details["actions"]) == ("finished", 1)


@for_each(
    ("parts", "ended", "failure"),
    [
        ([None, None, None], "no_code", "invalid_code"),
        (["x = (1)", None, "import os  # ()"], "rejected", "invalid_code"),
    ],
)
def test_an_attempt_that_did_nothing_ends_as_its_last_part(
    sandbox: Sandbox, tiny: World, parts: list[str | None], ended: str, failure: str
) -> None:
    verdict = Played(sandbox, drake_task(tiny), *parts).verdict
    assert (verdict.details["ended"], verdict.failure, verdict.score) == (ended, failure, 0)


# -- giving up ---------------------------------------------------------------------------------------------------------

GIVE_UP = 'give_up("the drake cannot be reached", p=0.9)'


def closed(tiny: World) -> Task:
    return drake_task(tiny, mechanics=mechanics(closed=[[2, 0]]))


def test_giving_up_ends_a_game_that_has_not_begun(sandbox: Sandbox, tiny: World) -> None:
    (opening,) = FeedbackAttempt(sandbox, closed(tiny)).messages
    assert "To give up counts before the first action only" in opening.text
    for parts in ([GIVE_UP], [None, GIVE_UP]):
        played = Played(sandbox, closed(tiny), *parts)
        assert played.over[-1]
        assert played.verdict.details["ended"] == "gave_up"


def test_later_it_is_no_answer(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, closed(tiny), "move 1 0", GIVE_UP)
    assert played.over == [False, False]
    assert "give_up" in played.last
    assert played.verdict.details["ended"] == "finished"


def test_without_closed_places_it_never_is(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny), GIVE_UP)
    assert played.over == [False]


# -- the briefing ------------------------------------------------------------------------------------------------------


def test_the_briefing_has_the_hero_as_he_stands(sandbox: Sandbox, tiny: World) -> None:
    task = strong(
        tiny,
        knowledge={**drake_task(tiny).knowledge.as_row(), "monsters": ["rat", "drake"], "places": [[1, 0], [2, 0]]},
    )
    played = Played(sandbox, task, "move 1 0; fight")
    briefing = played.attempt.briefing
    assert json.loads(briefing.character()) == played.hero()
    assert briefing.owned() == ("fur",)
    tried = briefing.try_out(as_plan("move 2 0; fight"))
    assert tried.faultless
    assert "already" in briefing.try_out(as_plan("move 1 0")).told.lower()


def test_a_hero_who_has_grown_and_dressed_is_the_same_in_the_briefing(sandbox: Sandbox, tiny: World) -> None:
    hero = hero_row(level=1, stats=STRONG, worn={"blade": "twig"}, inventory={"fur_coat": 1, "broth": 3})
    task = drake_task(tiny, hero=hero, mechanics=mechanics(leveling=True))
    played = Played(
        sandbox, task, "equip coat fur_coat; equip consumable1 broth 2; move 1 0; " + "; ".join(["fight"] * 30)
    )
    assert played.hero()["level"] > 1
    assert played.hero()["hp"] > 1040
    assert json.loads(played.attempt.briefing.character()) == played.hero()


def test_the_briefing_has_the_budget_that_is_left(sandbox: Sandbox, tiny: World) -> None:
    knowledge = {**drake_task(tiny).knowledge.as_row(), "monsters": ["rat"], "places": [[1, 0]]}
    played = Played(sandbox, strong(tiny, knowledge=knowledge, mechanics=mechanics(budget=4)), "move 1 0; fight")
    briefing = played.attempt.briefing
    assert briefing.try_out(as_plan("fight; fight")).faultless
    assert (
        "the plan attempts more than the 2 actions of its budget"
        in briefing.try_out(as_plan("fight; fight; fight")).told
    )
