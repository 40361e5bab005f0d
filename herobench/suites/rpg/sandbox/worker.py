"""The program of a worker process: play one plan after another. `worker_handle` in the parent starts it with two pipes.

The first message has the world, if the plans need one. Each later message has a plan, limits, and a hero with rules
or a road to walk, and the answer has the attempts of the plan. Between two plans the process must keep nothing but the
world.

`play` reads a plan, runs it against a table of actions, and records what it attempts. The functions in the table get
each attempted action and return what the plan sees. The result that counts is the list of attempts, in order, each with
its line.
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
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import CodeType, FrameType, TracebackType
from typing import Any

from herobench.suites.rpg.game.episode import FINISHED, GAME_ENDS, Ending, EndKind
from herobench.suites.rpg.game.events import SIGNATURES, Action, RefusedAction, bound
from herobench.suites.rpg.game.game import Game, OverBudget
from herobench.suites.rpg.game.responses import response
from herobench.suites.rpg.game.task import PlanTrack
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.journey.plan import LiveWalk
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.walk import ACTIONS
from herobench.suites.rpg.sandbox.bounds import EXHAUSTED, MOST_CALLS, LimitReached, Limits, PlanBudget, Rejected
from herobench.suites.rpg.sandbox.confine import confine
from herobench.suites.rpg.sandbox.guards import guard_table
from herobench.suites.rpg.sandbox.language import Steps, StepWalk, read_plan
from herobench.suites.rpg.sandbox.transformer import QUIET
from herobench.suites.rpg.sandbox.trees import FILENAME
from herobench.suites.rpg.sandbox.wire import (
    Played,
    actions_from,
    frame,
    played_message,
    read_frame,
    recordable,
    resumed_game,
    write_all,
)

_FRAMES = 12 * MOST_CALLS
"""The most Python frames of a plan: more than its deepest calls and their guards need."""
Act = Callable[[Action, bool], object]
"""Carries out an attempt and returns what the plan sees. The flag tells whether the plan uses that value."""


class LastAction(Exception):
    """Raised by an `Act` at an attempt after which the plan may do nothing more."""

    def __init__(self, kind: EndKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def play(
    source: str,
    actions: Mapping[str, Act],
    limits: Limits,
    track: PlanTrack = "program",
    unseen: Act | None = None,
) -> Played:
    """Run a plan of a track until it ends in any way.

    `unseen` carries out every attempt of a plan that never uses results, because it has only calls and counted loops.
    It must raise what the actions would raise. By default the actions are called."""
    attempts: list[Action] = []
    budget = PlanBudget(limits)
    try:
        plan = read_plan(source, actions, track, limits.parts)
    except Rejected as rejected:
        return Played((), Ending("rejected", rejected.reason, rejected.line, rejected.kind), "")
    if isinstance(plan, CodeType):
        ending = _run(plan, _surroundings(actions, attempts, budget), budget)
    else:
        acts = actions if unseen is None else dict.fromkeys(actions, unseen)
        ending = _follow(plan, acts, attempts, budget)
    return Played(tuple(attempts), ending, "".join(budget.output))


def _run(code: CodeType, surroundings: dict[str, Any], budget: PlanBudget) -> Ending:
    # LimitReached is a BaseException, and a plan must never end its worker.
    try:
        with _frames_at_most(_FRAMES):
            exec(code, surroundings)  # noqa: S102 - the one place where a plan runs
    except BaseException as error:
        return _uncaught(error, _line(error.__traceback__), budget)
    return _limit(budget.reached, None) if budget.reached else FINISHED


def _follow(steps: Steps, actions: Mapping[str, Act], attempts: list[Action], budget: PlanBudget) -> Ending:
    walk = StepWalk(lambda action: _carried_out(action, actions[action.name], False, attempts, budget), budget)
    try:
        walk.follow(steps)
    except BaseException as error:
        return _uncaught(error, walk.line, budget)
    return FINISHED


def _uncaught(error: BaseException, line: int | None, budget: PlanBudget) -> Ending:
    """Return the ending for an uncaught error. A limit that was reached before the error counts instead."""
    if budget.reached:
        return _limit(budget.reached, line)
    if type(error) in EXHAUSTED:
        kind, reason = EXHAUSTED[type(error)]
        return Ending("limit", reason, line, kind)
    return Ending("error", _describe(error), line, "runtime", type(error).__name__)


def _limit(limit: LimitReached, line: int | None) -> Ending:
    return Ending(GAME_ENDS.get(limit.kind, "limit"), limit.reason, line, limit.kind)


@contextmanager
def _frames_at_most(depth: int) -> Iterator[None]:
    """Let Python's frames nest `depth` deeper than now."""
    before, here = sys.getrecursionlimit(), 0
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        here, frame = here + 1, frame.f_back
    # Python limits all frames together, and the caller may be at any depth: each plan must have the same room.
    sys.setrecursionlimit(here + depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _describe(error: BaseException) -> str:
    """Return the type and message of an error. Only a plain text counts as a message; nothing else is rendered here."""
    message = error.args[0] if error.args and type(error.args[0]) is str else ""
    return f"{type(error).__name__}: {message[:200]}" if message else type(error).__name__


def _line(trace: TracebackType | None) -> int | None:
    """Return the innermost line of the plan that an error passed through."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILENAME:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _surroundings(actions: Mapping[str, Act], attempts: list[Action], budget: PlanBudget) -> dict[str, Any]:
    """Return the globals of one plan."""
    table, lines = guard_table(budget), _Lines()
    for name, act in actions.items():
        table[name] = _record(name, act, True, attempts, budget, lines)
        table[QUIET + name] = _record(name, act, False, attempts, budget, lines)
    return table


def _record(
    name: str, act: Act, looks: bool, attempts: list[Action], budget: PlanBudget, lines: _Lines
) -> Callable[..., object]:
    """Return an action as the plan calls it: it counts, carries out and records the attempt."""

    def call(*args: object, **keywords: object) -> object:
        budget.act()
        by_name = tuple([(key, recordable(value)) for key, value in keywords.items()]) if keywords else ()
        action = Action(name, tuple([recordable(value) for value in args]), by_name, lines.calling())
        return _carried_out(action, act, looks, attempts, budget)

    call.__name__ = call.__qualname__ = name
    return call


def _carried_out(action: Action, act: Act, looks: bool, attempts: list[Action], budget: PlanBudget) -> object:
    """Carry out an action that was counted, and record the attempt. Return what the plan sees."""
    try:
        answer = act(action, looks)
    except LastAction as end:
        attempts.append(action)
        budget.stop(end.kind, str(end))
    attempts.append(action)  # only now: a call with wrong arguments raises in act, and is not an attempt
    return answer


class _Lines:
    """Knows the lines of a plan's code. Python would search them anew, from the first one, for each call."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[list[int], list[int | None]]] = {}
        """Where other lines begin in a code object, and which ones, by its id: the plan keeps the object."""

    def calling(self) -> int | None:
        """Return the line of the plan that called the action, perhaps through a builtin such as `map`."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != FILENAME:
            frame = frame.f_back
        if frame is None:
            return None
        if id(frame.f_code) not in self._known:
            starts, _, lines = zip(*frame.f_code.co_lines(), strict=True)
            self._known[id(frame.f_code)] = list(starts), list(lines)
        offsets, numbers = self._known[id(frame.f_code)]
        return numbers[bisect_right(offsets, frame.f_lasti) - 1]


NONE_HASH = 0xFCA86420
"""The hash of None from CPython 3.12 on."""
_IMMUTABLE = 1 << 8
"""The flag of a type whose attributes cannot be set (`Py_TPFLAGS_IMMUTABLETYPE`)."""
_WORDS = 32
"""How many words of a type object are searched for its flags. All type objects are longer."""


def pin_none_hash() -> None:
    """Set the hash of None for the rest of the process. Call it before any dict or set has None as a key.

    CPython 3.11 takes the address of None, which differs between processes, and would change the order of a set. Here
    None's type gets a `__hash__` like any class, which takes its flag of immutability away for a moment. Nothing is
    written where None has that hash already. Raises RuntimeError where it cannot be set."""
    if hash(None) == NONE_HASH:
        return
    flags = ctypes.c_ulong.from_address(id(type(None)) + ctypes.sizeof(ctypes.c_ulong) * _flags_word())
    flags.value &= ~_IMMUTABLE
    try:
        type.__setattr__(type(None), "__hash__", lambda _: NONE_HASH)
    finally:
        flags.value |= _IMMUTABLE  # Python may have changed other flags meanwhile
    if hash(None) != NONE_HASH:
        raise RuntimeError("The hash of None cannot be set in this Python.")


def _flags_word() -> int:
    """Return which word of a type object has its flags. It is searched for, so no layout of type objects is assumed."""
    flags_of = ctypes.pythonapi["PyType_GetFlags"]  # of the stable interface of CPython
    flags_of.restype, flags_of.argtypes = ctypes.c_ulong, (ctypes.py_object,)
    kinds: tuple[type, ...] = (type(None), int, str, list, tuple, dict, type)
    columns = zip(*((ctypes.c_ulong * _WORDS).from_address(id(kind)) for kind in kinds), strict=True)
    flags = tuple(map(flags_of, kinds))
    places = [number for number, words in enumerate(columns) if words == flags]
    if len(places) != 1:
        raise RuntimeError(f"The hash of None cannot be set in this Python: {len(places)} words look like flags.")
    return places[0]


PRELOADED = (encodings.idna, linecache, traceback, unicodedata)
"""Modules that CPython imports on its own for odd names and errors. A confined process could not read their files."""

_KIND, _REASON = EXHAUSTED[MemoryError]
_USED_UP: tuple[EndKind, str] = ("budget", "the budget is used up")
OUT_OF_MEMORY = Played((), Ending("limit", _REASON, None, _KIND), "")
"""The answer when a plan leaves too little memory to report its attempts."""


def main() -> None:
    """Answer requests until the parent closes its end of the pipe."""
    pin_none_hash()  # before the world is built, which may have dicts with None as a key
    requests, answers = _take_pipes()
    try:
        hello = read_frame(requests)
        world = None if hello["world"] is None else World.from_source(hello["world"])
        gc.collect()
        gc.freeze()  # no collection needs to look at the world again
        write_all(answers, frame({"world": world.digest if world else None, "layers": confine(hello["memory"])}))
        while True:
            request = read_frame(requests)
            outcome = play_policy(request) if world is None else play_request(world, request)
            gc.collect()  # the garbage of this plan must not count against the memory of the next one
            try:
                answer = frame(played_message(outcome))
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


def play_policy(request: dict[str, Any]) -> Played:
    """Walk the policy of a request along its road, until it arrives or an action is refused."""
    walk = LiveWalk(Road.from_row(request["road"]), request["luck"])

    def act(action: Action, looks: bool) -> object:
        hero = walk.act(action)
        if hero is None:
            raise LastAction("actions", "the walk has ended")
        return hero

    return play(request["plan"], dict.fromkeys(ACTIONS, act), Limits(**request["limits"]))


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
