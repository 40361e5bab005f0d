"""An episode that is told to a page: each message is one JSON object, and each reply has one action.

A page draws what it is told last, so it is sent nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from herobench.conversation import Message, Reply, Tool
from herobench.errors import SuiteError
from herobench.suite import Verdict
from herobench.suites.autumn.challenge import Challenge
from herobench.suites.autumn.episode import Episode
from herobench.suites.autumn.figures import verdict_of
from herobench.suites.autumn.modes import PAGE
from herobench.suites.autumn.page.view import view_of
from herobench.suites.autumn.phase import Refusal
from herobench.suites.autumn.reply_text import action_in
from herobench.suites.autumn.style import Style


class PageAttempt:
    """One challenge that a person plays."""

    tools: Sequence[Tool] = ()

    def __init__(self, challenge: Challenge, style: Style) -> None:
        self._style = style
        self._episode = Episode(challenge, style.steps, style.total, style.stack)
        self._newest = self._told(None)

    @property
    def messages(self) -> Sequence[Message]:
        """The first view, and later the newest one."""
        return (self._newest,)

    @property
    def conversation(self) -> Sequence[Message]:
        """The newest view."""
        return (self._newest,)

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Do the action of a reply. Return what is to be seen then, or None when the episode is over."""
        refusal = self._episode.act(action_in(reply.text if reply.answer is None else reply.answer))
        if self._episode.ending:
            return None
        self._newest = self._told(refusal)
        return (self._newest,)

    def _told(self, refusal: Refusal | None) -> Message:
        return Message("user", json.dumps(view_of(self._episode, self._style, refusal)))

    def grade(self) -> Verdict:
        """Judge the episode."""
        if not self._episode.turns:
            raise SuiteError(f"The attempt at {self._episode.challenge.id} was graded before it had a reply.")
        return verdict_of(self._episode, PAGE, self._style)
