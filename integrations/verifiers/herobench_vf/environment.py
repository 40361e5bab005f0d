"""The environment: one agent that talks with the suite until the attempt is over.

By default it runs our harness in a local process, which only passes messages on. Plans run in HeroBench's sandbox.
"""

from __future__ import annotations

import asyncio

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarnessConfig

from herobench.data.errors import UsageError
from herobench.models.messages import chat_messages
from herobench.scorer import Play
from herobench_vf.harness import HeroBenchHarness
from herobench_vf.taskset import SuiteTask


class HeroBenchEnvConfig(vf.EnvConfig):
    """The one agent."""

    agent: vf.AgentConfig = vf.AgentConfig(harness=NullHarnessConfig(id="herobench-vf"), runtime=vf.SubprocessConfig())


class HeroBenchEnv(vf.Env[HeroBenchEnvConfig]):
    """An attempt, turn by turn. The task scores it by its trace."""

    async def run(self, task: SuiteTask, agents: vf.Agents) -> None:
        """Let the agent play. An attempt that is interrupted keeps its trace, with an error in place of a reward."""
        this = asyncio.current_task()
        if this is not None and this.cancelling():
            raise asyncio.CancelledError  # what was interrupted is not tried again
        play = await asyncio.to_thread(task.begin)
        async with agents.agent.interaction(task) as interaction:
            try:
                await _play(play, interaction, sends_all=not isinstance(agents.agent.harness, HeroBenchHarness))
            except asyncio.CancelledError:
                raise vf.RolloutError("The attempt was interrupted.") from None


async def _play(play: Play, interaction: vf.Interaction, *, sends_all: bool) -> None:
    """Play an attempt. Raise UsageError when the suite sends less than the whole conversation, and the harness all."""
    said = len(play.conversation)
    segment = await interaction.turn()
    while not segment.terminated:
        told = await asyncio.to_thread(play.say, segment.last_reply)
        if play.over:
            return
        said += 1 + len(told)
        if not sends_all:
            segment = await interaction.turn(chat_messages(play.conversation))
        elif len(play.conversation) == said:
            segment = await interaction.turn(chat_messages(told))
        else:
            raise UsageError("This suite sends the last turns only: play it by the harness herobench-vf.")
