"""An agent for long attempts: the model is sent the opening, its own notes and the latest turns.

When there are more turns than the window holds, the model is asked to write its notes anew, and the older half of the
turns is sent no more. So the opening and the notes stay the same for some turns, and servers can cache them. A suite
that has a window of its own sends its latest turns anyway: there the notes are on the turns that leave it.

The turns are told to the model as one text. Servers refuse calls of tools in a conversation that offers none, and a
model that is offered tools would call them and write nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise

from herobench.agents.agent import Agent, Ask, Memory, play_turns, read_count
from herobench.agents.dialog import dialog_identity
from herobench.conversation import NOTES_ROLE, Message, without_thoughts
from herobench.prompts.words import load_words
from herobench.suite.contract import Attempt

_MOST_CHARACTERS = 4_000
"""The longest notes. What a model writes beyond is cut off."""
_OWN = load_words("agents/notes")


class Notes(Agent):
    """Plays turn by turn with a window and notes; `notes:N` has a window of N turns."""

    modes = ("tools", "feedback")

    def __init__(self, argument: str = "10") -> None:
        self._window = read_count("notes", argument)
        self.identity = dialog_identity(["agents/notes"], [])

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Play with a notebook of its own for each attempt."""
        await play_turns(attempt, ask, Notebook(attempt, ask, self._window))


class Notebook(Memory):
    """The notes of one attempt, and the turns that they do not tell yet."""

    def __init__(self, attempt: Attempt, ask: Ask, window: int) -> None:
        super().__init__(attempt)
        self._ask, self._window = ask, window
        self._turns: list[Sequence[Message]] = []
        """The turns since those that the notes tell."""
        self._noted = 0
        """The number of turns that the notes tell."""
        self._notes = ""

    async def carry_on(self, turn: Sequence[Message]) -> Sequence[Message]:
        """Add a turn. Have the notes written anew if there are too many turns, and return the next messages."""
        self._turns.append(turn)
        suite_window = self._attempt.conversation
        opening, latest = self._attempt.messages, self._turns
        if suite_window is not None:
            opening, latest = _split(suite_window)
        latest = latest[-self._window :]
        if len(self._turns) > len(latest):
            await self._write(opening, len(self._turns) - (len(latest) + 1) // 2)
        if suite_window is None:
            latest = self._turns
        if self._notes:
            opening = _with_text(opening, _OWN.fill("notebook", count=self._noted, notes=self._notes))
        return [*opening, *chain.from_iterable(latest)]

    async def _write(self, opening: Sequence[Message], count: int) -> None:
        """Have the model write notes that tell the oldest turns too. It is sent the opening, its notes and these turns.

        After a reply without a text the turns are sent on, so that none is lost; the next turn asks again.
        """
        turns = self._turns[:count]
        numbered = enumerate(turns, self._noted + 1)
        told = "\n\n".join(f"## Turn {number}\n\n{_told(turn)}" for number, turn in numbered)
        notes = self._notes or _OWN.fill("none")
        text = _OWN.fill("write", most=f"{_MOST_CHARACTERS:,}", notes=notes, turns=told)
        question = _with_text(opening, text, [picture for turn in turns for part in turn for picture in part.pictures])
        branch = (f"Turn {self._noted + len(self._turns)}", "Notes")
        reply = await self._ask(question, role=NOTES_ROLE, branch=branch)
        if notes := reply.final_text.strip()[:_MOST_CHARACTERS]:
            self._notes, self._turns = notes, self._turns[count:]
            self._noted += count


def _split(conversation: Sequence[Message]) -> tuple[Sequence[Message], list[Sequence[Message]]]:
    """Return the opening of a conversation, and its turns: each begins with a message of the assistant."""
    starts = [place for place, message in enumerate(conversation) if message.role == "assistant"]
    bounds = [*starts, len(conversation)]
    return conversation[: bounds[0]], [conversation[start:end] for start, end in pairwise(bounds)]


def _with_text(opening: Sequence[Message], text: str, pictures: Sequence[str] = ()) -> list[Message]:
    """Return an opening with a text below its last message. Many servers refuse two messages of the user in a row."""
    *before, last = opening
    return [*before, replace(last, text=f"{last.text}\n\n{text}", pictures=(*last.pictures, *pictures))]


def _told(turn: Sequence[Message]) -> str:
    """Return what was said in a turn, with the calls of tools and without thoughts."""
    parts: list[str] = []
    for message in turn:
        if text := without_thoughts(message.text)[0].strip():
            parts.append(_OWN.fill("said" if message.role == "assistant" else "answer", text=text))
        parts += [_OWN.fill("call", name=call.name, arguments=call.arguments) for call in message.tool_calls]
    return "\n\n".join(parts)
