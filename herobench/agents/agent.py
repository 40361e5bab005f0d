"""The contract of an agent, which carries an attempt's conversation on with a model, and the plain agents."""

from __future__ import annotations

import asyncio
import inspect
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter, thread_time
from types import MappingProxyType
from typing import Protocol, cast

from herobench.conversation import Form, Message, Reply, Tool
from herobench.data.errors import UsageError
from herobench.data.typecheck import declared
from herobench.suite import plugins
from herobench.suite.contract import Attempt


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
        """Ask the model once. `form` is the form of the answer. The run keeps role and branch with the call.

        The branch is the call's place in the attempt: short titles from the top down. The model never sees it."""
        ...


class Agent(ABC):
    """Plays attempts. A package adds an agent by an entry point in the group `herobench.agents`."""

    modes: tuple[str, ...] = ()
    """The modes of a suite that it can play, the preferred one first; empty for all."""
    suites: tuple[str, ...] = ()
    """The suites that it can play; empty for all."""
    identity: Mapping[str, str] = MappingProxyType({})
    """Texts that its questions depend on, such as the digest of its prompts. A run resumes only if they are equal."""

    @abstractmethod
    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Give replies to `attempt.step` until the attempt is over. Raise Unfinished if it cannot continue."""


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """The attributes of an agent, read once and checked."""

    modes: tuple[str, ...]
    suites: tuple[str, ...]
    identity: Mapping[str, str]


def build_agent(name: str) -> Agent:
    """Make an agent by the name of its entry point. Raise UsageError when it cannot be made."""
    point, colon, argument = name.partition(":")
    arguments = (argument,) if colon else ()
    if not _takes(plugins.load(plugins.AGENTS, point), arguments):
        told = f"no argument: say {point}, not {name!r}" if colon else f"an argument behind a colon: {point}:ARGUMENT"
        raise UsageError(f"The agent {point} takes {told}.")
    return cast("Agent", plugins.build(plugins.AGENTS, point, *arguments, kind=Agent))


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
    """Return the attributes of an agent. Raise UsageError for values of other types."""
    try:
        return declared(AgentFacts(agent.modes, agent.suites, agent.identity), AgentFacts, "it")
    except (Exception, SystemExit) as error:  # the code of others: a fact may be a property
        raise UsageError(f"The agent {name} describes itself wrongly: {error}.") from error


MOST_TURNS = 1_000
"""Every turn sends the whole conversation again, so a run of endless attempts would fill the disk and cost money."""
_QUICK = 0.005
"""Seconds. After a turn that took less, the next one needs no thread: handing it over would take as long."""


def _timed_step(attempt: Attempt, reply: Reply) -> tuple[Sequence[Message] | None, bool]:
    """Take a step of an attempt. Return what it tells, and whether it was quick.

    Between threads that compute, the wait for one's turn is as long as the step, so only its own work counts.
    """
    clock = perf_counter if attempt.waits else thread_time
    begun = clock()
    told = attempt.step(reply)
    return told, clock() - begun < _QUICK


class OneShot(Agent):
    """Adds nothing of its own to the conversation."""

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Ask, hand over the reply, and continue with the next messages of the attempt."""
        conversation = list(attempt.messages)
        is_quick = False
        for turn in range(1, MOST_TURNS + 1):
            reply = await ask(conversation, attempt.tools, branch=(f"Turn {turn}",))
            step = partial(_timed_step, attempt, reply)
            told, is_quick = step() if is_quick else await asyncio.to_thread(step)
            if told is None:
                return
            sent = attempt.conversation
            conversation = [*conversation, reply.as_message(), *told] if sent is None else list(sent)
        raise Unfinished(f"the attempt did not end in {MOST_TURNS:,} turns")


class Tools(OneShot):
    """Adds nothing of its own to the conversation, and opens suites that have a mode with tools in that mode."""

    modes = ("tools",)
