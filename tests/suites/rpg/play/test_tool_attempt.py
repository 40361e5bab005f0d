"""Games that are played with tools: each call is carried out at once, and none can break the attempt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from herobench.conversation import Reply, ToolCall
from herobench.data.documents import schema_problems
from herobench.suite.contract import Verdict
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.attempts import PlanAttempt, ToolAttempt
from herobench.suites.rpg.play.execution import as_answer, attempt_plan
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import hero_row, tiny_task
from tests.plays import STRONG, WINNING, as_plan, drake_task
from tests.sizes import for_each

Call = tuple[str, Any]
UNHURT = {"leveling": False, "drop_scale": None}
PARAMETERS = {
    "move": ("x", "y"),
    "gather": ("quantity",),
    "craft": ("code", "quantity"),
    "equip": ("slot", "code"),
    "unequip": ("slot",),
    "fight": (),
}


class Played:
    """An attempt to which calls are given."""

    def __init__(self, sandbox: Sandbox, task: Task) -> None:
        self.attempt = ToolAttempt(sandbox, task)
        self.replies: list[Reply] = []
        self.over = False

    def all(self, *calls: Call) -> list[dict[str, Any]]:
        """Give calls in one reply. Return the results; none if the game is over then."""
        made = tuple(ToolCall(f"c{number}", name, as_text(said)) for number, (name, said) in enumerate(calls))
        self.replies.append(Reply("", made))
        told = self.attempt.step(self.replies[-1])
        self.over = told is None
        if told is None:
            return []
        assert [(message.role, message.call_id) for message in told] == [("tool", call.id) for call in made]
        return [json.loads(message.text) for message in told]

    def one(self, name: str, **arguments: Any) -> dict[str, Any]:
        (result,) = self.all((name, arguments))
        return result

    def say(self, text: str) -> str | None:
        self.replies.append(Reply(text))
        told = self.attempt.step(self.replies[-1])
        self.over = told is None
        return None if told is None else told[0].text

    @property
    def verdict(self) -> Verdict:
        return self.attempt.grade()

    @property
    def hero(self) -> Mapping[str, Any]:
        return self.one("look")


def as_text(said: Any) -> str:
    return said if isinstance(said, str) else json.dumps(said)


def strong(tiny: World, **changes: Any) -> Task:
    return drake_task(tiny, hero=hero_row(stats=STRONG, worn={"blade": "twig"}), **changes)


def mechanics(**changes: Any) -> dict[str, Any]:
    return {**UNHURT, **changes}


def as_calls(play: str) -> list[Call]:
    """A play as calls of tools."""
    calls = []
    for step in play.split(";"):
        name, *words = step.split()
        values = [int(word) if word.lstrip("-").isdigit() else word for word in words]
        calls.append((name, dict(zip(PARAMETERS[name], values, strict=False))))
    return calls


# -- the tools ---------------------------------------------------------------------------------------------------------


def test_there_is_a_tool_for_each_action_and_one_to_look(sandbox: Sandbox, tiny: World) -> None:
    tools = {tool.name: tool for tool in ToolAttempt(sandbox, drake_task(tiny)).tools}
    assert tools.keys() == {"move", "fight", "gather", "craft", "equip", "unequip", "buy", "look"}
    assert tools["move"].parameters["required"] == ["x", "y"]
    assert tools["fight"].parameters["required"] == []
    assert all(tool.description and "$" not in tool.description for tool in tools.values())
    closed = ToolAttempt(sandbox, drake_task(tiny, mechanics=mechanics(closed=[[2, 0]])))
    assert [tool.name for tool in closed.tools][-1] == "give_up"
    assert "call the tool `give_up` before the first action" in closed.messages[0].text


@for_each("size", [1, 4, 100])
def test_a_game_won_by_calls_has_the_score_of_the_same_plan(sandbox: Sandbox, tiny: World, size: int) -> None:
    played, calls = Played(sandbox, drake_task(tiny)), as_calls(WINNING)
    for start in range(0, len(calls), size):
        assert not played.over
        played.all(*calls[start : start + size])
    assert played.over
    plain = PlanAttempt(sandbox, drake_task(tiny), 0)
    plain.step(Reply(as_answer(as_plan(WINNING))))
    own, other = played.verdict, plain.grade()
    assert own.won
    assert own.details["mode"] == "tools"
    assert (own.score, own.progress, own.failure) == (other.score, other.progress, other.failure)
    assert {**own.details, "mode": ""} == {**other.details, "mode": ""}
    assert played.attempt.grade() == own


def test_each_action_tells_what_came_of_it(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, strong(tiny))
    assert played.one("move", x=0, y=1)["destination"]["name"] == "Pit"
    gathered = played.one("gather", quantity=3)
    assert gathered["details"]["items"] == [{"code": "clay", "quantity": 3}, {"code": "pearl", "quantity": 3}]
    assert "character" not in gathered
    assert played.one("move", x=2, y=1)["status"] == 200
    assert played.one("craft", code="brick", quantity=1)["details"]["items"] == [{"code": "brick", "quantity": 1}]
    assert played.one("unequip", slot="blade")["item"]["code"] == "twig"
    assert played.one("equip", slot="blade", code="twig")["slot"] == "blade"
    assert played.one("move", x=0, y=2)["status"] == 200
    assert played.one("buy", code="salt", quantity=2)["item"] == {"code": "salt", "quantity": 2}
    assert played.one("move", x=1, y=0)["status"] == 200
    assert played.one("fight")["fight"]["result"] == "win"
    assert played.verdict.details["actions"] == 10
    bag = {stack["code"]: stack["quantity"] for stack in played.hero["inventory"]}
    assert bag == {"pearl": 3, "brick": 1, "salt": 2, "fur": 1}


def test_refusals_have_a_status_and_a_reason(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny))
    refused = played.one("move", x=9, y=9)
    assert (refused["status"], refused["error"]["code"]) == (404, 404)
    assert played.one("move", x="north", y=0)["detail"][0]["loc"] == ["body", "x"]
    assert '"ore"' in json.dumps(played.one("craft", code="bar", quantity=1)["error"]["message"])
    assert played.one("gather", quantity=None)["status"] == 422
    assert played.verdict.details["actions"] == 4


# -- fights ------------------------------------------------------------------------------------------------------------


def test_many_fights_are_one_call(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, strong(tiny))
    played.one("move", x=1, y=0)
    told = played.one("fight", times=5)
    assert (told["fights"], told["fight"]["result"]) == (5, "win")
    assert told["all_drops"] == [{"code": "fur", "quantity": 5}]
    assert {stack["code"]: stack["quantity"] for stack in played.hero["inventory"]} == {"fur": 5}
    assert played.verdict.details["actions"] == 6


def test_they_stop_at_a_fight_that_is_lost_or_refused(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny))
    assert "fights" not in played.one("fight", times=9)
    played.one("move", x=2, y=0)
    told = played.one("fight", times=9)
    assert (told["fight"]["result"], "fights" in told) == ("lose", False)
    assert played.verdict.details["actions"] == 3


def test_they_stop_at_the_goal(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, strong(tiny))
    played.one("move", x=2, y=0)
    assert played.all(("fight", {"times": 9}), ("fight", {})) == []
    assert (played.verdict.won, played.verdict.details["actions"]) == (True, 2)


@for_each("times", [0, -1, 1001, 1.0, "3", None, True, [1], 10**30])
def test_times_is_a_whole_number(sandbox: Sandbox, tiny: World, times: Any) -> None:
    played = Played(sandbox, strong(tiny))
    assert played.one("fight", times=times) == {"error": "times is a whole number from 1 to 1000"}
    assert played.verdict.details["actions"] == 0


# -- calls that are none -----------------------------------------------------------------------------------------------


@for_each(
    ("call", "told"),
    [
        (("move", "{"), "the arguments are not a JSON object"),
        (("move", "[1, 2]"), "the arguments are not a JSON object"),
        (("move", "[" * 100_000), "the arguments are not a JSON object"),
        (("move", '{"x": ' + "1" * 10_000 + "}"), "the arguments are not a JSON object"),
        (("move", ""), "move() missing a required argument: 'x'"),
        (("move", {"x": 1}), "move() missing a required argument: 'y'"),
        (("move", {"x": 1, "y": 0, "z": 0}), "move() got an unexpected keyword argument 'z'"),
        (("equip", {"slot": "consumable1", "code": "broth", "quantity": None}), "equip() needs a quantity"),
        (("rest", {}), "there is no tool 'rest'"),
        (("give_up", {"reason": "no"}), "there is no tool 'give_up'"),
        (("", {}), "there is no tool ''"),
    ],
)
def test_a_wrong_call_is_told_and_costs_nothing(sandbox: Sandbox, tiny: World, call: Call, told: str) -> None:
    task = drake_task(tiny, hero=hero_row(inventory={"broth": 1}))
    played = Played(sandbox, task)
    (result,) = played.all(call)
    assert result["error"].startswith(told)
    assert played.verdict.details["actions"] == 0
    assert not played.over


def test_the_hero_is_the_same_whatever_name_is_said(sandbox: Sandbox, tiny: World) -> None:
    (result,) = Played(sandbox, drake_task(tiny)).all(("move", {"x": 1, "y": 0, "name": "Nobody"}))
    assert result["status"] == 200


def test_a_huge_name_is_not_told_back(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny))
    (result,) = played.all(("x" * 1_000_000, {}))
    assert len(result["error"]) < 300
    (result,) = played.all(("move", {"y" * 1_000_000: 1}))
    assert len(result["error"]) < 300


# -- the end -----------------------------------------------------------------------------------------------------------


def test_a_reply_without_a_call_is_answered_once(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny))
    for _ in range(2):
        assert "Go on with a call of a tool" in str(played.say("I wonder."))
        played.one("look")
    assert played.say("I wonder.") is not None
    assert played.say("I wonder.") is None


@for_each(("called", "ended", "failure"), [(False, "no_code", "invalid_code"), (True, "finished", None)])
def test_who_never_calls_gives_no_plan(
    sandbox: Sandbox, tiny: World, called: bool, ended: str, failure: str | None
) -> None:
    played = Played(sandbox, drake_task(tiny))
    if called:
        played.one("look")
    played.say("It is hard.")
    played.say("It is.")
    assert played.over
    assert played.verdict.details["ended"] == ended
    assert (played.verdict.failure == "invalid_code") == (failure == "invalid_code")


def test_it_ends_at_a_final_defeat(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny, mechanics=mechanics(defeat="final")))
    assert played.all(("move", {"x": 2, "y": 0}), ("fight", {"times": 3}), ("move", {"x": 1, "y": 0})) == []
    details = played.verdict.details
    assert (details["ended"], details["end_line"], details["actions"]) == ("defeated", 2, 2)


def test_it_ends_at_the_limit_of_actions(tiny: World) -> None:
    with Sandbox(tiny, load_rules(), Limits(actions=5)) as small:
        played = Played(small, strong(tiny))
        assert "5 actions" in played.attempt.messages[0].text
        played.one("move", x=1, y=0)
        assert played.all(("fight", {"times": 100})) == []
        assert (played.verdict.details["ended"], played.verdict.details["actions"]) == ("finished", 5)
        assert played.verdict.unfinished == "the limit of 5 actions is reached"


# -- giving up ---------------------------------------------------------------------------------------------------------


@for_each(
    ("arguments", "stated"),
    [
        ({"reason": "no way", "p": 0.75}, 0.75),
        ({"reason": "no way"}, None),
        ({"reason": ["x" * 1000], "p": "0.5"}, None),
        ('{"p": NaN}', None),
        ('{"p": 1e999}', None),
        ({"p": True}, None),
        ({}, None),
    ],
)
def test_giving_up_ends_a_game_that_has_not_begun(
    sandbox: Sandbox, tiny: World, arguments: Any, stated: float | None
) -> None:
    played = Played(sandbox, drake_task(tiny, mechanics=mechanics(closed=[[2, 0]])))
    assert played.all(("look", {}), ("give_up", arguments), ("move", {"x": 1, "y": 0})) == []
    details = played.verdict.details
    assert (details["ended"], details["stated"], details["actions"]) == ("gave_up", stated, 0)


def test_later_it_changes_nothing(sandbox: Sandbox, tiny: World) -> None:
    played = Played(sandbox, drake_task(tiny, mechanics=mechanics(closed=[[2, 0]])))
    played.one("move", x=1, y=0)
    assert played.one("give_up", reason="no") == {"error": "it is too late to give up: an action was attempted"}
    assert played.verdict.details["ended"] == "finished"


# -- whatever comes ----------------------------------------------------------------------------------------------------

_TOOLS = ["move", "fight", "gather", "craft", "equip", "unequip", "buy", "look", "give_up"]
_NAMES = st.sampled_from([*_TOOLS, "act", "__init__", "name"]) | st.text(max_size=20)
_KEYS = st.sampled_from(["x", "y", "code", "quantity", "slot", "times", "reason", "p", "name"]) | st.text(max_size=9)
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from([0, 1, 2, "1", "ore", "fur", "bar", "blade", "consumable1", "twig", "broth"])
)
_VALUES = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3))
_ARGUMENTS = (
    st.dictionaries(_KEYS, _VALUES, max_size=4).map(json.dumps) | st.text(max_size=30) | _VALUES.map(json.dumps)
)
_CALLS = st.lists(st.builds(ToolCall, st.text(max_size=5), _NAMES, _ARGUMENTS), max_size=5)


@given(st.lists(st.builds(Reply, st.text(max_size=9), _CALLS.map(tuple)), min_size=1, max_size=6), st.booleans())
def test_whatever_is_called_the_attempt_goes_on_or_ends_and_can_be_judged(
    sandbox: Sandbox, replies: list[Reply], closed: bool
) -> None:
    world = sandbox.world
    rules = mechanics(closed=[[2, 0]]) if closed else mechanics(budget=9, defeat="final")
    hero = hero_row(inventory={"broth": 2, "club": 1}, x=1, y=0)
    attempt = ToolAttempt(sandbox, tiny_task(world, hero=hero, mechanics=rules))
    given_replies = []
    for reply in replies:
        given_replies.append(reply)
        told = attempt.step(reply)
        if told is None:
            break
        for message in told:
            message.text.encode()
    verdict = attempt.grade()
    assert schema_problems(dict(verdict.details), "rpg-details", "details") == []
    assert schema_problems(verdict.events, "rpg-events", "events") == []
    plan = str(attempt_plan("tools", given_replies, load_rules()))
    assert plan.count("\n") == max(0, sum(len(reply.tool_calls) for reply in given_replies) - 1)
    events: Any = verdict.events
    for event in events["actions"]:
        assert plan.split("\n")[event["line"] - 1].startswith(event["action"])


def test_a_model_that_only_looks_ends_the_attempt_and_too_many_calls_are_not_carried_out(
    sandbox: Sandbox, tiny: World
) -> None:
    attempt = ToolAttempt(sandbox, drake_task(tiny))
    many = Reply("", tuple(ToolCall(f"c{number}", "look", "{}") for number in range(150)))
    told = attempt.step(many) or ()
    assert [json.loads(message.text).keys() == {"error"} for message in told] == [False] * 100 + [True] * 50
    turns = 1
    while attempt.step(Reply("", (ToolCall("c", "look", "{}"),))) is not None:
        turns += 1
    assert turns + 1 == 20
    assert attempt.grade().unfinished == "20 replies in a row attempted no action"
