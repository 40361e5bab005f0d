"""The program of a worker process: play one plan after another. `worker_handle` in the parent starts it with two pipes.

The first message has the world. Each later message has a plan, a hero, rules and limits, and the answer has the
attempts of the plan. Between two plans the process must keep nothing but the world.
"""

from __future__ import annotations

import ctypes
import encodings.idna
import gc
import linecache
import os
import sys
import traceback
import unicodedata
from contextlib import suppress
from typing import Any

from herobench.sandbox import worker
from herobench.sandbox.budget import EXHAUSTED, Limits
from herobench.sandbox.confine import confine
from herobench.sandbox.play import Act, LastAction, play
from herobench.sandbox.scene import resumed_game
from herobench.sandbox.wire import Played, actions_from, frame, played_message, read_frame, write_all
from herobench.suites.rpg.game.arguments import SIGNATURES, RefusedAction, bound
from herobench.suites.rpg.game.events import Action, Ending, EndKind
from herobench.suites.rpg.game.game import Game, OverBudget
from herobench.suites.rpg.game.responses import response
from herobench.suites.rpg.game.world import World

PINNED = 0xFCA86420
"""The hash of None from Python 3.12 on."""
_TP_HASH = 15 * ctypes.sizeof(ctypes.c_void_p)
"""The offset of the hash function in a type object of CPython 3.11."""


def pin() -> None:
    """Set the hash of None for the rest of the process. Call it before any dict or set has None as a key."""
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    function = ctypes.c_void_p.from_address(id(type(None)) + _TP_HASH)
    inherited = ctypes.c_void_p.from_address(id(object) + _TP_HASH)
    if function.value == inherited.value:  # true in CPython 3.11, unless its layout differs
        function.value = ctypes.cast(_hash, ctypes.c_void_p).value


_hash = ctypes.PYFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p)(lambda _: PINNED)
"""Kept for the life of the process, because None's type points to it."""


PRELOADED = (encodings.idna, linecache, traceback, unicodedata)
"""Modules that CPython imports on its own for odd names and errors. A confined process could not read their files."""

_KIND, _REASON = EXHAUSTED[MemoryError]
_USED_UP: tuple[EndKind, str] = ("budget", "the budget is used up")
OUT_OF_MEMORY = Played((), Ending("limit", _REASON, None, _KIND), "")
"""The answer when a plan leaves too little memory to report its attempts."""


def main() -> None:
    """Answer requests until the parent closes its end of the pipe."""
    worker.pin()  # before the world is built, which may have dicts with None as a key
    requests, answers = _take_pipes()
    try:
        hello = read_frame(requests)
        world = World.from_source(hello["world"])
        gc.collect()
        gc.freeze()  # no collection needs to look at the world again
        write_all(answers, frame({"world": world.digest, "layers": confine(hello["memory"])}))
        while True:
            played = play_request(world, read_frame(requests))
            gc.collect()  # the garbage of this plan must not count against the memory of the next one
            try:
                answer = frame(played_message(played))
            except MemoryError:
                answer = frame(played_message(OUT_OF_MEMORY))
            write_all(answers, answer)
    except (EOFError, BrokenPipeError):
        return


def _take_pipes() -> tuple[int, int]:
    """Move the two pipes off the standard streams, so that no other code uses them."""
    pipes = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)  # not closed: a new file would get the number of a standard stream
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    return pipes


def play_request(world: World, request: dict[str, Any]) -> Played:
    """Play the plan of a request."""
    game: Game | None = None

    def act(action: Action, looks: bool) -> object:
        nonlocal game
        if game is None:
            game = resumed_game(world, request)
        try:
            event = game.act(action)
        except OverBudget:
            raise LastAction(*_USED_UP) from None
        if game.over:
            raise LastAction("fight", "a defeat is final here")
        return response(game, event) if looks else None

    actions = dict.fromkeys(SIGNATURES, act)
    return play(request["plan"], actions, Limits(**request["limits"]), request["track"], _unseen(request))


def _unseen(request: dict[str, Any]) -> Act:
    """Return a function that makes an attempt without a game, for plans that never use results.

    The parent plays the game anyway, and ends it where it is over. Only one thing in the plan depends on it: a wrong
    call raises an error, unless the budget is used up by then."""
    left = request["rules"]["budget"]
    if left is not None:
        left -= len(actions_from(request["before"]))

    def attempt(action: Action, looks: bool) -> None:
        nonlocal left
        if left is not None:
            if not left:
                raise LastAction(*_USED_UP)
            left -= 1
        with suppress(RefusedAction):
            bound(action.name, action.args, action.keywords)

    return attempt


if __name__ == "__main__":
    main()
