"""How a worker and its parent speak: frames of JSON over two pipes, four bytes of length first.

The parent trusts nothing of what arrives: a frame has a largest size, and its shape is checked value by value before
anything is made of it.
"""

from __future__ import annotations

import json
import math
import os
import struct
from itertools import groupby
from typing import Any

from herobench.rpg.episode import END_KINDS, Ended, Ending
from herobench.rpg.events import Action
from herobench.sandbox.confine import LAYERS
from herobench.sandbox.limits import Limits
from herobench.sandbox.played import MOST_TEXT, Played, fits

MOST_BYTES = 8 << 20
"""The longest message, apart from what a plan attempted and printed."""
_MOST_ATTEMPT = 5 * (MOST_TEXT + 20) + 100
"""Bytes of one attempt: at most four arguments, each with its name, and the action's own name and line."""
_MOST_CHARACTER = 12
"""Bytes of one character outside the basic plane, written in JSON."""
MOST_ATTEMPTS = 1_000_000
"""More than this no message may stand for, whatever the limits of a plan."""
_LENGTH = struct.Struct(">I")
_ENDS: tuple[Ended, ...] = ("finished", "rejected", "error", "limit")


class Malformed(Exception):
    """Raised when a frame is not what it has to be."""


def frame(message: object) -> bytes:
    """A message as bytes."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return _LENGTH.pack(len(body)) + body


def most_bytes(limits: Limits) -> int:
    """The longest answer of a worker whose plan keeps the other limits."""
    return MOST_BYTES + limits.actions * _MOST_ATTEMPT + limits.output * _MOST_CHARACTER


def frame_length(head: bytes, most: int = MOST_BYTES) -> int:
    """How long the body of a frame is that begins with these four bytes."""
    length: int = _LENGTH.unpack(head)[0]
    if length > most:
        raise Malformed(f"a message of {length:,} bytes")
    return length


HEAD = _LENGTH.size


def decoded(body: bytes) -> Any:
    """The message in a frame's body."""
    try:
        return json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise Malformed("a message that is no JSON") from error


def _no_number(constant: str) -> float:
    raise ValueError(constant)


def read_frame(descriptor: int) -> Any:
    """The next message from a pipe that blocks; EOFError at its end."""
    return decoded(_exactly(descriptor, frame_length(_exactly(descriptor, HEAD))))


def _exactly(descriptor: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def write_all(descriptor: int, data: bytes) -> None:
    """Send bytes into a pipe that blocks."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def hello_layers(message: Any, digest: str) -> tuple[str, ...]:
    """The layers of confinement that a worker reports when it is ready. Raises Malformed."""
    if not isinstance(message, dict) or message.get("world") != digest or not isinstance(message.get("layers"), list):
        raise Malformed("another greeting than the world it was given")
    return tuple(layer for layer in LAYERS if layer in message["layers"])


def played_message(played: Played) -> dict[str, Any]:
    """What a worker answers. An attempt that is repeated, as loops do, is sent once with its number of times."""
    ending = played.ending
    return {
        "how": ending.how,
        "kind": ending.kind,
        "reason": ending.reason,
        "line": ending.line,
        "output": played.output,
        "attempts": [
            [action.name, action.args, dict(action.keywords), action.line, sum(1 for _ in repeats)]
            for action, repeats in groupby(played.attempts)
        ],
    }


def played_from(message: Any) -> Played:
    """What a worker answered, checked. Raises Malformed."""
    try:
        how, kind, reason, line, output = (message[key] for key in ("how", "kind", "reason", "line", "output"))
        attempts = _attempts(message["attempts"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Malformed("a message of another shape") from error
    if how not in _ENDS or not _is_text(reason, 4000) or not _is_line(line) or type(output) is not str:
        raise Malformed("a message with other values")
    if kind is not None and kind not in END_KINDS:
        raise Malformed("a message with other values")
    return Played(attempts, Ending(how, reason, line, kind), output)


def _attempts(rows: Any) -> tuple[Action, ...]:
    """The attempts of a message, each as often as it was made."""
    attempts: list[Action] = []
    for name, args, keywords, line, times in rows:
        if type(args) is not list or type(keywords) is not dict:
            raise ValueError(name)
        values = [*args, *keywords.values()]
        if type(name) is not str or not _is_line(line) or not all(_is_plain(value) for value in values):
            raise ValueError(name)
        if type(times) is not int or not 0 < times <= MOST_ATTEMPTS - len(attempts):
            raise ValueError(times)
        attempts += [Action(name, tuple(args), tuple(keywords.items()), line)] * times
    return tuple(attempts)


def _is_plain(value: object) -> bool:
    if type(value) is float:
        return math.isfinite(value)
    return value is None or type(value) in (int, bool) or (type(value) is str and fits(value))


def _is_line(value: object) -> bool:
    return value is None or (type(value) is int and 0 < value < 1 << 31)


def _is_text(value: object, most: int) -> bool:
    return value is None or (type(value) is str and len(value) <= most)
