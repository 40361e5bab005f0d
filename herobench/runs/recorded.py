"""An attempt whose replies are recorded, so that the sample can keep them and the attempt can be scored again.

The runner wraps the suite's attempt before an agent plays it. An error of the suite stops the run: it must not be taken
for an error of the agent, which costs one attempt only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from herobench.conversation import Message, Reply, Tool
from herobench.errors import HeroBenchError, SuiteError
from herobench.suite import Attempt, Suite, Verdict


class RecordedAttempt:
    """Passes everything on to the suite's attempt, and keeps the replies."""

    def __init__(self, suite: Suite, task_id: str, epoch: int) -> None:
        self.replies: list[Reply] = []
        self.over = False
        self.failure: HeroBenchError | None = None
        """Set when the suite failed; the run cannot go on then."""
        self._where = f"The suite {suite.name} failed at {task_id}, epoch {epoch}"
        try:
            self._attempt: Attempt = suite.open(task_id, epoch)
        except Exception as error:
            raise self._failed(error) from error

    @property
    def messages(self) -> Sequence[Message]:
        """The messages that open the conversation."""
        try:
            return self._attempt.messages
        except Exception as error:
            raise self._failed(error) from error

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that the model may call."""
        return self._attempt.tools

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Take in a reply. Raise TypeError when an agent gives something else, or gives one after the end."""
        if not isinstance(reply, Reply):
            raise TypeError(f"it gave a {type(reply).__name__} to the attempt, not a Reply")
        if self.over:
            raise TypeError("it gave a reply to an attempt that is over")
        self.replies.append(reply)
        try:
            told = self._attempt.step(reply)
        except Exception as error:
            raise self._failed(error) from error
        self.over = told is None
        return told

    def grade(self) -> Verdict:
        """Judge the replies. Raise SuiteError when the suite fails."""
        try:
            return self._attempt.grade()
        except Exception as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> HeroBenchError:
        known = error if isinstance(error, HeroBenchError) else None
        self.failure = known or SuiteError(f"{self._where}: {type(error).__name__}: {error}")
        return self.failure


def replayed(suite: Suite, task_id: str, epoch: int, replies: Iterable[Reply]) -> RecordedAttempt:
    """Play kept replies into a fresh attempt, up to its end."""
    attempt = RecordedAttempt(suite, task_id, epoch)
    for reply in replies:
        if attempt.over:  # the suite may end attempts earlier now than when the replies were given
            break
        attempt.step(reply)
    return attempt
