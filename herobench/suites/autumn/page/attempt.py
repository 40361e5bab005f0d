"""An episode that is told to a page: each message is one JSON object, and each reply has one action.

A page draws what it is told last, so it is sent nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from herobench.conversation import Message, Reply, Request
from herobench.page.server import Page
from herobench.suite.contract import Attempt, Verdict
from herobench.suites.autumn.episode.challenge import Challenge
from herobench.suites.autumn.episode.episode import Episode, Palette
from herobench.suites.autumn.episode.figures import judge_episode
from herobench.suites.autumn.episode.options import PAGE, ChallengeStyle
from herobench.suites.autumn.episode.phase import (
    HIDDEN,
    FilmSeen,
    GoalSeen,
    Grid,
    Interaction,
    Refusal,
    Seen,
    StoredSeen,
)
from herobench.suites.autumn.episode.picture import paint
from herobench.suites.autumn.episode.tests import FOUND, DetectionTest, PlanningTest
from herobench.suites.autumn.episode.tool_calls import action_in
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.world import AutumnWorld
from herobench.suites.autumn.making.search import state_key

_ACTION = re.compile(r"[A-Za-z0-9_ !-]{1,40}")
_FASTEST = 60
"""The most frames a second: browsers draw no more."""


def page_view(episode: Episode, style: ChallengeStyle, refusal: Refusal | None = None) -> dict[str, Any]:
    """Return what is to be seen now. The number of the turn comes first: players look for it there."""
    colors = Palette()
    challenge, view = episode.challenge, episode.seen
    is_disclosed = style.disclosure == "told" or episode.test is not None
    return {
        "turn": episode.turns,
        "total": episode.total,
        "step": episode.interaction.steps,
        "steps": style.steps,
        "phase": _phase(episode, view),
        "family": challenge.family if is_disclosed else None,
        "resets": episode.interaction.resets_left,
        "hints": list(challenge.hints) if style.has("hints") else [],
        "refused": refusal,
        "rate": _rate(episode, style),
        "can_announce": FOUND in episode.offered,
        "grid": _grid_rows(colors, view.grid),
        **_more(episode, colors),
        "colors": [[name, "" if name == HIDDEN else f"#{paint(name)}"] for name in colors],
    }


def _phase(episode: Episode, view: Seen) -> str:
    """Return the name of the phase; the search for the first changed frame is one of its own."""
    if episode.test is None:
        return "interaction"
    return "frames" if isinstance(view, StoredSeen) else episode.challenge.family


def _more(episode: Episode, colors: Palette) -> dict[str, Any]:
    """Return what a test shows beside the grid."""
    match episode.seen, episode.test:
        case GoalSeen() as seen, _:
            return {"goal": _grid_rows(colors, seen.shown)}
        case FilmSeen() as seen, _:
            film = {"number": seen.position, "last": seen.last, "action": seen.action}
            return {"film": film, "choices": [_grid_rows(colors, choice) for choice in seen.choices or ()]}
        case StoredSeen() as seen, DetectionTest() as test:
            return {"frame": {"number": seen.number, "last": test.last, "chosen": seen.chosen}}
        case _, DetectionTest():
            return {"before": list(episode.challenge.test_start.actions)}
        case _:
            return {}


def _rate(episode: Episode, style: ChallengeStyle) -> int:
    """Return how many frames a second the world advances by itself; 0 if it does not."""
    phase = episode.phase
    if style.pace != "real" or not isinstance(phase, Interaction | PlanningTest | DetectionTest):
        return 0
    if isinstance(episode.seen, StoredSeen):
        return 0
    return min(phase.world.frame_rate, _FASTEST) if _moves_alone(phase.world) else 0


def _moves_alone(world: AutumnWorld) -> bool:
    """Return whether a step without an action changes anything in a world, hidden variables included."""
    after = world.clone()
    try:
        after.act("noop")
    except AutumnError:
        return True
    return state_key(world) != state_key(after)


def _grid_rows(colors: Palette, grid: Grid) -> list[str]:
    """Return a grid as rows of characters."""
    return ["".join(map(colors.__getitem__, row)) for row in grid]


class PageAttempt(Attempt):
    """One challenge that a person plays."""

    def __init__(self, challenge: Challenge, style: ChallengeStyle) -> None:
        self._style = style
        self._episode = Episode(challenge, style.steps, style.total, style.stack, style.most_resets)
        self._newest = self._view_message(None)

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
        refusal = self._episode.act(action_in(reply.final_text))
        if self._episode.ending:
            return None
        self._newest = self._view_message(refusal)
        return (self._newest,)

    def _view_message(self, refusal: Refusal | None) -> Message:
        return Message("user", json.dumps(page_view(self._episode, self._style, refusal)))

    def grade(self) -> Verdict:
        """Judge the episode."""
        return judge_episode(self._episode, PAGE, self._style)


class AutumnPage(Page):
    """The page with the grid: it shows the newest view, and answers with one action."""

    package = "herobench.suites.autumn.page"
    options = MappingProxyType({"mode": PAGE, "pace": "real", "steps": "500", "total": "1000"})
    longest = 1_000

    def view(self, request: Request) -> Any:
        """Return the newest view."""
        return json.loads(request.messages[-1].text)

    def reply(self, answer: object) -> Reply | None:
        """Return an action as a reply; None for a text that can be none."""
        is_action = isinstance(answer, str) and _ACTION.fullmatch(answer)
        return Reply(f"<action>{answer}</action>", stop="stop") if is_action else None
