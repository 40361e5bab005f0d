"""The best of several answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from herobench.agents.agent import Unfinished
from herobench.agents.best_of import BestOf
from herobench.conversation import Form, Message, Reply, Tool
from herobench.models.model_error import ErrorKind, ModelError
from tests.runs.trial import Numbers
from tests.sizes import for_each


class Model:
    """Gives plans to a planner and choices to a critic, one after the other; an exception is raised."""

    def __init__(self, plans: Sequence[str | Exception], choices: Sequence[str | Exception] = ()) -> None:
        self.says = {"planner": list(plans), "critic": list(choices)}
        self.asked: list[tuple[str | None, tuple[Message, ...]]] = []
        self.branches: list[tuple[str, ...]] = []

    async def __call__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: Sequence[str] = (),
    ) -> Reply:
        self.asked.append((role, tuple(messages)))
        self.branches.append(tuple(branch))
        assert (form is not None) == (role == "critic")
        said = self.says[str(role)].pop(0)
        if isinstance(said, Exception):
            raise said
        return Reply(said)

    @property
    def roles(self) -> list[str | None]:
        return [role for role, _ in self.asked]


def given_to(model: Model, count: int, turns: int = 1) -> Any:
    """What is given to an attempt."""
    attempt = Numbers(1, turns).open("t0", 0)
    try:
        asyncio.run(BestOf(str(count)).play(attempt, model))
    finally:
        said = (attempt.grade().events or {})["said"]
    return said


def test_the_answer_that_the_critic_prefers_is_given() -> None:
    model = Model(["t0 a", "t0 b", "t0 c"], ['{"choice": 2, "reason": "it is short"}'])
    assert given_to(model, 3) == ["t0 b"]
    assert model.roles == ["planner", "planner", "planner", "critic"]
    assert model.branches == [*(("Answers", f"Answer {number}") for number in (1, 2, 3)), ("Choice",)]
    assert len({messages for role, messages in model.asked if role == "planner"}) == 1
    (opening, question) = model.asked[-1][1]
    assert opening == model.asked[0][1][0], "the critic sees the task"
    assert "You proposed 3 answers" in question.text
    for number, text in enumerate(("t0 a", "t0 b", "t0 c"), 1):
        assert f"# Answer {number}\n\n{text}" in question.text


@for_each("count", [1, 3])
def test_answers_that_are_all_alike_need_no_critic(count: int) -> None:
    model = Model(["t0"] * count)
    assert given_to(model, count) == ["t0"]
    assert model.roles == ["planner"] * count


def test_a_choice_that_is_repaired_counts() -> None:
    model = Model(["t0 a", "t0 b"], ["the second", '{"choice": 3, "reason": null}', 'I take {"choice": 2}.'])
    assert given_to(model, 2) == ["t0 b"]
    assert "greater than the maximum of 2" in model.asked[-1][1][-1].text


def test_a_critic_that_never_chooses_ends_the_attempt_with_the_first_answer() -> None:
    model = Model(["t0 a", "t0 b"], ["0", '{"choice": 0}', '{"choice": "b"}'])
    attempt = Numbers(1).open("t0", 0)
    with pytest.raises(Unfinished, match=r"^the critic gave no answer of the form choice in 3 tries: "):
        asyncio.run(BestOf("2").play(attempt, model))
    assert (attempt.grade().events or {})["said"] == ["t0 a"]


@for_each("paid", [1, 2])
def test_a_limit_before_the_choice_gives_the_first_answer(paid: int) -> None:
    model = Model([*["t0 a", "t0 b"][:paid], Unfinished("the limit is reached")])
    attempt = Numbers(1).open("t0", 0)
    with pytest.raises(Unfinished, match=r"^the limit is reached$"):
        asyncio.run(BestOf("3").play(attempt, model))
    assert (attempt.grade().events or {})["said"] == ["t0 a"]


def test_a_limit_before_any_answer_gives_none() -> None:
    attempt = Numbers(1).open("t0", 0)
    with pytest.raises(Unfinished):
        asyncio.run(BestOf("3").play(attempt, Model([Unfinished("no")])))
    assert (attempt.grade().events or {})["said"] == []


def test_an_attempt_of_more_turns_cannot_be_played() -> None:
    with pytest.raises(Unfinished, match="gives one answer, and the attempt goes on after it"):
        given_to(Model(["t0"]), 1, turns=2)


def test_a_failure_of_the_model_passes() -> None:
    with pytest.raises(ModelError):
        given_to(Model(["t0", ModelError(ErrorKind.AUTH, "No.")]), 2)
