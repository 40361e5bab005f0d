"""The agent of a run, and the mode in which the suite is opened for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from herobench.agents.agent import OneShot
from herobench.runs import config
from herobench.runs.config import choose_agent
from herobench.runs.refusals import RunFault
from herobench.suite import Suite
from tests.refusals import raises
from tests.sizes import for_each

MODES = {"rpg": ("plan", "feedback", "tools"), "talk": ("turns",), "plain": ()}
NONE: Mapping[str, str] = {}


class Picky(OneShot):
    """Plays two modes, of one suite."""

    modes = ("feedback", "plan")
    suites = ("rpg",)


@pytest.fixture(autouse=True)
def suites(monkeypatch: pytest.MonkeyPatch) -> None:
    real = config.build_agent
    monkeypatch.setattr(config, "suite_class", lambda name: type(name, (Suite,), {"modes": MODES[name]}))
    monkeypatch.setattr(config, "build_agent", lambda name: Picky() if name == "picky" else real(name))


def before(agent: str, **options: str) -> dict[str, Any]:
    """The run.json of an earlier session."""
    return {"config": {"agent": agent}, "conduct": {"options": options}}


@for_each(
    ("agent", "suite", "options", "chosen"),
    [
        (None, "rpg", {}, {"mode": "plan"}),
        (None, "rpg", {"mode": "feedback"}, {"mode": "feedback"}),
        (None, "rpg", {"mode": "tools", "rules": "paper"}, {"mode": "tools", "rules": "paper"}),
        (None, "rpg", {"mode": "plan"}, {"mode": "plan"}),
        ("tools", "rpg", {}, {"mode": "tools"}),
        ("best-of:3", "rpg", {}, {"mode": "plan"}),
        ("picky", "rpg", {}, {"mode": "feedback"}),
        ("picky", "rpg", {"mode": "plan"}, {"mode": "plan"}),
        (None, "talk", {}, {"mode": "turns"}),
        ("tools", "plain", {}, {}),
        (None, "plain", {"mode": "its own"}, {"mode": "its own"}),
    ],
)
def test_the_mode_is_the_one_that_is_wished_for_or_that_the_agent_prefers(
    agent: str | None, suite: str, options: dict[str, str], chosen: dict[str, str]
) -> None:
    choice = choose_agent(agent, suite, options, None)
    assert choice.options == chosen
    assert choice.name == (agent or "one-shot")


@for_each(
    ("agent", "suite", "options", "fault"),
    [
        (None, "rpg", {"mode": "chat"}, RunFault.NO_MODE),
        ("tools", "rpg", {"mode": "feedback"}, RunFault.AGENT_WITHOUT_MODE),
        ("tools", "rpg", {"mode": "plan"}, RunFault.AGENT_WITHOUT_MODE),
        ("best-of:2", "rpg", {"mode": "tools"}, RunFault.AGENT_WITHOUT_MODE),
        ("tools", "talk", {}, RunFault.NO_COMMON_MODE),
        ("picky", "plain", {}, RunFault.AGENT_OF_OTHER_SUITES),
    ],
)
def test_what_does_not_fit_is_refused(agent: str | None, suite: str, options: dict[str, str], fault: RunFault) -> None:
    with raises(fault, agent or suite):
        choose_agent(agent, suite, options, None)


def test_a_resumed_run_keeps_its_agent_its_mode_and_its_other_settings() -> None:
    kept = before("one-shot", mode="feedback", rules="paper")
    choice = choose_agent(None, "rpg", NONE, kept)
    assert (choice.name, choice.options) == ("one-shot", {"rules": "paper", "mode": "feedback"})
    assert choose_agent(None, "rpg", {"mode": "plan"}, kept).options == {"rules": "paper", "mode": "plan"}
    assert choose_agent(None, "rpg", NONE, before("tools", mode="tools")).name == "tools"
