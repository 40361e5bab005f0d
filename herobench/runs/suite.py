"""What a run needs of a benchmark suite: its questions, and a judge for the replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from herobench.conversation import Reply


class Suite(Protocol):
    """Tasks with a judge."""

    @property
    def task_ids(self) -> Sequence[str]:
        """All tasks, in the order in which they are asked."""
        ...

    @property
    def confinement(self) -> Sequence[str]:
        """What holds back what models wrote, while it is judged."""
        ...

    def question(self, task_id: str, epoch: int) -> Question:
        """One attempt at a task."""
        ...

    def grade(self, task_id: str, epoch: int, reply: Reply) -> Mapping[str, Any]:
        """The scored row of a reply: its `outcome` is `win` or `lose`. Called from several threads at once."""
        ...

    def blank(self, task_id: str, epoch: int) -> Mapping[str, Any]:
        """The same row for an attempt without a reply: what is known of the task, and None for the rest."""
        ...
