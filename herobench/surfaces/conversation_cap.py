"""Plays turns of a server's clients, and refuses those by which a conversation would grow without bound.

A server keeps a conversation for as long as its session. Suites bound the turns of an attempt, but not what is said in
them, and some let a client choose how many turns there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from weakref import WeakSet

from herobench.conversation import Message
from herobench.scorer import Play, Said
from herobench.scorer.play import reply_of, size_of
from herobench.surfaces.refused import Refused

MOST = 16 * 2**20
"""The most characters of a conversation: four times what the longest contexts of models hold."""
IN_ALL = 16 * MOST
"""The most characters of all conversations of a process, of which short ones go on nevertheless."""
_SHORT = MOST // 16

_played: WeakSet[Play] = WeakSet()
_lock = Lock()


def say_within(play: Play, said: Said, most: int = MOST, in_all: int = IN_ALL) -> Sequence[Message]:
    """Play a turn. Raise Refused, and leave the attempt as it is, when conversations would hold more characters."""
    reply = reply_of(said)
    size = play.size + size_of(reply)
    if size > most:
        raise Refused(
            413,
            f"The conversation of an attempt may have {most:,} characters, and with this turn it has more: say less, "
            "or end the attempt, which is scored by its turns so far.",
        )
    with _lock:
        _played.add(play)
        others = sum(one.size for one in _played if one is not play)
    if size > _SHORT and others + size > in_all:
        raise Refused(
            429,
            f"The conversations of all attempts have more than {in_all:,} characters. Until others end, those of more "
            f"than {_SHORT:,} take no turns: end the attempt, or try again later.",
        )
    return play.say(reply)
