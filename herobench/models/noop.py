"""The player that does nothing, through the same door as all others: what a task gives away for free."""

from __future__ import annotations

from herobench.conversation import Reply, Request
from herobench.errors import UsageError
from herobench.models.model import Setting

_NOTHING = "```python\npass\n```"


def build(setting: Setting) -> Noop:
    """The player; the entry point."""
    setting.without_sampling()
    if setting.argument:
        raise UsageError(f"The model noop takes no argument, and {setting.argument!r} is one.")
    return Noop()


class Noop:
    """Answers every task with a plan of no actions."""

    async def reply(self, request: Request) -> Reply:
        """The same plan always."""
        return Reply(_NOTHING, stop="stop", model="noop")

    async def close(self) -> None:
        """Nothing is held."""
