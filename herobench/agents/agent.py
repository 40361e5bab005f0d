"""The contract of an agent, which plays an attempt by asking a model, and the plain agents."""

from __future__ import annotations

import asyncio
import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from time import perf_counter, thread_time
from types import MappingProxyType
from typing import Protocol, cast

from herobench.conversation import Form, Message, Reply, Tool
from herobench.data.errors import Fault, UsageError, abbreviate
from herobench.suite import plugins
from herobench.suite.contract import Attempt


class AgentFault(Fault):
    """The kinds of errors of agents."""

    ARGUMENT = "The agent {point} takes {told}."
    BAD_COUNT = "The agent {name} takes a number from 1 to {most}, as in {name}:5, not {argument!r}."
    BAD_FACTS = "The agent {name} describes itself wrongly: {error}."


class Unfinished(Exception):
    """Raised to end an attempt early, with the reason. The attempt is judged by its replies so far."""


class Ask(Protocol):
    """Sends a conversation to the model and returns its reply.

    Do not catch ModelError: it ends the attempt. Do not catch Unfinished either: the attempt has reached a limit."""

    def __call__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: Sequence[str] = (),
    ) -> Awaitable[Reply]:
        """Ask the model once. `form` is the form of the answer. The run stores role and branch with the call.

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
        rule = f"no argument: say {point}, not {name!r}" if colon else f"an argument behind a colon: {point}:ARGUMENT"
        raise UsageError(AgentFault.ARGUMENT, point=point, told=rule)
    return cast("Agent", plugins.build(plugins.AGENTS, point, *arguments, kind=Agent))


def read_count(name: str, argument: str) -> int:
    """Return the number behind an agent's name, from 1 to 100. Raise UsageError for any other text."""
    if not re.fullmatch(r"[1-9][0-9]{0,2}", argument) or int(argument) > _MOST_COUNT:
        raise UsageError(AgentFault.BAD_COUNT, name=name, most=_MOST_COUNT, argument=argument)
    return int(argument)


def _takes(make: object, arguments: Sequence[str]) -> bool:
    """Return whether an entry point takes these arguments. A value that cannot be called fails later."""
    if callable(make):
        try:
            inspect.signature(make).bind(*arguments)
        except TypeError:
            return False
        except ValueError:  # written in C, without a signature
            pass
    return True


def agent_facts(agent: Agent, name: str) -> AgentFacts:
    """Return the attributes of an agent. Raise UsageError for wrong types."""
    try:
        facts = AgentFacts(agent.modes, agent.suites, dict(agent.identity))
        for what, texts in (("modes", facts.modes), ("suites", facts.suites)):
            if not isinstance(texts, tuple | list):  # the letters of a text would be names
                raise TypeError(f"its {what} are {abbreviate(texts)}, not a tuple of texts")
        if not all(isinstance(text, str) for text in (*facts.modes, *facts.suites, *chain(*facts.identity.items()))):
            raise TypeError("its modes, suites and identity are not all texts")
        return facts
    except (Exception, SystemExit) as error:  # foreign code: an attribute may be a property that fails
        raise UsageError(AgentFault.BAD_FACTS, name=name, error=error) from error


_MOST_COUNT = 100
MOST_TURNS = 1_000
"""The most turns of an attempt. Each turn sends the whole conversation again, so an endless attempt would fill the disk
and cost money."""
_QUICK = 0.005
"""The seconds of a quick turn. After one, the next needs no thread: handing it over would take as long."""


def _timed_step(attempt: Attempt, reply: Reply) -> tuple[Sequence[Message] | None, bool]:
    """Take a step of an attempt. Return its messages, and whether it was quick.

    Only the thread's own time counts, since other threads may compute meanwhile. If the attempt waits, all time counts.
    """
    clock = perf_counter if attempt.waits else thread_time
    start = clock()
    messages = attempt.step(reply)
    return messages, clock() - start < _QUICK


class Memory:
    """Keeps what the model is sent of one attempt: the whole conversation, unless the suite sends a part of it."""

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._conversation = list(attempt.messages)

    async def carry_on(self, turn: Sequence[Message]) -> Sequence[Message]:
        """Add a turn, which is a reply with the messages that answer it. Return the messages of the next request."""
        self._conversation += turn
        window = self._attempt.conversation
        return list(self._conversation if window is None else window)


async def play_turns(attempt: Attempt, ask: Ask, memory: Memory) -> None:
    """Ask the model, give its reply to the attempt, and repeat with what the memory sends next."""
    conversation: Sequence[Message] = list(attempt.messages)
    is_quick = False
    for number in range(1, MOST_TURNS + 1):
        reply = await ask(conversation, attempt.tools, branch=(f"Turn {number}",))
        step = partial(_timed_step, attempt, reply)
        messages, is_quick = step() if is_quick else await asyncio.to_thread(step)
        if messages is None:
            return
        conversation = await memory.carry_on([reply.as_message(), *messages])
    raise Unfinished(f"the attempt did not end in {MOST_TURNS:,} turns")


class OneShot(Agent):
    """The plain agent: it adds nothing to the conversation."""

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Play turn by turn with all that the suite wants sent."""
        await play_turns(attempt, ask, Memory(attempt))


class Tools(OneShot):
    """The plain agent for tools: it opens suites in their mode `tools`."""

    modes = ("tools",)
