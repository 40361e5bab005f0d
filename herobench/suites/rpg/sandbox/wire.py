"""What passes between the parent and a worker: the scene of a plan, the messages on two pipes, and the replay.

A scene is the game of a task, which plans continue part by part, in the real world or in the told one. The caller keeps
a scene and passes it to `Sandbox.go_on` with each part of a plan. The worker that runs a part first repeats the actions
so far, so it keeps nothing between two parts.

Messages are JSON, each after its length in 4 bytes. A worker answers with what a plan attempted (`Played`), which the
scene replays. The parent must trust nothing that arrives. It refuses a message that is too long, and checks every value
of a message before it uses any.
"""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import groupby
from json.encoder import encode_basestring_ascii
from typing import Any

from herobench.suites.rpg.game.episode import END_KINDS, GAME_ENDS, Ended, Ending, Episode, defeat, over_budget
from herobench.suites.rpg.game.events import SIGNATURES, Action, CallError, Fought, Value
from herobench.suites.rpg.game.game import Game, GameOver, OverBudget
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Knowledge, Task
from herobench.suites.rpg.game.told import dry_run_seed, told_hero, told_world
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.confine import LAYERS

MOST_TEXT = 200
"""The longest text that is recorded as an argument, in bytes of JSON. Every code, name and number is shorter."""
_SURE = MOST_TEXT // 12
"""Texts of up to this many characters always fit, since JSON needs at most 12 bytes for one."""


def fits(text: str) -> bool:
    """Say whether a text can be recorded as an argument of an action."""
    return len(text) <= _SURE or (len(text) <= MOST_TEXT and len(encode_basestring_ascii(text)) <= MOST_TEXT + 2)


def recordable(value: object) -> Value:
    """Return an argument in a form that can be recorded: a small plain value unchanged, else an empty text."""
    # No action accepts an empty text, so the game refuses the attempt as it would refuse the argument itself.
    kind = type(value)
    if kind is int:
        return value if -(10**12) < value < 10**12 else ""  # type: ignore[operator, return-value]
    if kind is str:
        return value if fits(value) else ""  # type: ignore[arg-type, return-value]
    if value is None or kind is bool or (kind is float and math.isfinite(value)):  # type: ignore[arg-type]
        return value  # type: ignore[return-value]
    return ""


@dataclass(frozen=True, slots=True)
class Played:
    """The attempts of a plan, its ending, and its output."""

    attempts: tuple[Action, ...]
    ending: Ending
    output: str


MOST_BYTES = 8 << 20
"""The longest message, without the attempts and the output of a plan."""
_MOST_REQUEST = 128 << 20
"""The longest message to a worker. It includes all earlier actions of the game, and its sender is trusted."""
_MOST_ATTEMPT = 5 * (MOST_TEXT + 20) + 100
"""Bytes of one attempt: at most four arguments with their names, and the name and line of the action."""
_MOST_CHARACTER = 12
"""Bytes of the longest character in JSON: one outside the basic plane is two escapes."""
MOST_ATTEMPTS = 1_000_000
"""The most attempts that a message may report. Equal ones are short in the message, but not in memory."""
_MOST_CLASS = 100
"""The longest name of an error's class, in characters: no error that Python or a guard raises has half as many."""
_LENGTH = struct.Struct(">I")
_ENDS: tuple[Ended, ...] = ("finished", *GAME_ENDS.values(), "rejected", "error", "limit")


class Malformed(Exception):
    """Raised when a message has the wrong size or shape."""


def frame(message: object) -> bytes:
    """Return a message as bytes, with its length first."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return _LENGTH.pack(len(body)) + body


def most_bytes(limits: Limits) -> int:
    """Return the length that an answer of a worker can have if its plan keeps all other limits."""
    return MOST_BYTES + limits.actions * _MOST_ATTEMPT + limits.output * _MOST_CHARACTER


def frame_length(head: bytes, most: int = MOST_BYTES) -> int:
    """Return the length of a message from the bytes before it. Raises Malformed if it is too long."""
    length: int = _LENGTH.unpack(head)[0]
    if length > most:
        raise Malformed(f"a message of {length:,} bytes")
    return length


HEAD = _LENGTH.size


def decode(body: bytes) -> Any:
    """Parse a message. Raises Malformed."""
    try:
        return json.loads(body, parse_constant=_no_number)  # NaN would pass comparisons that refuse other values
    except (ValueError, RecursionError) as error:
        raise Malformed("a message that is no JSON") from error


def _no_number(constant: str) -> float:
    raise ValueError(constant)


def read_frame(descriptor: int) -> Any:
    """Read the next message to a worker from a blocking pipe. Raises EOFError at its end."""
    return decode(_exactly(descriptor, frame_length(_exactly(descriptor, HEAD), _MOST_REQUEST)))


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
    """Write bytes to a blocking pipe."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def hello_layers(message: Any, digest: str | None) -> tuple[str, ...]:
    """Return the layers of confinement from the first message of a worker. Raises Malformed."""
    if not isinstance(message, dict) or message.get("world") != digest or not isinstance(message.get("layers"), list):
        raise Malformed("another greeting than the world it was given")
    return tuple(layer for layer in LAYERS if layer in message["layers"])


def played_message(outcome: Played) -> dict[str, Any]:
    """Return the answer of a worker. Equal attempts in a row, as loops make them, are sent once with a count."""
    ending = outcome.ending
    return {
        "how": ending.how,
        "kind": ending.kind,
        "reason": ending.reason,
        "line": ending.line,
        "error": ending.error,
        "output": outcome.output,
        "attempts": action_rows(outcome.attempts),
    }


def action_rows(actions: Iterable[Action]) -> list[list[Any]]:
    """Return actions for a message. Equal ones in a row are one entry."""
    return [
        [action.name, action.args, dict(action.keywords), action.line, sum(1 for _ in repeats)]
        for action, repeats in groupby(actions)
    ]


def played_from(message: Any) -> Played:
    """Check the answer of a worker and return the record in it. Raises Malformed."""
    try:
        how, kind, reason, line = (message[key] for key in ("how", "kind", "reason", "line"))
        error, output = message["error"], message["output"]
        attempts = actions_from(message["attempts"])
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise Malformed("a message of another shape") from wrong
    if how not in _ENDS or not _is_text(reason, 4000) or not _is_line(line) or type(output) is not str:
        raise Malformed("a message with other values")
    if kind is not None and kind not in END_KINDS:
        raise Malformed("a message with other values")
    # Exactly errors have a class: the analysis finds the cause of a loss by it.
    if not _is_text(error, _MOST_CLASS) or (how == "error") != (error is not None):
        raise Malformed("a message with other values")
    return Played(attempts, Ending(how, reason, line, kind, error), output)


def actions_from(rows: Any) -> tuple[Action, ...]:
    """Return the actions of a message, each as often as the message says."""
    attempts: list[Action] = []
    for name, args, keywords, line, times in rows:
        if type(args) is not list or type(keywords) is not dict:
            raise ValueError(name)
        values = [*args, *keywords.values()]
        if type(name) is not str or not _is_line(line) or not all(_is_plain(value) for value in values):
            raise ValueError(name)
        # Checked before the list grows: one short row may stand for billions of attempts.
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


class Scene:
    """The game of one task, up to now."""

    def __init__(self, world: World, rules: Rules, task: Task, *, told: bool = False) -> None:
        """Begin the game. With `told` it is a dry run: in the told world, and with other random numbers."""
        self.task = task
        self.rules = task.rules(rules)
        self.told = told
        knows, seed = (task.knowledge, dry_run_seed(task.seed)) if told else (None, task.seed)
        self.game = _game(world, knows, self.rules, task.hero, seed)

    @property
    def begun(self) -> bool:
        """True if an action was attempted."""
        return bool(self.game.events)

    def do(self, actions: Iterable[Action]) -> Scene:
        """Repeat earlier actions until the game is over, and return the scene."""
        with suppress(GameOver):
            for action in actions:
                self.game.act(action)
        return self

    def request(self) -> dict[str, Any]:
        """Return what a worker needs to continue: the part of a request that `resumed_game` reads."""
        task = self.task
        return {
            "hero": task.hero.as_row(),
            "rules": asdict(self.rules),
            "seed": dry_run_seed(task.seed) if self.told else task.seed,
            "knows": task.knowledge.as_row() if self.told else None,
            "before": action_rows(event.action for event in self.game.events),
        }


def resumed_game(world: World, request: Mapping[str, Any]) -> Game:
    """Return the game of a scene's request, in the worker, after the actions so far."""
    hero = HeroStart.from_row(request["hero"])
    knows = None if request["knows"] is None else Knowledge.from_row(request["knows"])
    game = _game(world, knows, Rules(**request["rules"]), hero, request["seed"])
    for action in actions_from(request["before"]):
        game.act(action)
    game.events.clear()
    return game


def _game(world: World, knows: Knowledge | None, rules: Rules, hero: HeroStart, seed: int) -> Game:
    """Begin a game: in the told world if the hero's knowledge is given."""
    if knows is None:
        return Game(world, rules, hero, seed)
    return Game(told_world(world, knows, hero), rules, told_hero(world, knows, hero), seed)


def enact(game: Game, outcome: Played, limits: Limits) -> Episode:
    """Apply the attempts of a plan, and return their episode. Earlier events of the game are no part of it.

    A list of attempts that no plan can make ends the episode with `limit`."""
    before = len(game.events)
    ending, output = outcome.ending, outcome.output[: limits.output]
    if len(outcome.attempts) > limits.actions:
        return Episode(
            (), Ending("limit", "the plan's process reports more actions than it may take", None, "protocol"), output
        )
    for action in outcome.attempts:
        try:
            if action.name not in SIGNATURES:
                raise CallError(action.name)
            game.act(action)
        except OverBudget:
            ending = over_budget(len(game.events), action.line)
            break
        except CallError:
            # The attempts before this one are valid actions, and the hero keeps what they earned.
            ending = Ending("limit", "the plan's process reports an action that cannot be", action.line, "protocol")
            break
        if game.over:
            ending = _defeat(game)
            break
    else:
        if ending.how in GAME_ENDS.values():
            ending = Ending("limit", "the plan's process reports an end of the game that was none", None, "protocol")
    return Episode(tuple(game.events[before:]), ending, output)


def _defeat(game: Game) -> Ending:
    """Return the ending for the lost fight that just ended the game."""
    fight = game.events[-1]
    assert isinstance(fight.detail, Fought)
    return defeat(game.world.monsters[fight.detail.monster].name, fight.action.line)
