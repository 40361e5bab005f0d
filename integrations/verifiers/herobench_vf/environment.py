"""The environment: one agent that talks with the suite until the attempt is over.

By default it runs the null harness in a local process, which only passes messages on. Plans run in HeroBench's sandbox.
"""

from __future__ import annotations

import asyncio

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarnessConfig

from herobench_vf.taskset import HeroBenchTask


class HeroBenchEnvConfig(vf.EnvConfig):
    """The one agent."""

    agent: vf.AgentConfig = vf.AgentConfig(harness=NullHarnessConfig(id="null"), runtime=vf.SubprocessConfig())


class HeroBenchEnv(vf.Env[HeroBenchEnvConfig]):
    """An attempt, turn by turn. The task scores it by its trace."""

    async def run(self, task: HeroBenchTask, agents: vf.Agents) -> None:
        """Let the agent play."""
        play = await asyncio.to_thread(task.scorer.play, task.data.task_id)
        async with agents.agent.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                told = await asyncio.to_thread(play.say, segment.last_reply)
                if play.over:
                    break
                segment = await interaction.turn("\n\n".join(message.text for message in told))
