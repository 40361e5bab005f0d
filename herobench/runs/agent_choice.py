"""Chooses the agent of a run, and the mode in which the suite is opened for it.

A suite may have modes: forms in which the same tasks are played, such as `plan` (one reply with the whole plan) and
`feedback` (the plan in parts, each with what came of it). Its first mode is the usual one. An agent may be made for
some modes only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from herobench.agents.agent import Agent, AgentFacts, agent_facts, build_agent
from herobench.data.errors import UsageError
from herobench.suite.checked import suite_class

DEFAULT_AGENT = "one-shot"
MODE = "mode"
"""The suite's setting that names its mode."""
_FEEDBACK = "feedback"


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """The agent of a run."""

    name: str
    agent: Agent
    facts: AgentFacts
    options: Mapping[str, str]
    """The suite's settings, with the mode that the agent plays."""


def choose_agent(
    name: str | None, feedback: bool | None, suite: str, options: Mapping[str, str], before: Mapping[str, Any] | None
) -> AgentChoice:
    """Make the agent of a run; `before` is the run.json of a resumed one. Raise UsageError where nothing fits."""
    chosen = name or (before["config"]["agent"] if before else DEFAULT_AGENT)
    agent = build_agent(chosen)
    facts = agent_facts(agent, chosen)
    if facts.suites and suite not in facts.suites:
        raise UsageError(f"The agent {chosen} plays {' and '.join(facts.suites)} only, not {suite}.")
    settings = {**(before["conduct"]["options"] if before else {}), **options}
    modes = suite_class(suite).modes
    # a suite without modes may have a setting of this name for something else
    wanted = _wanted(feedback, settings.pop(MODE, None) if modes else None, suite, modes)
    mode = _mode(wanted, chosen, facts.modes, suite, modes)
    return AgentChoice(chosen, agent, facts, {**settings, **({} if mode is None else {MODE: mode})})


def _wanted(feedback: bool | None, said: str | None, suite: str, modes: Sequence[str]) -> str | None:
    """Return the mode that the user asks for; None if it is not said."""
    if feedback is None:
        return said
    if _FEEDBACK not in modes:
        raise UsageError(f"The suite {suite} has no mode with feedback: leave --feedback out.")
    return _FEEDBACK if feedback else modes[0]


def _mode(wanted: str | None, agent: str, played: Sequence[str], suite: str, modes: Sequence[str]) -> str | None:
    """Return the mode to open a suite in; None for a suite without modes."""
    if wanted is None:
        mode = next((mode for mode in played or modes if mode in modes), None)
        if mode is None and played and modes:
            raise UsageError(f"The agent {agent} plays {_list(played)}, and the suite {suite} has {_list(modes)}.")
    elif wanted not in modes:
        raise UsageError(f"The suite {suite} has no mode {wanted!r}: its modes are {_list(modes)}.")
    elif played and wanted not in played:
        raise UsageError(f"The agent {agent} does not play the mode {wanted}, only {_list(played)}.")
    else:
        mode = wanted
    # said for the usual one too: a resumed run must not fall back to the mode that it keeps
    return mode


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
