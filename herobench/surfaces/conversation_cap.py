"""Plays turns of a server's clients, and refuses those by which a conversation would grow without bound.

A server keeps a conversation for as long as its session. Suites bound the turns of an attempt, but not what is said in
them, and some let a client choose how many turns there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from herobench.conversation import Message
from herobench.scorer import Play, Said
from herobench.scorer.play import reply_of, size_of
from herobench.surfaces.refused import Refused

MOST = 16 * 2**20
"""The most characters of a conversation: four times what the longest contexts of models hold."""


def say_within(play: Play, said: Said, most: int = MOST) -> Sequence[Message]:
    """Play a turn. Raise Refused, and leave the attempt as it is, when the conversation would hold more characters."""
    reply = reply_of(said)
    if play.size + size_of(reply) > most:
        raise Refused(
            413,
            f"The conversation of an attempt may have {most:,} characters, and with this turn it has more: say less, "
            "or end the attempt, which is scored by its turns so far.",
        )
    return play.say(reply)
