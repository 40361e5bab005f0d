"""The tool-calling agent: the plain agent on a suite whose attempts offer tools, one call after the other."""

from __future__ import annotations

from herobench.agents.one_shot import OneShot


class Tools(OneShot):
    """Adds nothing of its own to the conversation, and opens suites that have a mode with tools in that mode."""

    modes = ("tools",)
