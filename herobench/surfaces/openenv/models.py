"""What clients and environments of OpenEnv send each other."""

from __future__ import annotations

from typing import Annotated, Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field, WithJsonSchema, model_validator

_ABOUT = (
    "The turn of the model: a plan, alone or in a block of code with any words around it, or an answer. Where the task "
    'has tools, a call as JSON, {"name": ..., "arguments": {...}}, or a list of calls.'
)


class PlanAction(Action):  # type: ignore[misc]
    """What the model says in one turn."""

    # pydantic's own texts refuse half a character, which a model may say; some clients send JSON as they have read it
    plan: Annotated[Any, WithJsonSchema({"type": "string", "description": _ABOUT})]

    @model_validator(mode="before")
    @classmethod
    def _call(cls, given: Any) -> Any:
        """Take a call of a tool that stands for the whole action."""
        is_call = isinstance(given, dict) and given.keys() <= {"name", "arguments"} and "name" in given
        return {"plan": given} if is_call else given


class PlanObservation(Observation):  # type: ignore[misc]
    """What the model is told. The reward is the score as a fraction, at the end; None where it was not measured."""

    messages: list[dict[str, Any]] = Field(description="What is new since the last turn, as chat APIs have messages.")
    tools: list[dict[str, Any]] = Field(description="Tools that may be called, as chat APIs have them.")


class PlanState(State):  # type: ignore[misc]
    """Where an episode stands. It tells nothing of the solution."""

    suite: str = ""
    dataset: str = ""
    task_id: str | None = None
    group: str | None = None
    epoch: int = 0
    over: bool = False
