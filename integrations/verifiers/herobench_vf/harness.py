"""The program that asks the model. It sends the conversation that the suite wants sent, such as the last turns only."""

from __future__ import annotations

import verifiers.v1 as vf
from verifiers.v1.clients import ModelContext
from verifiers.v1.harnesses.null import NullHarness
from verifiers.v1.runtimes import Runtime


class HeroBenchHarness(NullHarness):
    """The null harness, to which the messages of a turn are the whole conversation."""

    async def resume(
        self,
        ctx: ModelContext,
        trace: vf.Trace,
        runtime: Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
        messages: vf.Messages,
        tool_interception_url: str | None = None,
    ) -> vf.ProgramResult:
        """Ask for the reply to a conversation. A system message is one of it."""
        sent = data.model_copy(update={"prompt": messages, "system_prompt": None})
        gate = {"tool_interception_url": tool_interception_url}
        return await self.launch(ctx, trace, runtime, endpoint, secret, mcp_urls, sent, **gate)
