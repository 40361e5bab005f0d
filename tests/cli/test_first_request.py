"""What an agent would ask first."""

from __future__ import annotations

from typing import Any

from herobench.agents.agent import Agent
from herobench.agents.best_of import BestOf
from herobench.cli.dry_run import first_request
from herobench.conversation import Message
from herobench.runs.refusals import RunFault
from herobench.suite.contract import Attempt
from tests.refusals import raises
from tests.runs.trial import LOOK, Numbers
from tests.sizes import for_each


def test_the_first_question_has_its_role_and_its_tools() -> None:
    opening = first_request(Numbers(2, 2, [LOOK]), BestOf("2"), "t1")
    assert (opening.task_id, opening.role, opening.tools) == ("t1", "planner", (LOOK,))
    assert opening.messages == (Message("system", "Play."), Message("user", "t1"))


class Silent(Agent):
    async def play(self, attempt: Attempt, ask: Any) -> None: ...


class Failing(Agent):
    async def play(self, attempt: Attempt, ask: Any) -> None:
        raise LookupError("no map")


@for_each(("agent", "told"), [(Silent(), "it asks nothing"), (Failing(), "LookupError: no map")])
def test_an_agent_that_asks_nothing_is_a_usage_error(agent: Any, told: str) -> None:
    with raises(RunFault.AGENT_FAILS, told):
        first_request(Numbers(1), agent, "t0")
