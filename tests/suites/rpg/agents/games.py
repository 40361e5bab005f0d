"""Runs of agents on the RPG, without a server: the suite in a mode, a model that is at hand, and a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from herobench.agents.agent import agent_facts, build_agent
from herobench.conversation import Model
from herobench.runs.options import AttemptLimits
from herobench.suite.contract import SuiteSetting
from herobench.suites.rpg.suite import Rpg
from tests.runs.trial import Trial

WAYS = (("a1", "plan"), ("a1", "feedback"), ("a2", "plan"), ("a2", "feedback"), ("one-shot", "feedback"),
        ("tools", "tools"), ("best-of:3", "plan"))  # fmt: skip
"""All agents with the modes that they play, but for the plain one."""

Made = Callable[[Model], Model]


@contextmanager
def game(
    folder: Path,
    tasks: Path,
    way: tuple[str, str],
    made: Made = lambda model: model,
    limits: AttemptLimits | None = None,
    world: Path | None = None,
    epochs: int = 1,
) -> Iterator[Trial]:
    """Yield a run of an agent in a mode. `made` makes the model from the oracle."""
    agent_name, mode = way
    agent = build_agent(agent_name)
    assert mode in (agent_facts(agent, agent_name).modes or (mode,))
    options = {"mode": mode} | ({"world": str(world)} if world else {})
    folder.mkdir(exist_ok=True)
    with closing(Rpg(SuiteSetting(tasks=tasks, options=options, workers=2))) as suite:
        yield Trial(folder, suite, made(suite.player("oracle")), agent, epochs, limits=limits or AttemptLimits())


def won(trial: Trial) -> Sequence[bool | None]:
    return [row["won"] for row in trial.samples]
