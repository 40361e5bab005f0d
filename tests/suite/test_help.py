"""What help a model had in an attempt follows from its suite, its model and its details."""

from typing import Any

import pytest

from herobench.data.errors import SuiteError
from herobench.suite import players
from herobench.suite.players import attempt_help, help_words, is_of_people
from tests.sizes import for_each


@for_each(
    ("suite", "model", "details", "expected"),
    [
        ("rpg", "gpt-5", {"track": "straight"}, "bare"),
        ("rpg", "gpt-5", {"track": "straight", "mode": "feedback"}, "feedback"),
        ("rpg", "gpt-5", {"track": "program", "mode": "tools"}, "tools"),
        ("rpg", "gpt-5", {"track": "program", "mode": "plan"}, "code"),
        ("rpg", "gpt-5", {}, "code"),
        ("rpg", "greedy:product", {"track": "straight"}, "solver"),
        ("rpg", "oracle", {"mode": "tools"}, "solver"),
        ("rpg", None, {"track": "straight", "mode": None}, "bare"),
        ("treasure", "gpt-5", {"mode": "plan"}, "bare"),
        ("treasure", "gpt-5", {"mode": "tools"}, "tools"),
        ("treasure", "silent", {"mode": "tools"}, "solver"),
        ("not-installed", "greedy", {"mode": "feedback"}, "feedback"),
        ("not-installed", "oracle", {}, "solver"),
    ],
)
def test_help_follows_from_suite_model_and_details(
    with_toy: None, suite: str, model: str | None, details: dict[str, Any], expected: str
) -> None:
    assert attempt_help(suite, model, details) == expected


@pytest.mark.parametrize(
    ("help_in", "told"),
    [
        (lambda details: "human", 'The suite tiny names the help "human", which is not one of bare, feedback, '),
        (lambda details: details["asked"], "The suite tiny failed in help: KeyError: 'asked'"),
    ],
)
def test_help_that_does_not_exist_is_the_fault_of_the_suite(
    monkeypatch: pytest.MonkeyPatch, help_in: Any, told: str
) -> None:
    monkeypatch.setattr(players, "_help_and_players", lambda suite: (help_in, frozenset()))
    with pytest.raises(SuiteError, match="^" + told):
        attempt_help("tiny", "gpt-5", {})


def test_kinds_of_help_have_one_order_in_words() -> None:
    assert help_words({"solver", "code", "bare"}) == "bare and code and solver"
    assert help_words(set()) == ""


@for_each(
    ("config", "expected"),
    [
        ({"suite": "rpg", "model": "human", "base_url": None}, True),
        ({"suite": "rpg", "model": "gpt-5", "base_url": "https://api.openai.com/v1"}, False),
        ({"suite": "rpg", "model": "oracle", "base_url": None}, False),
        ({"suite": "rpg", "model": "greedy:product", "base_url": None}, False),
        ({"suite": "rpg"}, False),
        ({"suite": ["rpg"], "model": "human"}, False),
        ({"suite": "nowhere", "model": 5}, False),
    ],
)
def test_a_run_is_of_people_if_its_config_says_so(config: dict[str, Any], expected: bool) -> None:
    assert is_of_people(config) is expected
