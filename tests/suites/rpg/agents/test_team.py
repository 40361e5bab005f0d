"""Teams of agents: their forms, their play, and that a competent model wins with them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from herobench.agents.agent import Unfinished
from herobench.conversation import Form, Message, Reply, Tool
from herobench.suites.rpg.agents import paper
from herobench.suites.rpg.agents.paper import A1
from herobench.suites.rpg.agents.team import TeamProgress
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.attempts import FeedbackAttempt, PlanAttempt
from herobench.suites.rpg.sandbox import Sandbox
from tests.builders import hero_row
from tests.plays import drake_task
from tests.program import herobench
from tests.sizes import for_each, many
from tests.suites.rpg.agents.games import WAYS, game, won

YES = {"accepted": True, "comments": None}
NO = {"accepted": False, "comments": "It is not good enough."}
RATS = {"do": "fight", "code": "rat", "quantity": 1, "note": None}
KNOWN = {
    "recipes": [],
    "materials": [],
    "sold": [],
    "monsters": ["rat", "drake"],
    "places": [[1, 0], [2, 0]],
    "stats": [],
}
NOWHERE = {"action": "move", "x": 9, "y": 9}
TO_THE_RAT = {"action": "move", "x": 1, "y": 0}
FIGHT = {"action": "fight"}


class Script:
    """Answers each role with its answers in order, and with the last one from then on."""

    def __init__(self, **answers: Sequence[Any]) -> None:
        self.asked: list[tuple[str, str]] = []
        self.branches: list[str] = []
        self._answers = {role.replace("_", " "): list(some) for role, some in answers.items()}

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
        self.asked.append((role, messages[-1].text))
        self.branches.append(" / ".join([*branch, role]))
        left = self._answers[role]
        return Reply(json.dumps(left.pop(0) if len(left) > 1 else left[0]))

    def questions(self, role: str) -> list[str]:
        return [text for asked, text in self.asked if asked == role]


def team_task(tiny: World, hero: dict[str, Any] | None = None, **mechanics: Any) -> Task:
    return drake_task(
        tiny,
        hero=hero or hero_row(worn={"blade": "twig"}),
        knowledge={**KNOWN, "level": "exact"},
        mechanics={"leveling": False, "drop_scale": None, **mechanics},
    )


def unfinished(attempt: PlanAttempt | FeedbackAttempt, script: Script) -> str:
    with pytest.raises(Unfinished) as end:
        asyncio.run(A1().play(attempt, script))
    return str(end.value)


def test_an_empty_text_gives_nothing_up(sandbox: Sandbox, tiny: World) -> None:
    script = Script(
        decomposer=[{"subtasks": [RATS], "give_up": " "}],
        critic=[YES],
        action_decomposer=[{"actions": [TO_THE_RAT, FIGHT]}, {"actions": [FIGHT]}],
        action_critic=[YES],
    )
    attempt = PlanAttempt(sandbox, team_task(tiny, closed=[[2, 1]]), 0)
    unfinished(attempt, script)
    assert "1. fight 1 rat" in script.questions("critic")[0]
    verdict = attempt.grade()
    assert not verdict.details["gave_up"]
    assert verdict.details["actions"] == 6


def test_who_attempted_something_in_the_game_cannot_give_up(sandbox: Sandbox, tiny: World) -> None:
    """A dry run does not tell what the twig is worth: the first part works in it, and loses its fight in the game."""
    gives_up = {"subtasks": [], "give_up": "The rat is too strong."}
    take_off = {"action": "unequip", "slot": "blade"}
    script = Script(
        decomposer=[{"subtasks": [RATS], "give_up": None}, gives_up],
        critic=[YES],
        action_decomposer=[{"actions": [take_off, TO_THE_RAT, FIGHT]}],
        action_critic=[YES],
    )
    hero = hero_row(worn={"blade": "twig"}, stats={"hp": 1000, "attack_heat": 0})
    attempt = FeedbackAttempt(sandbox, team_task(tiny, hero, closed=[[2, 1]]))
    assert "the goal is not reached" in unfinished(attempt, script)
    assert [role for role, _ in script.asked].count("decomposer") == 5
    assert attempt.grade().details["actions"] == 3


def test_the_last_list_that_works_is_taken(sandbox: Sandbox, tiny: World) -> None:
    script = Script(
        decomposer=[{"subtasks": [RATS], "give_up": None}, {"subtasks": [], "give_up": None}],
        critic=[YES],
        action_decomposer=[{"actions": [TO_THE_RAT]}, {"actions": [TO_THE_RAT, FIGHT]}, {"actions": [NOWHERE]}],
        action_critic=[NO],
    )
    attempt = PlanAttempt(sandbox, team_task(tiny), 0)
    unfinished(attempt, script)
    subtask = "High-level plan 1 / Subtask 1 of 1: fight 1 rat"
    assert script.branches[:8] == [
        "High-level plan 1 / Try 1 / decomposer",
        "High-level plan 1 / Try 1 / critic",
        f"{subtask} / Try 1 / action decomposer",
        f"{subtask} / Try 1 / action critic",
        f"{subtask} / Try 2 / action decomposer",
        f"{subtask} / Try 2 / action critic",
        f"{subtask} / Try 3 / action decomposer",
        "High-level plan 2 / Try 1 / decomposer",
    ]
    assert len(script.questions("action decomposer")) == 3
    assert attempt.grade().details["actions"] == 2


def test_a_part_that_means_something_else_in_the_whole_plan_is_at_fault(sandbox: Sandbox, tiny: World) -> None:
    """The plan is one text, so what an earlier part calls `range` is no longer the built-in function."""
    progress = TeamProgress(PlanAttempt(sandbox, team_task(tiny), 0))
    first, second = "range = [1, 2]\nmove('Hero', 1, 0)\n", "for _ in range(2):\n    fight('Hero')\n"
    asyncio.run(progress.accept("go", first, asyncio.run(progress.try_out(first))))
    joined = asyncio.run(progress.try_out(second))
    assert not joined.faultless
    assert "TypeError: 'list' object is not callable" in joined.told
    other = asyncio.run(progress.try_out(second.replace("range(2)", "(1, 2)")))
    assert other.faultless
    assert len(other.actions) == 2


def test_a_part_that_asks_what_an_earlier_one_defined_is_at_fault(sandbox: Sandbox, tiny: World) -> None:
    progress = TeamProgress(PlanAttempt(sandbox, team_task(tiny), 0))
    first = "there = 1\nmove('Hero', 1, 0)\n"
    asyncio.run(progress.accept("go", first, asyncio.run(progress.try_out(first))))
    second = "try:\n    print(there)\nexcept NameError:\n    fight('Hero')\n"
    assert not asyncio.run(progress.try_out(second)).faultless


def test_what_is_left_of_a_budget_is_told_without_the_way_it_was_made(sandbox: Sandbox, tiny: World) -> None:
    attempt = FeedbackAttempt(sandbox, team_task(tiny, budget=10, budget_factor=2.0))
    made = "times a proven lower bound"
    assert made in attempt.briefing.facts["goal"]
    attempt.step(Reply("```python\nmove('Hero', 1, 0)\n```"))
    goal = attempt.briefing.facts["goal"]
    assert "at most 9 actions" in goal
    assert made not in goal


FORMS = {name: form for name, form in vars(paper).items() if isinstance(form, Form)}
ASKED_BY_A1 = {"SUBTASKS", "JUDGEMENT", "ACTIONS"}


def parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema and all that it is made of."""
    yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from parts(inner)


@pytest.mark.parametrize(
    ("agent", "forms"), [(paper.A1, ASKED_BY_A1), (paper.A2, FORMS.keys() - {"ACTIONS"})], ids=["a1", "a2"]
)
def test_the_identity_of_a_team_covers_its_forms(
    agent: type[paper.A1 | paper.A2], forms: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = agent().identity
    for name in forms:
        with monkeypatch.context() as changed:
            changed.setattr(paper, name, Form("other", {}))
            assert agent().identity != before, name


@for_each("form", FORMS.values())
def test_each_part_of_a_form_has_a_type_and_each_object_all_of_its_properties(form: Form) -> None:
    for part in parts(dict(form.schema)):
        assert "type" in part, part
        if part["type"] == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False


KINDS = {
    "plain": ("--difficulty", "1-9"),
    "leveling": ("--leveling",),
    "decoys": ("--knowledge", "decoys", "--plan", "straight", "--defeat", "final"),
    "stochastic": ("--stochastic",),
}


@cache
def made(kind: str, count: int) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "tasks.jsonl")
        done = herobench("generate", *KINDS[kind], "--count", str(count), "--seed", "16", "-o", str(path))
        assert done.returncode == 0, done.stderr
        return path.read_bytes()


def tasks(folder: Path, kind: str, count: int) -> Path:
    path = folder / f"{kind}.jsonl"
    path.write_bytes(made(kind, count))
    return path


@for_each("way", WAYS)
def test_the_competent_model_wins(way: tuple[str, str], tmp_path: Path) -> None:
    count = many(20, 1)
    for kind in KINDS:
        with game(tmp_path / kind, tasks(tmp_path, kind, count), way) as trial:
            trial.work()
            assert won(trial) == [True] * count, kind
            assert [row["unfinished"] for row in trial.samples] == [None] * count
            trial.assert_whole()
