"""Tasks, turns, sessions and results as plain data: messages and tools in the form of chat APIs, and texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from herobench.conversation import Message
from herobench.models.messages import chat_messages, chat_tool
from herobench.scorer import Play, Said, Scorer
from herobench.surfaces.sessions import ClientSession, Refused, refuse_unknown_task


def listed(scorer: Scorer, offset: int, limit: int) -> dict[str, Any]:
    """Return a part of the tasks. Their rows are left out, since they hold solutions."""
    part = list(scorer.tasks.values())[offset : offset + limit]
    return {
        "suite": scorer.suite,
        "dataset": scorer.dataset,
        "total": len(scorer.tasks),
        "tasks": [{"id": task.id, "group": task.group} for task in part],
    }


def shown(scorer: Scorer, task_id: str) -> dict[str, Any]:
    """Return a task as a model sees it. Raise Refused when there is none."""
    refuse_unknown_task(scorer, task_id)
    play = scorer.play(task_id)
    return {"id": task_id, "group": scorer.tasks[task_id].group, **told(play, play.conversation)}


def began(session: ClientSession) -> dict[str, Any]:
    """Return how a new session stands."""
    return _state(session, session.play.conversation, details=False)


def said(session: ClientSession, turn: Said, *, details: bool = False) -> dict[str, Any]:
    """Play a turn, and return how the session stands after it. Raise Refused when the attempt is over, or too long."""
    with session.turn() as play:
        if play.over:
            raise Refused(409, "The attempt is over: close the session.")
        return _state(session, session.say(turn), details=details)


def said_and_paid(session: ClientSession, turn: Said, *, details: bool = False) -> dict[str, Any]:
    """Return what `said` does, with the reward of the turn, which is for the trainer and not for the model."""
    return {**said(session, turn, details=details), "reward": session.rewards[-1]}


def _state(session: ClientSession, news: Iterable[Message], *, details: bool) -> dict[str, Any]:
    play = session.play
    return {
        "session_id": session.key,
        "task_id": play.task_id,
        "turns": play.turns,
        **told(play, news),
        "over": play.over,
        "result": play.result().as_row(details=details) if play.over else None,
    }


def told(play: Play, news: Iterable[Message]) -> dict[str, Any]:
    """Return what a model is told: messages, and the tools of the attempt."""
    return {"messages": chat_messages(news), "tools": [chat_tool(tool) for tool in play.tools]}


# -- texts, for tools that exchange nothing else ----------------------------------------------------------------------


def as_text(messages: Iterable[Message]) -> str:
    """Return messages as one text."""
    return "\n\n".join(message.text for message in messages)
