"""The contract of an agent: it carries an attempt's conversation on with a model, in one call a turn or in many.

It asks through a function of the run, which paces, retries and keeps every call. Given the same replies, an agent must
ask the same again: a run that was killed replays its kept calls. Packages add agents by an entry point in the group
`herobench.agents`, whose value is called without arguments, or with the text behind the colon of `best-of:5`, and
returns an `Agent`. An agent may say more of itself than `Agent` asks: `modes`, `suites` and `identity` are read by
`agent_facts`.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from herobench import plugins
from herobench.conversation import Form, Message, Reply, Tool
from herobench.declared import declared
from herobench.errors import UsageError
from herobench.suite import Attempt


class Unfinished(Exception):
    """Raised to end an attempt early, with the reason. The attempt is judged by the replies that it was given."""


class Ask(Protocol):
    """Sends a conversation to the model and returns its reply.

    Let a ModelError pass: it ends the attempt. Let Unfinished pass too: a limit of the attempt is reached."""

    def __call__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: Sequence[str] = (),
    ) -> Awaitable[Reply]:
        """Ask the model once. The form is that of the answer. The run keeps role and branch with the call.

        The branch is the call's place in the attempt: short titles from the top down. The model never sees it."""
        ...


class Agent(Protocol):
    """Plays attempts."""

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Give replies to `attempt.step` until the attempt is over. Raise Unfinished where there is no way on."""
        ...


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """The needs of an agent, and what its questions depend on. An agent that says nothing needs nothing."""

    modes: tuple[str, ...] = ()
    """The modes of a suite that it can play, the preferred one first; empty for all."""
    suites: tuple[str, ...] = ()
    """The suites that it can play; empty for all."""
    identity: Mapping[str, str] = field(default_factory=dict)
    """Such as the digest of its prompts. A run resumes only if it is the same."""


def build_agent(name: str) -> Agent:
    """Make an agent by the name of its entry point. Raise UsageError when it cannot be made."""
    point, colon, argument = name.partition(":")
    arguments = (argument,) if colon else ()
    if not _takes(plugins.load(plugins.AGENTS, point), arguments):
        told = f"no argument: say {point}, not {name!r}" if colon else f"an argument behind a colon: {point}:ARGUMENT"
        raise UsageError(f"The agent {point} takes {told}.")
    return cast("Agent", plugins.build(plugins.AGENTS, point, *arguments, calls=["play"]))


def _takes(make: object, arguments: Sequence[str]) -> bool:
    """Return whether the value of an entry point can be called so. What cannot be called at all fails later."""
    if callable(make):
        try:
            inspect.signature(make).bind(*arguments)
        except TypeError:
            return False
        except ValueError:  # written in C, without a signature
            pass
    return True


def agent_facts(agent: Agent, name: str) -> AgentFacts:
    """Return what an agent says of itself. Raise UsageError when it is something else than its kind."""
    try:
        said = {fact: getattr(agent, fact) for fact in ("modes", "suites", "identity") if hasattr(agent, fact)}
        return declared(AgentFacts(**said), AgentFacts, "it")
    except (Exception, SystemExit) as error:  # the code of others: a fact may be a property
        raise UsageError(f"The agent {name} describes itself wrongly: {error}.") from error
