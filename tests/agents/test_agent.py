"""Agents by name, with an argument, and what they say of themselves."""

from __future__ import annotations

from typing import Any

from herobench.agents.agent import AgentFacts, AgentFault, OneShot, Tools, agent_facts, build_agent
from herobench.agents.best_of import BestOf
from tests.refusals import raises
from tests.sizes import for_each


def read_facts(agent: Any) -> AgentFacts:
    return agent_facts(agent, "mine")


def test_an_argument_stands_behind_a_colon() -> None:
    agent = build_agent("best-of:12")
    assert isinstance(agent, BestOf)
    with raises(AgentFault.ARGUMENT, "say a1, not 'a1:3'"):
        build_agent("a1:3")


@for_each("name", ["best-of:", "best-of:0", "best-of:-3", "best-of:101", "best-of:5.0",
                                  "best-of:5:5", "best-of: 5", "best-of:\u0665", "best-of:05", "notes:0"])  # fmt: skip
def test_a_wrong_number_of_answers_is_a_usage_error(name: str) -> None:
    with raises(AgentFault.BAD_COUNT, "100"):
        build_agent(name)


def test_an_agent_that_says_nothing_needs_nothing() -> None:
    assert read_facts(OneShot()) == AgentFacts((), (), {})


def test_agents_name_their_modes_and_the_digest_of_their_words() -> None:
    assert read_facts(Tools()) == AgentFacts(("tools",), (), {})
    assert read_facts(build_agent("notes:3")).modes == ("tools", "feedback")
    facts = read_facts(BestOf("2"))
    assert facts.modes == ("plan",)
    assert len(facts.identity["agent_prompts"].split()) == 3
    assert facts.identity != read_facts(BestOf("3")).identity, "the form of the choice is another"


@for_each("wrong", [{"modes": "plan"}, {"modes": [1]}, {"identity": {"a": 1}}, {"suites": None}])
def test_an_agent_that_describes_itself_wrongly_is_refused(wrong: dict[str, Any]) -> None:
    with raises(AgentFault.BAD_FACTS, "mine"):
        read_facts(type("Wrong", (OneShot,), wrong)())


def test_so_is_one_whose_description_fails() -> None:
    class Failing(OneShot):
        @property
        def modes(self) -> tuple[str, ...]:
            raise RuntimeError("no modes today")

    with raises(AgentFault.BAD_FACTS, "mine", "no modes today"):
        read_facts(Failing())
